import { loadStarterLibrary } from '../../src/features/scenarios/starter-library';
import type { NewScenario } from '../../src/features/scenarios/scenarios.store';

let library: Promise<readonly NewScenario[]> | undefined;

/** The starter library, read once a process for all specs that only look at it. */
export function starterLibrary(): Promise<readonly NewScenario[]> {
  return (library ??= loadStarterLibrary());
}
