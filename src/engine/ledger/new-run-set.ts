import type { RunEvent } from '../../domain';
import type { Transaction } from '../../platform/database';
import { storeNewRun, type NewTestRun } from './new-test-run';
import type { SupervisionClaim } from './supervision';

/** Runs over the same conversations, to be started together. */
export interface NewRunSet {
  readonly id: string;
  readonly name: string | null;
  /** In their order; all with the same `planned`. */
  readonly runs: readonly NewTestRun[];
}

/**
 * Stores a set and all of its runs. One that is stored already is answered as it was then. The scenarios are locked against changes,
 * so that every run has the same copies of them.
 * @throws TooManyScheduledRuns, ScenarioVanished
 */
export async function storeNewRunSet(
  tx: Transaction,
  { id, name, runs }: NewRunSet,
  mostScheduled: number,
): Promise<{ readonly events: readonly RunEvent[]; readonly result: readonly SupervisionClaim[] }> {
  await tx.query('INSERT INTO run_sets (id, name) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING', [id, name]);
  const scenarioIds = new Set(runs.flatMap(({ planned }) => planned.map(({ scenarioId }) => scenarioId)));
  await tx.query('SELECT id FROM scenarios WHERE id = ANY($1::uuid[]) ORDER BY id FOR SHARE', [[...scenarioIds]]);
  const events: RunEvent[] = [];
  const result: SupervisionClaim[] = [];
  for (const [place, run] of runs.entries()) {
    const stored = await storeNewRun(tx, run, mostScheduled, { run_set_id: id, run_set_place: place + 1 });
    events.push(...stored.events);
    result.push(stored.result);
  }
  return { events, result };
}
