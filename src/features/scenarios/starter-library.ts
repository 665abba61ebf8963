import { readdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { STARTER_LIBRARY } from '../../domain';
import type { NewScenario } from './scenarios.store';
import { readScenarioFile } from './files/read-scenario-file';
import { scenarioFile } from './scenario-file';

/**
 * A scenario as `content/scenarios/<category>/<name>.yaml` holds it: the body of POST /api/v1/scenarios, with nothing left
 * to defaults. So any of the files can be sent to the API as it is, and any stored scenario can become one.
 */
const starterScenario = scenarioFile
  .extend({
    category: z.string().min(1),
    severity: z.enum(['low', 'medium', 'high', 'critical']),
    scenario_type: z.enum(['full', 'demo']),
    approved: z.literal(true),
    priority: z.number(),
    tags: z.array(z.string().min(1)).min(1),
  })
  .omit({ key: true });

/** The library is part of the service: an unusable file is its editor's mistake. */
export class StarterLibraryError extends Error {
  override readonly name = 'StarterLibraryError';
}

/** Stores the scenarios, once; resolves with false when there ever was a scenario. */
export interface ScenarioSeeds {
  createAllIfEmpty(scenarios: readonly NewScenario[]): Promise<boolean>;
}

/**
 * Puts the starter library into a database that never had a scenario (a deleted one counts). Processes that start together
 * store it once. Resolves with whether this call stored it.
 * @throws StarterLibraryError
 */
export async function seedStarterLibrary(seeds: ScenarioSeeds): Promise<boolean> {
  return seeds.createAllIfEmpty(await loadStarterLibrary());
}

/**
 * The scenarios of the library, by priority, then by name.
 * @param folder holds one folder per category, with one YAML file per scenario
 * @throws StarterLibraryError naming the file and the field
 */
export async function loadStarterLibrary(folder = libraryFolder()): Promise<NewScenario[]> {
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.yaml'));
  const scenarios = await Promise.all(files.map((path) => readScenario(join(folder, path))));
  return scenarios.sort(
    (one, other) => (one.priority ?? 0) - (other.priority ?? 0) || one.name.localeCompare(other.name, 'en'),
  );
}

async function readScenario(path: string): Promise<NewScenario> {
  const parsed = starterScenario.safeParse(valueOf(path, await readFile(path, 'utf8')));
  if (!parsed.success) throw new StarterLibraryError(`${path} is not a scenario: ${z.prettifyError(parsed.error)}`);
  const {
    $schema: _schema,
    scenario_type,
    rubric_criteria,
    approved_by: _by,
    approved_role: _role,
    ...same
  } = parsed.data;
  return {
    ...same,
    scenarioType: scenario_type,
    rubricCriteria: rubric_criteria,
    isActive: true,
    signature: { by: null, role: STARTER_LIBRARY },
  };
}

function valueOf(path: string, text: string): unknown {
  try {
    return readScenarioFile(text);
  } catch (error) {
    throw new StarterLibraryError(
      `${path} is not YAML: ${error instanceof Error ? error.message : 'it cannot be read'}`,
      { cause: error },
    );
  }
}

/** Where the library is. Some folders up: two from the sources, three from the built files. @throws StarterLibraryError */
export function libraryFolder(below = __dirname): string {
  const folder = join(below, 'content', 'scenarios');
  if (existsSync(folder)) return folder;
  const parent = dirname(below);
  if (parent === below) throw new StarterLibraryError('The folder content/scenarios is missing; reinstall Agent OSCE.');
  return libraryFolder(parent);
}
