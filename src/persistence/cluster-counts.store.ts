import { Injectable } from '@nestjs/common';
import { Database } from './database';

/** So many scenarios of a run had so many graded conversations, of which so many passed. */
export interface ClusterCount {
  readonly test_run_id: string;
  readonly graded: number;
  readonly passed: number;
  readonly scenarios: number;
}

/** Reads what the intervals of many runs are made of: a handful of rows a run, however many scenarios it has. */
@Injectable()
export class ClusterCountsStore {
  constructor(private readonly database: Database) {}

  read(testRunIds: readonly string[]): Promise<ClusterCount[]> {
    return this.database.query<ClusterCount>(
      `SELECT test_run_id, graded, passed, count(*)::int AS scenarios FROM (
         SELECT test_run_id, count(*)::int AS graded, count(*) FILTER (WHERE status = 'passed')::int AS passed
         FROM scenario_runs WHERE test_run_id = ANY($1::uuid[]) AND status IN ('passed', 'failed')
         GROUP BY test_run_id, scenario_id
       ) clusters GROUP BY test_run_id, graded, passed ORDER BY test_run_id, graded, passed`,
      [testRunIds],
    );
  }
}
