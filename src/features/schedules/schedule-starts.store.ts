import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { Database, type Part, type Queryable } from '../../platform/database';
import type { ClaimedJob, JobTable } from '../../platform/jobs';
import { storableText, toStorableJson } from '../../platform/storable-text';
import { ScheduleStartEntity, type ScheduleEntity } from './schedule.entity';
import type { GateVerdict, GateView, StartOutcome } from '../../../contract/schedules';

/** A start that is noted in the history of its schedule. */
export interface NewStart {
  readonly scheduleId: string;
  readonly dueAt: Date;
  readonly isManual: boolean;
  readonly outcome: StartOutcome;
  readonly sentence: string | null;
  readonly testRunId: string | null;
  /** Null when there is none, or nothing to measure by it. */
  readonly gate: GateView | null;
  /** Of several that were missed: how many, and when the last one was due. */
  readonly missed?: { readonly count: number; readonly until: Date };
}

/** A run that is to be measured by the gate of its schedule. */
export interface GatedStart {
  readonly scheduleId: string;
  readonly scheduleName: string;
  readonly testRunId: string;
  readonly gate: GateView;
}

/** The starts of a schedule that stay in its history. */
const KEPT_STARTS = 500;

const FINAL = `('completed', 'failed', 'canceled')`;

/** Gates as jobs: due once their run has ended, or is gone. */
export const GATES: JobTable = {
  name: 'schedule_starts',
  key: 'id',
  keepsRows: true,
  due: `
    SELECT s.id AS key, s.next_attempt_at AS due_at FROM schedule_starts s LEFT JOIN test_runs r ON r.id = s.test_run_id
    WHERE s.next_attempt_at <= now() AND (r.id IS NULL OR r.status IN ${FINAL})
    ORDER BY s.next_attempt_at LIMIT $1 FOR UPDATE OF s SKIP LOCKED`,
};

/** What became of the starts of schedules, and the fence that lets each happen once. */
@Injectable()
export class ScheduleStartsStore {
  constructor(private readonly database: Database) {}

  /**
   * Claims the start that is due at `nextAt`, by moving the schedule on to the one after it. False when another process has, or when the
   * schedule was changed, paused or deleted after it was read.
   */
  async moveOn(
    tx: Queryable,
    { id, nextAt, revision }: Pick<ScheduleEntity, 'id' | 'nextAt' | 'revision'>,
    next: Date | null,
  ): Promise<boolean> {
    const moved = await tx.query(
      `WITH moved AS (
         UPDATE schedules SET next_at = $4 WHERE id = $1 AND next_at = $2 AND revision = $3 RETURNING 1)
       SELECT 1 FROM moved`,
      [id, nextAt, revision, next],
    );
    return moved.length > 0;
  }

  /** Holds a schedule, so that what is started of it is decided one at a time. False when it is gone. */
  async hold(tx: Queryable, scheduleId: string): Promise<boolean> {
    return (await tx.query('SELECT 1 FROM schedules WHERE id = $1 FOR NO KEY UPDATE', [scheduleId])).length > 0;
  }

  /** Whether this process has stored the run: an earlier try has, if its answer was lost. */
  async isStoredBy(tx: Queryable, testRunId: string, owner: string): Promise<boolean> {
    const rows = await tx.query('SELECT 1 FROM test_runs WHERE id = $1 AND owner = $2', [testRunId, owner]);
    return rows.length > 0;
  }

  /** The label of a run of this schedule that is still going, other than that one. */
  async underWay(
    scheduleId: string,
    tx: Queryable = this.database,
    except: string | null = null,
  ): Promise<string | null> {
    const [run] = await tx.query<{ label: string }>(
      `SELECT r.label FROM schedule_starts s JOIN test_runs r ON r.id = s.test_run_id
       WHERE s.schedule_id = $1 AND s.test_run_id IS NOT NULL AND r.status NOT IN ${FINAL} AND r.id IS DISTINCT FROM $2::uuid
       ORDER BY s.noted_at DESC LIMIT 1`,
      [scheduleId, except],
    );
    return run?.label ?? null;
  }

