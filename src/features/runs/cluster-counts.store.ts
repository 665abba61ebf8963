import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database';

/** How many scenarios of a run had so many graded conversations, of which so many passed. */
export interface ClusterCount {
  readonly test_run_id: string;
  readonly graded: number;
  readonly passed: number;
  readonly scenarios: number;
}

/** Failed scenario runs that violate a must-pass criterion. */
export interface ViolationCount {
  readonly test_run_id: string;
  readonly violated: number;
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

  /** A run without any is missing. A violation fails its scenario: only what failed is looked at. */
  readViolations(testRunIds: readonly string[]): Promise<ViolationCount[]> {
    return this.database.query<ViolationCount>(
      `SELECT test_run_id, count(*) FILTER (WHERE findings->'violations'->0 IS NOT NULL)::int AS violated
       FROM scenario_runs WHERE test_run_id = ANY($1::uuid[]) AND status = 'failed' GROUP BY test_run_id`,
      [testRunIds],
    );
  }
}
