import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { toStorableJson } from '../../platform/database/storable-text';

/** A finished run that is to be compared with the baseline that its agent had when it ended. */
export interface DueComparison {
  readonly testRunId: string;
  readonly baselineTestRunId: string;
  readonly claim: string;
  /** From 1. */
  readonly attempt: number;
}

/** The largest runs take some seconds. */
const LEASE_SECONDS = 120;
const RETRY_SECONDS = 60;

/** Comparisons that are to be made once, whichever process makes them. */
@Injectable()
export class WebhookComparisonsStore {
  constructor(private readonly database: Database) {}

  /** Null when none is due. */
  async claim(): Promise<DueComparison | null> {
    const [due] = await this.database.engine.query<DueComparison>(
      `UPDATE webhook_comparisons c SET claim = gen_random_uuid(), attempts = c.attempts + 1,
         next_attempt_at = now() + make_interval(secs => $1)
       FROM (SELECT test_run_id FROM webhook_comparisons WHERE next_attempt_at <= now()
             ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED) due
       WHERE c.test_run_id = due.test_run_id
       RETURNING c.test_run_id AS "testRunId", c.baseline_test_run_id AS "baselineTestRunId", c.claim, c.attempts AS attempt`,
      [LEASE_SECONDS],
    );
    return due ?? null;
  }

  /** @param payload what subscribers are told; null when there is nothing to tell. Both in one transaction. */
  async settle({ testRunId, claim }: DueComparison, type: string, payload: object | null): Promise<void> {
    await this.database.engine.query(
      `WITH done AS (DELETE FROM webhook_comparisons WHERE test_run_id = $1 AND claim = $2 RETURNING test_run_id)
       INSERT INTO webhook_deliveries (webhook_id, type, test_run_id, payload)
       SELECT w.id, $3::text, done.test_run_id, $4::text::json FROM done, (
         SELECT id FROM webhooks WHERE $4::text IS NOT NULL AND is_active AND $3::text = ANY (events) FOR KEY SHARE) w
       ON CONFLICT DO NOTHING`,
      [testRunId, claim, type, payload === null ? null : toStorableJson(payload)],
    );
  }

  /** Puts off a comparison that failed: it is made once more, later. */
  async postpone({ testRunId, claim }: DueComparison): Promise<void> {
    await this.database.engine.query(
      `UPDATE webhook_comparisons SET claim = NULL, next_attempt_at = now() + make_interval(secs => $3)
       WHERE test_run_id = $1 AND claim = $2`,
      [testRunId, claim, RETRY_SECONDS],
    );
  }
}
