import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database';

/** What is under way now, by status. */
export interface UnfinishedRuns {
  readonly testRuns: ReadonlyMap<string, number>;
  readonly scenarioRuns: ReadonlyMap<string, number>;
}

/** The most that are counted of each kind: more need not be told apart. */
const MOST_COUNTED = 100_000;

/** What has ended is not looked at, however much of it there is: partial indexes hold the rest. Runs that wait for their time are not under way. */
export const COUNT_UNFINISHED = `
  SELECT 'test' AS kind, status, count(*)::int AS number FROM (
    SELECT status FROM test_runs WHERE status IN ('scheduled', 'pending', 'running') LIMIT ${MOST_COUNTED}
  ) runs GROUP BY status
  UNION ALL
  SELECT 'scenario', status, count(*)::int FROM (
    SELECT s.status FROM test_runs t
    JOIN scenario_runs s ON s.test_run_id = t.id AND s.status IN ('pending', 'running', 'grading')
    WHERE t.status IN ('scheduled', 'pending', 'running') AND t.status <> 'scheduled'
    LIMIT ${MOST_COUNTED}
  ) scenarios GROUP BY status`;

/** Counts what is under way over all processes. */
@Injectable()
export class UnfinishedRunsStore {
  constructor(private readonly database: Database) {}

  /** @throws the database's error */
  async count(): Promise<UnfinishedRuns> {
    const rows = await this.database.query<{ kind: 'test' | 'scenario'; status: string; number: number }>(
      COUNT_UNFINISHED,
    );
    const of = (wanted: string): Map<string, number> =>
      new Map(rows.filter(({ kind }) => kind === wanted).map(({ status, number }) => [status, number]));
    return { testRuns: of('test'), scenarioRuns: of('scenario') };
  }
}
