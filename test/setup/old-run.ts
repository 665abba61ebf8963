import { openStoredRuns } from './stored-run';
import type { TestDatabase } from './database';

export interface OldRun {
  readonly id: string;
  readonly label: string;
}

/** A run in that database, which nobody works on, that ended so many days ago. */
export async function storeOldRun(database: TestDatabase, endedDaysAgo: number): Promise<OldRun> {
  const runs = await openStoredRuns(database);
  const { testRunId: id } = await runs.createRun();
  await runs.testRuns.cancel(id);
  const [run] = await runs.database.query<{ label: string }>(
    `UPDATE test_runs SET created_at = created_at - make_interval(days => $2),
       completed_at = completed_at - make_interval(days => $2) WHERE id = $1 RETURNING label`,
    [id, endedDaysAgo],
  );
  await runs.close();
  return { id, label: run?.label ?? '' };
}
