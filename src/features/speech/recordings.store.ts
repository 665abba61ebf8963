import { Injectable } from '@nestjs/common';
import type { Modality, ScenarioRunStatus } from '../../domain';
import { SHOWN_RUNS } from '../../engine/ledger';
import { Database, isUuid } from '../../platform/database';

export type Track = 'patient' | 'agent';

/** Where a piece lies in its track, without its sound. */
export interface PiecePlace {
  readonly track: Track;
  /** Since the call began; RECORDING_RATE of them a second. */
  readonly first_sample: number;
  readonly samples: number;
  readonly sha256: string;
}

/** A piece of the agent's track. */
export type KeptPiece = Omit<PiecePlace, 'track'> & { readonly scenario_run_id: string };

/** The recording of one attempt. */
export interface Recording {
  readonly scenarioRunId: string;
  readonly attempt: number;
  /** In the order of their first samples. */
  readonly pieces: readonly PiecePlace[];
  /** The first sample after all of them. */
  readonly end: number;
}

/** What has to be known of a scenario run before its sound is asked for. */
export interface SpokenConversation {
  readonly id: string;
  readonly test_run_id: string;
  readonly status: ScenarioRunStatus;
  readonly modality: Modality;
  /** The scenario run whose conversation it took over, or a part of it; null where it was held anew, as in a retry. */
  readonly taken_over_from: string | null;
  /** How long ago it ended, in days; null while it is under way. */
  readonly ended_days_ago: number | null;
  readonly timing_error_ms: number | null;
  /** `metadata.spoken.start_ms`; null where it is not kept. */
  readonly start_ms: number | null;
  /** Only what holds evidence of marks is left of it. */
  readonly is_pruned: boolean;
}

/** Pieces whose hashes are compared in one statement: 10 s of sound each at most. */
const PIECES_AT_ONCE = 200;

/**
 * The attempt of a scenario run `s` whose recording is that of its conversation: each turn names the attempt that held it. A conversation that
 * was begun anew keeps none of what was recorded before; one that is only marked by a later attempt keeps all. Without a turn it is the last.
 */
export const RECORDED_ATTEMPT = `COALESCE(
  (SELECT (u.metadata->'spoken'->>'attempt')::int FROM turns u
   WHERE u.scenario_run_id = s.id AND u.conversation = s.conversation AND u.turn = 1),
  CASE WHEN s.turns > 0 THEN s.conversation ELSE s.attempt END)`;

/** Reads what was recorded of spoken conversations. It is written by `src/engine/ledger/recordings.store.ts`. */
@Injectable()
export class RecordingsStore {
  constructor(private readonly database: Database) {}

  /** Null: there is no such scenario run, or its run is deleted. */
  async conversation(scenarioRunId: string): Promise<SpokenConversation | null> {
    if (!isUuid(scenarioRunId)) return null;
    const [row] = await this.database.query<SpokenConversation>(
      `SELECT s.id, s.test_run_id, s.status, t.modality,
         CASE WHEN s.carried OR s.kept_turns IS NOT NULL THEN s.source_scenario_run_id END AS taken_over_from,
         (extract(epoch FROM now() - coalesce(s.completed_at, s.canceled_at)) / 86400)::float8 AS ended_days_ago,
         (t.spoken->>'timing_error_ms')::float8 AS timing_error_ms,
         CASE WHEN json_typeof(s.metadata->'spoken'->'start_ms') = 'number' THEN (s.metadata->'spoken'->>'start_ms')::float8 END AS start_ms,
         EXISTS (SELECT FROM recording_pieces p WHERE p.scenario_run_id = s.id AND p.holds_evidence) AS is_pruned
       FROM scenario_runs s JOIN ${SHOWN_RUNS} t ON t.id = s.test_run_id WHERE s.id = $1`,
      [scenarioRunId],
    );
    return row ?? null;
  }

  /** The pieces of the attempt that held the conversation; null where none are kept. */
  async find(scenarioRunId: string): Promise<Recording | null> {
    const rows = await this.database.query<PiecePlace & { readonly attempt: number }>(
      `SELECT p.attempt, p.track, p.first_sample::float8 AS first_sample, p.samples, p.sha256
       FROM scenario_runs s JOIN recording_pieces p ON p.scenario_run_id = s.id AND p.attempt = ${RECORDED_ATTEMPT}
       WHERE s.id = $1 ORDER BY p.first_sample, p.track`,
      [scenarioRunId],
    );
    const [first] = rows;
    if (first === undefined) return null;
    const pieces = rows.map(({ attempt: _attempt, ...place }) => place);
    const end = pieces.reduce((last, piece) => Math.max(last, piece.first_sample + piece.samples), 0);
    return { scenarioRunId, attempt: first.attempt, pieces, end };
  }

  /** The bytes of a piece; null where it has been deleted meanwhile. */
  async bytesOf({ scenarioRunId, attempt }: Recording, { track, first_sample }: PiecePlace): Promise<Buffer | null> {
    const [row] = await this.database.query<{ readonly bytes: Buffer }>(
      `SELECT bytes FROM recording_pieces
       WHERE scenario_run_id = $1 AND attempt = $2 AND track = $3 AND first_sample = $4`,
      [scenarioRunId, attempt, track, first_sample],
    );
    return row?.bytes ?? null;
  }

  /** Those whose bytes are not what their hash is of, compared by PostgreSQL. */
  async damagedOf({ scenarioRunId, attempt }: Recording, pieces: readonly PiecePlace[]): Promise<PiecePlace[]> {
    const damaged: PiecePlace[] = [];
    for (let at = 0; at < pieces.length; at += PIECES_AT_ONCE) {
      const some = pieces.slice(at, at + PIECES_AT_ONCE);
      damaged.push(
        ...(await this.database.query<PiecePlace>(
          `SELECT p.track, p.first_sample::float8 AS first_sample, p.samples, p.sha256
           FROM unnest($3::text[], $4::bigint[]) AS asked(track, first_sample)
           JOIN recording_pieces p ON p.scenario_run_id = $1 AND p.attempt = $2 AND p.track = asked.track AND p.first_sample = asked.first_sample
           WHERE encode(sha256(p.bytes), 'hex') <> p.sha256`,
          [scenarioRunId, attempt, some.map(({ track }) => track), some.map(({ first_sample }) => first_sample)],
        )),
      );
    }
    return damaged;
  }

  /** The pieces of the agent's track of the conversation of each. */
  agentPieces(scenarioRunIds: readonly string[]): Promise<KeptPiece[]> {
    return this.database.query<KeptPiece>(
      `SELECT p.scenario_run_id, p.first_sample::float8 AS first_sample, p.samples, p.sha256 
       FROM scenario_runs s JOIN recording_pieces p ON p.scenario_run_id = s.id AND p.attempt = ${RECORDED_ATTEMPT}
       WHERE s.id = ANY($1::uuid[]) AND p.track = 'agent'
       ORDER BY p.scenario_run_id, p.first_sample`,
      [scenarioRunIds],
    );
  }

  /** What the service keeps of sound, in bytes on the disk. */
  async bytesOnDisk(): Promise<number> {
    const [row] = await this.database.query<{ readonly bytes: number }>(
      `SELECT pg_total_relation_size('recording_pieces')::float8 AS bytes`,
    );
    return row?.bytes ?? 0;
  }
}
