import type { FindingSeverity, Found } from './finding';
import type { ReadScenario } from './read-scenario';

/** One way in which a scenario can mislead. Pure, and linear in what it reads. */
export interface Rule {
  /** As findings name it, in the documentation too. */
  readonly name: string;
  readonly severity: FindingSeverity;
  readonly check: (scenario: ReadScenario) => Iterable<Found>;
}
