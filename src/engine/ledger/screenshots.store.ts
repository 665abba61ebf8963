import { Injectable } from '@nestjs/common';
import { Database, isUuid } from '../../platform/database';
import type { AttemptRef } from './scenario-run.changes';

/** Keeps what the page of a browser agent showed when its scenario run failed. */
@Injectable()
export class ScreenshotsStore {
  constructor(private readonly database: Database) {}

  /**
   * To be called before the failure is recorded: a screenshot is shown once its own attempt has ended the scenario run in
   * error, so the two are seen together or not at all.
   * @returns false when the attempt is stale or the scenario run final
   */
  async keep({ scenarioRunId, attempt, owner }: AttemptRef, jpeg: Uint8Array): Promise<boolean> {
    const rows = await this.database.engine.query(
      `INSERT INTO screenshots (scenario_run_id, attempt, jpeg)
       SELECT id, attempt, $4 FROM scenario_runs
       WHERE id = $1 AND attempt = $2 AND owner = $3 AND status IN ('running', 'grading')
       ON CONFLICT (scenario_run_id) DO UPDATE
         SET attempt = EXCLUDED.attempt, jpeg = EXCLUDED.jpeg, taken_at = EXCLUDED.taken_at
       RETURNING attempt`,
      [scenarioRunId, attempt, owner, Buffer.from(jpeg)],
    );
    return rows.length > 0;
  }

  /** `unknown`: there is no such scenario run; null: it has no screenshot. */
  async find(scenarioRunId: string): Promise<Buffer | null | 'unknown'> {
    if (!isUuid(scenarioRunId)) return 'unknown';
    const [row] = await this.database.query<{ jpeg: Buffer | null }>(
      `SELECT p.jpeg FROM scenario_runs s JOIN test_runs t ON t.id = s.test_run_id
       LEFT JOIN screenshots p ON p.scenario_run_id = s.id AND p.attempt = s.attempt AND s.status = 'error'
       WHERE s.id = $1`,
      [scenarioRunId],
    );
    return row === undefined ? 'unknown' : row.jpeg;
  }
}
