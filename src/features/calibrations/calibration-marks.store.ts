import { Injectable } from '@nestjs/common';
import type { Region } from '../../domain/region';
import type { CriterionResult } from '../../domain/rubric';
import type { StoredCriterion, StoredItem } from './calibrations.store';
import { Database } from '../../platform/database/database';
import { storableText, toStorableJson } from '../../platform/database/storable-text';
import type { ExaminerDocument } from '../../engine/ledger/run-examiners.store';

/** One examination that is to be made now, by the process that has claimed it. */
export interface ClaimedMark {
  readonly calibrationId: string;
  readonly position: number;
  readonly repeat: number;
  readonly claim: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  readonly seed: number;
  /** The judge that the calibration is about. */
  readonly judge: ExaminerDocument;
  readonly judgeModel: string | null;
  readonly transcript: StoredItem['transcript'];
  readonly criteria: readonly StoredCriterion[];
  readonly rubricScale: string | null;
  readonly region: Region | null;
}

/** What came of an examination. */
export type MarkOutcome =
  | { readonly kind: 'marked'; readonly criteria: readonly CriterionResult[]; readonly record: object }
  | {
      readonly kind: 'failed';
      readonly errorKind: string;
      readonly message: string;
      /** Null when it had cost nothing. */
      readonly record: object | null;
    };

/** An examination that is over, with the labels it is compared with. */
export interface SettledMark {
  readonly position: number;
  readonly repeat: number;
  readonly seed: string;
  readonly status: 'marked' | 'failed';
  /** Null when it failed. */
  readonly marks: readonly CriterionResult[] | null;
  readonly record: Readonly<Record<string, unknown>> | null;
  readonly errorKind: string | null;
  readonly errorMessage: string | null;
}

export interface LabelledRow {
  readonly position: number;
  readonly itemId: string;
  readonly criteria: readonly StoredCriterion[];
}

export interface CalibrationsToDo {
  /** Whether an examination waits to be claimed. */
  readonly isAnyDue: boolean;
  /** A calibration of which everything is marked, and which has no result yet; null when there is none. */
  readonly allMarked: string | null;
}

/** A calibration that is not over. */
export interface LiveCalibration {
  readonly id: string;
  /** The judge that it is about. */
  readonly judge: ExaminerDocument;
  readonly judgeModel: string | null;
}

/** Looked through at a time, for those that this process has the judge of. */
const MOST_LIVE = 1_000;

/** Renewed several times while an examination goes on: only the work of a process that died is taken over. */
const LEASE_SECONDS = 20;

/**
 * The examinations of calibrations. Each is claimed, and its outcome refused once another process has claimed it, or once the
 * calibration is canceled.
 */
@Injectable()
export class CalibrationMarksStore {
  constructor(private readonly database: Database) {}

  /** What there is to do, by one statement: it is asked again and again, mostly for nothing. */
  async toDo(): Promise<CalibrationsToDo> {
    const [row] = await this.database.engine.query<CalibrationsToDo>(
      `SELECT EXISTS (SELECT FROM calibrations c
           JOIN calibration_marks m ON m.calibration_id = c.id AND m.status = 'pending'
           WHERE c.status IN ('pending', 'running') AND (m.leased_until IS NULL OR m.leased_until < now())) AS "isAnyDue",
         (SELECT c.id FROM calibrations c WHERE c.status = 'running' AND NOT EXISTS (
           SELECT FROM calibration_marks m WHERE m.calibration_id = c.id AND m.status = 'pending') LIMIT 1) AS "allMarked"`,
    );
    return row ?? { isAnyDue: false, allMarked: null };
  }

  /** The calibrations that are not over, the oldest first. */
  live(): Promise<LiveCalibration[]> {
    return this.database.engine.query<LiveCalibration>(
      `SELECT id, judge, judge_model AS "judgeModel" FROM calibrations WHERE status IN ('pending', 'running')
       ORDER BY created_at, id LIMIT $1`,
      [MOST_LIVE],
    );
  }

