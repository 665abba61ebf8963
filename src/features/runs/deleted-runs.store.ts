import { addAuditRecords, type AuditDraft } from '../audit/audit.store';
import type { Transaction } from '../../platform/database';
import { SHOWN_RUNS } from '../../engine/ledger';
import { deletePiecesOf } from '../speech/kept-recordings';

/** What a piece, or several together, took away. */
export interface Cleared {
  /** Runs of which nothing is left. */
  readonly runs: number;
  readonly scenarioRuns: number;
  readonly turns: number;
  readonly events: number;
  readonly recordingPieces: number;
}

export const NOTHING_CLEARED: Cleared = { runs: 0, scenarioRuns: 0, turns: 0, events: 0, recordingPieces: 0 };

/** Rows of a piece: some ten milliseconds on an ordinary disk. A scenario run goes with its turns, reviews, screenshot and who was shown its marks. */
const EVENTS_A_PIECE = 1_000;
const SCENARIO_RUNS_A_PIECE = 50;
/** Runs whose own rows are deleted together. */
const RUNS_AT_ONCE = 20;

/**
 * Deletes a few of the runs that ended longer ago than so many days, the oldest first; answers their ids. Baselines stay. Both
 * clocks have to agree, PostgreSQL's and this process's: one that has jumped ahead by years would have everything deleted, for
 * good. Each deletion leaves a record in the audit trail in the same transaction: what cannot be recorded is not deleted.
 */
export async function deleteOlderThan(
  tx: Transaction,
  days: number,
  clock: Date = new Date(),
): Promise<readonly string[]> {
  // No run ends before it is made: the index by creation finds them without reading the others.
  const old = await tx.query<{ id: string }>(
    `SELECT t.id FROM ${SHOWN_RUNS} t
     WHERE t.created_at < LEAST(now(), $2) - make_interval(days => $1)
       AND t.completed_at < LEAST(now(), $2) - make_interval(days => $1)
       AND t.status IN ('completed', 'failed', 'canceled') AND NOT EXISTS (${BASELINE_OF_T})
     ORDER BY t.created_at LIMIT ${RUNS_AT_ONCE} FOR UPDATE OF t SKIP LOCKED`,
    [days, clock.toISOString()],
  );
  if (old.length === 0) return [];
  // A run that became a baseline just before it was locked is seen as one by a statement of its own.
  const deleted = await tx.query<{ id: string; label: string }>(
    `DELETE FROM test_runs t WHERE t.id = ANY($1::uuid[]) AND NOT EXISTS (${BASELINE_OF_T}) RETURNING t.id, t.label`,
    [old.map(({ id }) => id)],
  );
  await addAuditRecords(
    tx,
    deleted.map(({ id, label }) => deletionByAge([id, label], days)),
  );
  return deleted.map(({ id }) => id);
}

/** Clears away a few rows of what deleted runs have left behind. Null: nothing is left to clear. */
export async function clearDeletedRun(tx: Transaction): Promise<Cleared | null> {
  const [run] = await tx.query<{ id: string }>(
    'SELECT test_run_id AS id FROM deleted_test_runs ORDER BY deleted_at, test_run_id LIMIT 1',
  );
  if (run === undefined) return null;
  const events = await clearEvents(tx, run.id);
  if (events === EVENTS_A_PIECE) return { ...NOTHING_CLEARED, events };
  // A conversation's sound is some megabytes: it goes before its scenario run would take it along.
  const recordingPieces = await deletePiecesOf(tx, run.id);
  if (recordingPieces !== null) return { ...NOTHING_CLEARED, events, recordingPieces };
  const { scenarioRuns, turns } = await clearScenarioRuns(tx, run.id);
  if (scenarioRuns === SCENARIO_RUNS_A_PIECE) return { ...NOTHING_CLEARED, scenarioRuns, turns, events };
  await tx.query(
    `WITH examiners AS (DELETE FROM run_examiners WHERE test_run_id = $1),
       shown AS (DELETE FROM shown_marks WHERE test_run_id = $1)
     DELETE FROM deleted_test_runs WHERE test_run_id = $1`,
    [run.id],
  );
  return { ...NOTHING_CLEARED, runs: 1, scenarioRuns, turns, events };
}

/**
 * The record of the audit trail. It stands among the deletions that people asked for: a search for deletions, or for the run by
 * its id or its label, finds it too. A key's name has no space in it but before a number, so no key can be called `the service`.
 */
function deletionByAge(names: readonly string[], days: number): AuditDraft {
  return {
    who: 'the service',
    role: 'retention',
    address: null,
    method: 'DELETE',
    route: `RETENTION_DAYS=${days}`,
    resource: 'tests',
    resource_ids: names,
    fields: [],
    request_id: null,
    // As a request for it is answered.
    status: 204,
  };
}

const BASELINE_OF_T = 'SELECT FROM agents a WHERE a.baseline_test_run_id = t.id AND a.deleted_at IS NULL';

/** The last ones first: a subscriber who is still reading gets events without gaps, and then the end of its stream. */
async function clearEvents(tx: Transaction, testRunId: string): Promise<number> {
  const [row] = await tx.query<{ events: number }>(
    `WITH gone AS (
       DELETE FROM run_log WHERE test_run_id = $1 AND seq IN (
         SELECT seq FROM run_log WHERE test_run_id = $1 ORDER BY seq DESC LIMIT ${EVENTS_A_PIECE})
       RETURNING 1)
     SELECT count(*)::int AS events FROM gone`,
    [testRunId],
  );
  return row?.events ?? 0;
}

async function clearScenarioRuns(tx: Transaction, testRunId: string): Promise<{ scenarioRuns: number; turns: number }> {
  const [row] = await tx.query<{ scenarioRuns: number; turns: number }>(
    `WITH piece AS MATERIALIZED (
       SELECT id FROM scenario_runs WHERE test_run_id = $1 ORDER BY position LIMIT ${SCENARIO_RUNS_A_PIECE}
     ), said AS (
       DELETE FROM turns u USING piece WHERE u.scenario_run_id = piece.id RETURNING 1
     ), shown AS (
       DELETE FROM shown_marks m USING piece WHERE m.test_run_id = $1 AND m.subject_id = piece.id
     ), gone AS (
       DELETE FROM scenario_runs s USING piece WHERE s.id = piece.id RETURNING 1
     )
     SELECT (SELECT count(*) FROM gone)::int AS "scenarioRuns", (SELECT count(*) FROM said)::int AS turns`,
    [testRunId],
  );
  return row ?? { scenarioRuns: 0, turns: 0 };
}