  /** Adds it to the history. False when what was due at that time is there already. Safe to repeat for a run. */
  async note(tx: Queryable, start: NewStart): Promise<boolean> {
    const { scheduleId, dueAt, isManual, outcome, sentence, testRunId, gate, missed } = start;
    const noted = await tx.query(
      `WITH noted AS (
         INSERT INTO schedule_starts (schedule_id, due_at, is_manual, outcome, sentence, test_run_id, missed, missed_until, gate,
           gate_verdict, next_attempt_at)
         SELECT $1::uuid, $2::timestamptz, $3::boolean, $4::text, $5::text, $6::uuid, $7::int, $8::timestamptz, $9::json, CASE WHEN $9::json IS NOT NULL THEN 'pending' END,
           CASE WHEN $9::json IS NOT NULL THEN now() END
         WHERE NOT EXISTS (SELECT FROM schedule_starts WHERE schedule_id = $1::uuid AND test_run_id = $6::uuid)
         ON CONFLICT DO NOTHING RETURNING 1)
       SELECT 1 FROM noted`,
      [
        ...[scheduleId, dueAt, isManual, outcome, sentence === null ? null : storableText(sentence), testRunId],
        ...[missed?.count ?? null, missed?.until ?? null, gate === null ? null : toStorableJson(gate)],
      ],
    );
    await tx.query(
      `DELETE FROM schedule_starts WHERE schedule_id = $1 AND id IN (
         SELECT id FROM schedule_starts WHERE schedule_id = $1 ORDER BY noted_at DESC, id OFFSET ${KEPT_STARTS})`,
      [scheduleId],
    );
    return noted.length > 0;
  }

  /** Newest first. */
  list(scheduleId: string, { limit, offset }: Part): Promise<ScheduleStartEntity[]> {
    return this.starts.find({
      where: { scheduleId },
      order: { notedAt: 'DESC', dueAt: 'DESC', id: 'ASC' },
      take: limit,
      skip: offset,
    });
  }

  count(scheduleId: string): Promise<number> {
    return this.starts.countBy({ scheduleId });
  }

  /** The newest start of each, by schedule. */
  async newestOf(scheduleIds: readonly string[]): Promise<ReadonlyMap<string, ScheduleStartEntity>> {
    if (scheduleIds.length === 0) return new Map();
    const newest = await this.starts
      .createQueryBuilder('start')
      .distinctOn(['start.scheduleId'])
      .where('start.scheduleId IN (:...scheduleIds)', { scheduleIds })
      .orderBy({ 'start.scheduleId': 'ASC', 'start.notedAt': 'DESC', 'start.dueAt': 'DESC', 'start.id': 'ASC' })
      .getMany();
    return new Map(newest.map((start) => [start.scheduleId, start]));
  }

  /** Null when its schedule was deleted. */
  async gated({ key }: ClaimedJob): Promise<GatedStart | null> {
    const [start] = await this.database.query<GatedStart>(
      `SELECT s.schedule_id AS "scheduleId", c.name AS "scheduleName", s.test_run_id AS "testRunId", s.gate
       FROM schedule_starts s JOIN schedules c ON c.id = s.schedule_id WHERE s.id = $1`,
      [key],
    );
    return start ?? null;
  }

  async decide(tx: Queryable, id: string, verdict: GateVerdict, sentence: string): Promise<void> {
    await tx.query('UPDATE schedule_starts SET gate_verdict = $2, gate_sentence = $3 WHERE id = $1', [
      id,
      verdict,
      storableText(sentence),
    ]);
  }

  private get starts(): Repository<ScheduleStartEntity> {
    return this.database.dataSource.getRepository(ScheduleStartEntity);
  }
}