  /** Claims up to `limit` of these calibrations that are due, the oldest calibration first, repeat by repeat. */
  claim(limit: number, calibrationIds: readonly string[]): Promise<readonly ClaimedMark[]> {
    return this.database.engine.query<ClaimedMark>(
      `WITH due AS (
         SELECT m.calibration_id, m.position, m.repeat FROM calibrations c
         JOIN calibration_marks m ON m.calibration_id = c.id AND m.status = 'pending'
         WHERE c.id = ANY($3::uuid[]) AND c.status IN ('pending', 'running')
           AND (m.leased_until IS NULL OR m.leased_until < now())
         ORDER BY c.created_at, c.id, m.repeat, m.position LIMIT $1 FOR UPDATE OF m SKIP LOCKED),
       begun AS (
         UPDATE calibrations SET status = 'running', started_at = coalesce(started_at, now())
         WHERE status = 'pending' AND id IN (SELECT calibration_id FROM due))
       UPDATE calibration_marks m SET claim = gen_random_uuid(), attempts = m.attempts + 1,
         leased_until = now() + make_interval(secs => $2)
       FROM due, calibrations c, calibration_items i
       WHERE m.calibration_id = due.calibration_id AND m.position = due.position AND m.repeat = due.repeat
         AND c.id = m.calibration_id AND i.calibration_id = m.calibration_id AND i.position = m.position
       RETURNING m.calibration_id AS "calibrationId", m.position, m.repeat, m.claim, m.attempts AS attempt,
         m.seed::float8 AS seed, c.judge, c.judge_model AS "judgeModel", i.transcript, i.criteria, i.rubric_scale AS "rubricScale",
         i.region`,
      [limit, LEASE_SECONDS, calibrationIds],
    );
  }

  /** Renews leases. Answers the claims that still hold: their calibration goes on, and no other process has claimed them. */
  async renew(claims: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.engine.query<{ claim: string }>(
      `UPDATE calibration_marks m SET leased_until = now() + make_interval(secs => $2) FROM calibrations c
       WHERE m.claim = ANY($1::uuid[]) AND m.status = 'pending' AND c.id = m.calibration_id AND c.status = 'running'
       RETURNING m.claim`,
      [claims, LEASE_SECONDS],
    );
    return new Set(rows.map(({ claim }) => claim));
  }

  /** Does nothing when the claim is lost, or the calibration over. */
  async settle({ calibrationId, position, repeat, claim }: ClaimedMark, outcome: MarkOutcome): Promise<void> {
    const isMarked = outcome.kind === 'marked';
    await this.database.engine.query(
      `UPDATE calibration_marks m SET claim = NULL, leased_until = NULL, status = $5, criteria = $6, record = $7,
         error_kind = $8, error_message = $9, marked_at = now()
       FROM calibrations c WHERE m.calibration_id = $1 AND m.position = $2 AND m.repeat = $3 AND m.claim = $4
         AND c.id = m.calibration_id AND c.status = 'running'`,
      [
        calibrationId,
        position,
        repeat,
        claim,
        outcome.kind,
        isMarked ? toStorableJson(outcome.criteria) : null,
        outcome.record === null ? null : toStorableJson(outcome.record),
        isMarked ? null : outcome.errorKind,
        isMarked ? null : storableText(outcome.message),
      ],
    );
  }

  /** Gives back an examination that has no outcome since this process stops: another process makes it. */
  async giveBack({ calibrationId, position, repeat, claim }: ClaimedMark): Promise<void> {
    await this.database.engine.query(
      `UPDATE calibration_marks SET claim = NULL, leased_until = NULL, attempts = attempts - 1
       WHERE calibration_id = $1 AND position = $2 AND repeat = $3 AND claim = $4`,
      [calibrationId, position, repeat, claim],
    );
  }

  /** Gives all back at a start: no other process can be at work. */
  async giveBackAll(): Promise<void> {
    await this.database.engine.query(
      `UPDATE calibration_marks SET claim = NULL, leased_until = NULL WHERE status = 'pending' AND claim IS NOT NULL`,
    );
  }

  /** In the order in which they were given. */
  labels(calibrationId: string): Promise<LabelledRow[]> {
    return this.database.query<LabelledRow>(
      `SELECT position, item_id AS "itemId", criteria FROM calibration_items WHERE calibration_id = $1 ORDER BY position`,
      [calibrationId],
    );
  }

  /** In the order of transcripts and repeats. */
  settled(calibrationId: string): Promise<SettledMark[]> {
    return this.database.query<SettledMark>(
      `SELECT position, repeat, seed, status, criteria AS marks, record, error_kind AS "errorKind", error_message AS "errorMessage"
       FROM calibration_marks WHERE calibration_id = $1 AND status <> 'pending' ORDER BY position, repeat`,
      [calibrationId],
    );
  }

  /** Stores the result once: every process computes the same. */
  async complete(calibrationId: string, result: object): Promise<void> {
    await this.database.query(
      `UPDATE calibrations SET status = 'completed', result = $2, completed_at = now() WHERE id = $1 AND status = 'running'`,
      [calibrationId, toStorableJson(result)],
    );
  }

  /** Ends a calibration that cannot go on, or of which nothing could be marked. */
  async fail(calibrationId: string, message: string, result: object | null = null): Promise<void> {
    await this.database.query(
      `UPDATE calibrations SET status = 'failed', error_message = $2, result = $3, completed_at = now()
       WHERE id = $1 AND status IN ('pending', 'running')`,
      [calibrationId, storableText(message), result === null ? null : toStorableJson(result)],
    );
  }
}
