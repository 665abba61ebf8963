import { Injectable } from '@nestjs/common';
import type { Region } from '../../domain/region';
import type { Decision } from '../../domain/rubric';
import { Database } from '../../platform/database/database';
import { CalibrationEntity } from './calibration.entity';
import { toStorableJson } from '../../platform/database/storable-text';
import type { ExaminerDocument } from '../../engine/ledger/run-examiners.store';
import { isUuid } from '../../platform/database/uuid';
import { ALONE, statementsOf, type WriteWith } from '../../platform/database/connections';

export const CALIBRATION_STATUSES = ['pending', 'running', 'completed', 'failed', 'canceled'] as const;
export type CalibrationStatus = (typeof CALIBRATION_STATUSES)[number];

export interface StoredMessage {
  readonly role: string;
  readonly content: string;
}

export interface StoredCriterion {
  readonly criterion: string;
  readonly points: number;
  readonly tags: readonly string[];
  readonly by_turn?: number | undefined;
  readonly labels: readonly { readonly rater: string; readonly decision: Decision }[];
  readonly doubtful: boolean;
}

export interface StoredItem {
  readonly id: string;
  readonly transcript: readonly StoredMessage[];
  readonly criteria: readonly StoredCriterion[];
  readonly rubric_scale?: 'binary' | undefined;
  readonly region?: Region | undefined;
}

export interface NewCalibration {
  readonly name: string;
  readonly source: 'given' | 'starter_set';
  readonly repeats: number;
  readonly judgeModel: string | null;
  readonly judge: ExaminerDocument;
  readonly items: readonly StoredItem[];
  /** The seed of each repeat, from the first: repeats with the same seed see the criteria in the same order. */
  readonly seeds: readonly number[];
}

/** How many examinations there are in each state. */
export interface MarkCounts {
  readonly total: number;
  readonly marked: number;
  readonly failed: number;
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

/** Calibrations with their labelled transcripts. An id that is not a UUID is an id that no calibration has. */
@Injectable()
export class CalibrationsStore {
  constructor(private readonly database: Database) {}

  /** Stores a calibration with all examinations that it needs, or nothing. */
  create(calibration: NewCalibration, also: WriteWith<CalibrationEntity> = ALONE): Promise<CalibrationEntity> {
    const { items, seeds, ...fields } = calibration;
    return this.database.dataSource.transaction(async (manager) => {
      const entity = Object.assign(new CalibrationEntity(), fields, {
        judge: { ...fields.judge },
        transcripts: items.length,
        criteria: items.reduce((sum, { criteria }) => sum + criteria.length, 0),
      });
      const { id } = await manager.save(entity);
      const tx = statementsOf(manager);
      await tx.query(
        `INSERT INTO calibration_items (calibration_id, position, item_id, transcript, criteria, rubric_scale, region)
         SELECT $1, place - 1, item->>'id', item->'transcript', item->'criteria', item->>'rubric_scale', item->>'region'
         FROM json_array_elements($2::json) WITH ORDINALITY AS given (item, place)`,
        [id, toStorableJson(items)],
      );
      await tx.query(
        `INSERT INTO calibration_marks (calibration_id, position, repeat, seed)
         SELECT $1, position, repeat, seed FROM generate_series(0, $2::int - 1) AS position
         CROSS JOIN unnest($3::bigint[]) WITH ORDINALITY AS repeats (seed, repeat)`,
        [id, items.length, seeds],
      );
      const stored = await manager.findOneByOrFail(CalibrationEntity, { id });
      await also(tx, stored);
      return stored;
    });
  }

  async find(id: string): Promise<CalibrationEntity | null> {
    return isUuid(id) ? this.calibrations.findOneBy({ id }) : null;
  }

  /** Newest first. */
  list(limit: number, offset: number): Promise<CalibrationEntity[]> {
    return this.calibrations.find({ order: { createdAt: 'DESC', id: 'ASC' }, take: limit, skip: offset });
  }

  count(): Promise<number> {
    return this.calibrations.count();
  }

  /** By id. */
  async marksOf(ids: readonly string[]): Promise<Map<string, MarkCounts>> {
    const rows = await this.database.query<MarkCounts & { readonly id: string }>(
      `SELECT calibration_id AS id, count(*)::int AS total, count(*) FILTER (WHERE status = 'marked')::int AS marked,
         count(*) FILTER (WHERE status = 'failed')::int AS failed
       FROM calibration_marks WHERE calibration_id = ANY($1::uuid[]) GROUP BY calibration_id`,
      [ids],
    );
    return new Map(rows.map(({ id, ...counts }) => [id, counts]));
  }

  /** Cancels it: nothing is marked any more. One that is over stays as it is. Answers it as it is then; null when unknown. */
  async cancel(id: string): Promise<CalibrationEntity | null> {
    if (!isUuid(id)) return null;
    await this.database.query(
      `UPDATE calibrations SET status = 'canceled', completed_at = now() WHERE id = $1 AND status IN ('pending', 'running')`,
      [id],
    );
    return this.find(id);
  }

  /** With its transcripts and marks. False when unknown. */
  async delete(id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { affected } = await this.calibrations.delete({ id });
    return affected === 1;
  }

  /** The newest of this judge; if there is none, the newest of the same vendor, or of the same kind if offline. */
  async newestFor({ name, model, prompt_version }: ExaminerDocument): Promise<CompletedCalibration | null> {
    const [row] = await this.database.query<CompletedCalibration>(
      `SELECT id, name, source, judge, transcripts, result->'agreement' AS agreement, result->'controls' AS controls, completed_at AS "completedAt" FROM calibrations
       WHERE status = 'completed' AND judge->>'name' = $1
       ORDER BY (judge->>'model' IS NOT DISTINCT FROM $2 AND judge->>'prompt_version' IS NOT DISTINCT FROM $3) DESC,
         (judge->>'model' IS NOT DISTINCT FROM $2) DESC, created_at DESC
       LIMIT 1`,
      [name, model, prompt_version],
    );
    return row ?? null;
  }

  private get calibrations() {
    return this.database.dataSource.getRepository(CalibrationEntity);
  }
}
