import type { Database } from '../../src/platform/database/database';
import { storeGradedRun, type GradedRunOptions } from './graded-run';

/** What was examined, as a run says it. */
export interface Conditions {
  /** The hash of the agent's config. */
  readonly config?: string | null;
  readonly version?: string | null;
  readonly revision?: number;
}

/** Stores a run of one scenario that says what was examined; answers its id. @param outcomes of its trials */
export async function storeExaminedRun(
  database: Database,
  scenario: { readonly id: string; readonly name: string },
  outcomes: readonly string[],
  { config = 'config-1', version = null, revision = 1 }: Conditions = {},
  options: GradedRunOptions = {},
): Promise<string> {
  const id = await storeGradedRun(database, [{ ...scenario, outcomes }], options);
  await database.query('UPDATE test_runs SET agent_config_hash = $2, agent_version = $3 WHERE id = $1', [
    id,
    config,
    version,
  ]);
  await database.query(
    `UPDATE scenario_runs SET scenario_revision = $2, scenario_content_hash = 'content-' || $2::int WHERE test_run_id = $1`,
    [id, revision],
  );
  return id;
}
