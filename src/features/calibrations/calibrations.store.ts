import { Injectable } from '@nestjs/common';
import type { ScenarioRunMetadata } from '../../../contract/scenario-run-metadata';
import type { CriterionResult, Decision, TestRunStatus } from '../../domain';
import type { ExaminerDocument } from '../../engine/ledger';
import { type Queryable, Database, isUuid } from '../../platform/database';
import { toStorableJson } from '../../platform/storable-text';

export interface StoredCriterion {
  readonly criterion: string;
  readonly points: number;
  readonly tags: readonly string[];
  readonly by_turn?: number | undefined;
  readonly labels: readonly { readonly rater: string; readonly decision: Decision }[];
  readonly doubtful: boolean;
}

/** What is kept beside the run of a calibration. */
export interface NewCalibration {
  /** Of its run. */
  readonly id: string;
  readonly source: 'given' | 'starter_set';
  /** In the order of the run's first repeat. */
  readonly items: readonly { readonly id: string; readonly criteria: readonly StoredCriterion[] }[];
}

/** A calibration as its run tells it. */
export interface CalibrationRow {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly repeats: number;
  readonly criteria: number;
  /** As asked for, with its prefix; null for the one that is set up. */
  readonly judgeModel: string | null;
  /** The judge that it is about. */
  readonly judge: ExaminerDocument;
  readonly result: Record<string, unknown> | null;
  readonly status: TestRunStatus;
  readonly errorMessage: string | null;
  /** Transcripts times repeats. */
  readonly total: number;
  readonly marked: number;
  readonly failed: number;
  /** Not marked any more, since the run ended before. */
  readonly canceled: number;
  readonly createdAt: Date;
  /** When its first examination began; null before. */
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

export interface LabelledRow {
  readonly position: number;
  readonly itemId: string;
  readonly criteria: readonly StoredCriterion[];
}

/** An examination that is over, with the labels it is compared with. */
export interface SettledMark {
  /** Of its transcript. */
  readonly position: number;
  readonly repeat: number;
  readonly seed: number;
  /** In the order of the transcript's criteria; null when it failed. */
  readonly marks: readonly Pick<CriterionResult, 'decision' | 'rationale' | 'evidence' | 'disputed'>[] | null;
  /** What it had cost and found, as far as it had begun. */
  readonly record: ScenarioRunMetadata;
  /** Null when it came to marks. */
  readonly errorKind: string | null;
  readonly errorMessage: string | null;
}

/** One that is completed, as statistics show it. */
export interface CompletedCalibration {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly judge: ExaminerDocument;
  readonly transcripts: number;
  /** The agreement in its result, as the API answers it. */
  readonly agreement: unknown;
  readonly controls: unknown;
  readonly completedAt: Date;
}

/** The event after the first one of a run is the beginning of its first examination, unless nothing has begun before its end. */
const ROWS = `
  SELECT t.id, t.name, c.source, t.trials AS repeats, c.criteria, t.judge_model AS "judgeModel", t.calibrated_judge AS judge, c.result,
         t.status, t.error_message AS "errorMessage", t.total_scenarios AS total, t.passed_count + t.failed_count AS marked,
         t.error_count AS failed, t.canceled_count AS canceled, t.created_at AS "createdAt", t.completed_at AS "completedAt",
         (SELECT e.at FROM run_log e WHERE e.test_run_id = t.id AND e.seq = 2 AND e.type = 'scenario_started') AS "startedAt"
  FROM test_runs t JOIN calibrations c ON c.id = t.id WHERE t.calibrated_judge IS NOT NULL`;

/** Calibrations: runs with labels beside them. An id that is not a UUID is an id that no calibration has. */
@Injectable()
export class CalibrationsStore {
  constructor(private readonly database: Database) {}

