import type { Transaction } from '../../platform/database';
import { SHOWN_RUNS } from '../../engine/ledger';
import { RECORDING_RATE } from '../../../contract/recordings';
import type { StoredCriterionResult } from '../runs/scenario-runs.store';
import { RECORDED_ATTEMPT } from './recordings.store';
import { readSpoken, TimedReply } from '../../engine/measures';

/** Pieces that are deleted in one transaction: some ten megabytes. */
const PIECES_AT_ONCE = 100;
/** What is heard around a sentence belongs to it. */
const MARGIN_MS = 1_000;

/**
 * Deletes a few of the pieces that were kept longer ago than so many days, by PostgreSQL's clock and by that of this process. Null: there
 * are none.
 */
export async function deleteOldPieces(tx: Transaction, days: number, clock: Date = new Date()): Promise<number | null> {
  const [row] = await tx.query<{ gone: number }>(
    `WITH old AS (
       SELECT scenario_run_id, attempt, track, first_sample FROM recording_pieces
       WHERE kept_at < LEAST(now(), $2) - make_interval(days => $1) ORDER BY kept_at LIMIT ${PIECES_AT_ONCE}
     ), gone AS (DELETE FROM recording_pieces p USING old WHERE ${SAME_PIECE} RETURNING 1)
     SELECT count(*)::int AS gone FROM gone`,
    [days, clock.toISOString()],
  );
  return orNull(row?.gone);
}

/** A few of the pieces that belong to a run. Null: there are none. */
export async function deletePiecesOf(tx: Transaction, testRunId: string): Promise<number | null> {
  const [row] = await tx.query<{ gone: number }>(
    `WITH old AS (
       SELECT p.scenario_run_id, p.attempt, p.track, p.first_sample FROM recording_pieces p
       JOIN scenario_runs s ON s.id = p.scenario_run_id WHERE s.test_run_id = $1 LIMIT ${PIECES_AT_ONCE}
     ), gone AS (DELETE FROM recording_pieces p USING old WHERE ${SAME_PIECE} RETURNING 1)
     SELECT count(*)::int AS gone FROM gone`,
    [testRunId],
  );
  return orNull(row?.gone);
}

const SAME_PIECE = `p.scenario_run_id = old.scenario_run_id AND p.attempt = old.attempt AND p.track = old.track
       AND p.first_sample = old.first_sample`;

function orNull(deleted: number | undefined): number | null {
  return deleted === undefined || deleted === 0 ? null : deleted;
}

/**
 * Deletes the pieces of one conversation, of a run that has ended, that hold no evidence of a mark, and all of an attempt that held another
 * conversation. Null: there is no conversation left to decide about.
 * @param keeps `none`: those that hold evidence go, too
 */
export async function pruneConversation(tx: Transaction, keeps: 'evidence' | 'none'): Promise<number | null> {
  const [conversation] = await tx.query<Undecided>(UNDECIDED);
  if (conversation === undefined) return null;
  const parts = keeps === 'none' ? [] : evidenceIn(conversation);
  const [row] = await tx.query<{ gone: number }>(
    `WITH held AS (SELECT * FROM unnest($2::float8[], $3::float8[]) AS part(start, stop)),
       gone AS (
         DELETE FROM recording_pieces p WHERE p.scenario_run_id = $1 AND (p.attempt <> $4 OR NOT EXISTS (
           SELECT FROM held WHERE held.start < p.first_sample + p.samples AND held.stop > p.first_sample))
         RETURNING 1),
       kept AS (
         UPDATE recording_pieces p SET holds_evidence = true WHERE p.scenario_run_id = $1 AND p.attempt = $4 AND EXISTS (
           SELECT FROM held WHERE held.start < p.first_sample + p.samples AND held.stop > p.first_sample))
     SELECT count(*)::int AS gone FROM gone`,
    [conversation.id, parts.map(({ from }) => from), parts.map(({ to }) => to), conversation.recorded_attempt],
  );
  return row?.gone ?? 0;
}

interface Undecided {
  readonly id: string;
  readonly recorded_attempt: number;
  readonly criteria_results: readonly StoredCriterionResult[] | null;
  readonly turns: readonly { readonly turn: number; readonly replied: string; readonly spoken: unknown }[];
}

const UNDECIDED = `
  SELECT s.id, s.criteria_results, ${RECORDED_ATTEMPT} AS recorded_attempt,
    coalesce((SELECT json_agg(json_build_object('turn', u.turn, 'replied', u.agent_message, 'spoken', u.metadata->'spoken') ORDER BY u.turn)
      FROM turns u WHERE u.scenario_run_id = s.id AND u.conversation = s.conversation), '[]') AS turns
  FROM recording_pieces p JOIN scenario_runs s ON s.id = p.scenario_run_id JOIN ${SHOWN_RUNS} t ON t.id = s.test_run_id
  WHERE NOT p.holds_evidence AND t.status IN ('completed', 'failed', 'canceled') LIMIT 1`;

/** The parts of a call, in samples, in which something was said that a mark rests on. */
function evidenceIn({ criteria_results, turns }: Undecided): { readonly from: number; readonly to: number }[] {
  const byTurn = new Map(
    turns.flatMap(({ turn, replied, spoken: stored }) => {
      const spoken = readSpoken(stored);
      return spoken === null
        ? []
        : [[turn, { spoken, reply: new TimedReply(replied, spoken.agent_sentences) }] as const];
    }),
  );
  return (criteria_results ?? []).flatMap(({ evidence }) =>
    evidence.flatMap(({ turn, quote, call }) => {
      const found = byTurn.get(turn);
      if (found === undefined) return [];
      const said = call === undefined ? found.reply.timesOf(quote) : null;
      // Where the times of the words are not known, all of the turn is kept.
      const { from_ms, to_ms } = said ?? {
        from_ms: found.spoken.from_ms,
        to_ms: Math.max(found.spoken.to_ms, found.spoken.agent.at(-1)?.to_ms ?? 0),
      };
      return [{ from: samplesIn(from_ms - MARGIN_MS), to: samplesIn(to_ms + MARGIN_MS) }];
    }),
  );
}

function samplesIn(ms: number): number {
  return Math.round((ms * RECORDING_RATE) / 1_000);
}
