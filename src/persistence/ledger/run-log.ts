import type { RunEvent, RunEventFields } from '../../../machines/run-events';
import type { TestRunStatus } from '../../../machines/statuses';
import type { Transaction } from '../database';
import { toStorableJson } from '../json-text';

/** The lock under which everything about a run is written. */
export interface LockedRun {
  readonly id: string;
  readonly status: TestRunStatus;
  readonly attempt: number;
  readonly owner: string | null;
  lastSeq: number;
}

/**
 * Locks the runs in a fixed order. Every writer of a run takes this lock first, so there are no deadlocks, and an event
 * with a higher number never becomes visible before one with a lower number (invariant 8).
 */
export async function lockRuns(tx: Transaction, ids: readonly string[]): Promise<Map<string, LockedRun>> {
  const rows = await tx.query<{
    id: string;
    status: TestRunStatus;
    attempt: number;
    owner: string | null;
    last_seq: string;
  }>('SELECT id, status, attempt, owner, last_seq FROM test_runs WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE', [
    [...new Set(ids)],
  ]);
  return new Map(rows.map(({ last_seq, ...row }) => [row.id, { ...row, lastSeq: Number(last_seq) }]));
}

export interface RunEventEntry {
  readonly run: LockedRun;
  readonly fields: RunEventFields;
}

/** Numbers and stores events of locked runs; the caller tells them once the transaction has committed. */
export async function appendEvents(tx: Transaction, entries: readonly RunEventEntry[]): Promise<RunEvent[]> {
  if (entries.length === 0) return [];
  const numbered = entries.map(({ run, fields }) => {
    run.lastSeq += 1;
    return { run_id: run.id, seq: run.lastSeq, type: fields.type, fields };
  });
  const [row] = await tx.query<{ at: Date }>(
    `WITH entry AS MATERIALIZED (
       SELECT * FROM json_to_recordset($1::json) AS e(run_id uuid, seq bigint, type text, fields json)
     ), clock AS MATERIALIZED (
       SELECT clock_timestamp()::timestamptz(3) AS at
     ), logged AS (
       INSERT INTO run_events (test_run_id, seq, type, at, fields)
       SELECT e.run_id, e.seq, e.type, clock.at, e.fields FROM entry e, clock
     ), counted AS (
       UPDATE test_runs t SET last_seq = latest.seq
       FROM (SELECT run_id, max(seq) AS seq FROM entry GROUP BY run_id) latest WHERE t.id = latest.run_id
     )
     SELECT at FROM clock`,
    [toStorableJson(numbered)],
  );
  const at = (row?.at ?? new Date()).toISOString();
  return numbered.map(({ run_id, seq, fields }) => ({ ...fields, run_id, seq, at }));
}