  /** Stores what belongs to a run that is stored in the same transaction. Safe to repeat. Answers it with its run. */
  async add(tx: Queryable, { id, source, items }: NewCalibration): Promise<CalibrationRow> {
    const criteria = items.reduce((sum, item) => sum + item.criteria.length, 0);
    await tx.query('INSERT INTO calibrations (id, source, criteria) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
      id,
      source,
      criteria,
    ]);
    await tx.query(
      `INSERT INTO calibration_items (calibration_id, position, item_id, criteria)
       SELECT $1, place, item->>'id', item->'criteria' FROM json_array_elements($2::json) WITH ORDINALITY AS given (item, place)
       ON CONFLICT DO NOTHING`,
      [id, toStorableJson(items.map((item) => ({ id: item.id, criteria: item.criteria })))],
    );
    const [row] = await tx.query<CalibrationRow>(`${ROWS} AND t.id = $1`, [id]);
    if (row === undefined) throw new Error('A calibration was stored without its run.');
    return row;
  }

  async find(id: string): Promise<CalibrationRow | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.database.query<CalibrationRow>(`${ROWS} AND t.id = $1`, [id]);
    return row ?? null;
  }

  /** Newest first. */
  list(limit: number, offset: number): Promise<CalibrationRow[]> {
    return this.database.query<CalibrationRow>(`${ROWS} ORDER BY t.created_at DESC, t.id LIMIT $1 OFFSET $2`, [
      limit,
      offset,
    ]);
  }

  async count(): Promise<number> {
    const [row] = await this.database.query<{ total: number }>('SELECT count(*)::int AS total FROM calibrations');
    return row?.total ?? 0;
  }

  /**
   * One of which everything is marked or has failed, and which has no result yet; null when there is none. Any of them: one whose
   * result cannot be computed holds up no other.
   */
  async findUnfinished(): Promise<string | null> {
    const [row] = await this.database.engine.query<{ id: string }>(
      `SELECT c.id FROM calibrations c JOIN test_runs t ON t.id = c.id
       WHERE c.result IS NULL AND t.status IN ('completed', 'failed') AND t.canceled_count = 0 ORDER BY random() LIMIT 1`,
    );
    return row?.id ?? null;
  }

  /** In the order in which they were given. */
  labels(id: string): Promise<LabelledRow[]> {
    return this.database.query<LabelledRow>(
      `SELECT position, item_id AS "itemId", criteria FROM calibration_items WHERE calibration_id = $1 ORDER BY position`,
      [id],
    );
  }

  /** In the order of transcripts and repeats. */
  settled(id: string): Promise<SettledMark[]> {
    return this.database.query<SettledMark>(
      `SELECT (s.position - 1) % (t.total_scenarios / t.trials) + 1 AS position, s.trial AS repeat,
              (s.examination->>'seed')::float8 AS seed, s.criteria_results AS marks, s.metadata AS record,
              CASE WHEN s.status = 'error' THEN COALESCE(s.metadata->>'judge_failure', s.error_code) END AS "errorKind",
              s.error_message AS "errorMessage"
       FROM scenario_runs s JOIN test_runs t ON t.id = s.test_run_id
       WHERE s.test_run_id = $1 AND s.status IN ('passed', 'failed', 'error') ORDER BY 1, 2`,
      [id],
    );
  }

  /** Stores the result once: every process computes the same. */
  async complete(id: string, result: object): Promise<void> {
    await this.database.query('UPDATE calibrations SET result = $2 WHERE id = $1 AND result IS NULL', [
      id,
      toStorableJson(result),
    ]);
  }

  /** The newest of this judge; if there is none, the newest of the same vendor, or of the same kind if offline. */
  async newestFor({ name, model, prompt_version }: ExaminerDocument): Promise<CompletedCalibration | null> {
    const [row] = await this.database.query<CompletedCalibration>(
      `SELECT t.id, t.name, c.source, t.calibrated_judge AS judge, t.total_scenarios / t.trials AS transcripts,
              c.result->'agreement' AS agreement, c.result->'controls' AS controls, t.completed_at AS "completedAt"
       FROM test_runs t JOIN calibrations c ON c.id = t.id
       WHERE t.calibrated_judge->>'name' = $1 AND t.status = 'completed' AND c.result IS NOT NULL
       ORDER BY (t.calibrated_judge->>'model' IS NOT DISTINCT FROM $2 AND t.calibrated_judge->>'prompt_version' IS NOT DISTINCT FROM $3) DESC,
         (t.calibrated_judge->>'model' IS NOT DISTINCT FROM $2) DESC, t.created_at DESC
       LIMIT 1`,
      [name, model, prompt_version],
    );
    return row ?? null;
  }
}
