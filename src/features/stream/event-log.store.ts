import { Injectable } from '@nestjs/common';
import { eventText, isFinalEvent } from '../../domain';
import { Database, isoTime } from '../../platform/database';
import { transcriptUpdate, SHOWN_RUNS } from '../../engine/ledger';

/** An event as it was stored; `json` is the text of the whole RunEvent, without line breaks. */
export interface StoredEvent {
  readonly seq: number;
  readonly type: string;
  readonly json: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Where a run's log ends. */
export interface LogHead {
  /** 0 before the first event. */
  readonly seq: number;
  /** True once the last event the run will ever have is stored. */
  readonly final: boolean;
}

export interface PageLimit {
  readonly events: number;
  /** A page ends with the event that reaches it, so that one large event is still a page. */
  readonly bytes: number;
}

type EventRow = StoredRow & (ReferredTurn | NoTurn);

interface StoredRow {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly fields: string;
}

/** The turn that the event refers to. */
interface ReferredTurn {
  readonly scenario_run_id: string;
  readonly turn: number;
  readonly patient_message: string;
  readonly agent_message: string;
  readonly latency_ms: number | null;
}

/** The event says everything itself. */
interface NoTurn {
  readonly scenario_run_id: null;
}

/** The size of an event and its turn, as they are stored: `octet_length` reads a text's length without the text. */
const BYTES = `(octet_length(e.fields::text) + COALESCE(octet_length(u.patient_message) + octet_length(u.agent_message), 0))::bigint`;

/** Rows are looked up one by one: OFFSET 0 keeps the planner from joining in another way. */
const TURN_OF_EVENT = `LEFT JOIN LATERAL (
    SELECT * FROM turns
    WHERE scenario_run_id = e.scenario_run_id AND conversation = e.conversation AND turn = e.turn OFFSET 0) u ON true`;
const eventAt = (seq: string): string =>
  `CROSS JOIN LATERAL (SELECT * FROM run_log WHERE test_run_id = $1 AND seq = ${seq} OFFSET 0) e ${TURN_OF_EVENT}`;

/**
 * A page of the log after a sequence number: run, number, most events, most bytes. Row after row, each found by the number before it,
 * whatever the planner believes: its statistics may be from before the run began, and it would then expect a row of it or none,
 * and read the whole log of the run for each event of the page.
 */
export const PAGE_OF_LOG = `
  WITH RECURSIVE page AS (
    (SELECT e.seq, ${BYTES} AS bytes, 1 AS events
     FROM run_log e ${TURN_OF_EVENT} WHERE e.test_run_id = $1 AND e.seq > $2 ORDER BY e.seq LIMIT 1)
    UNION ALL
    SELECT e.seq, page.bytes + ${BYTES}, page.events + 1
    FROM page ${eventAt('page.seq + 1')}
    WHERE page.events < $3 AND page.bytes < $4
  )
  SELECT e.seq::float8 AS seq, e.type, e.fields::text AS fields, ${isoTime('e.at')} AS at,
         u.scenario_run_id, u.turn, u.patient_message, u.agent_message, u.latency_ms
  FROM page ${eventAt('page.seq')}
  ORDER BY e.seq`;

/** Reads the log of events. What writes it is `append-run-events`, in the transaction of the change itself. */
@Injectable()
export class EventLogStore {
  constructor(private readonly database: Database) {}

  /**
   * The events after a sequence number, in order. A missing run has none. No event beyond the page is looked at: one may hold
   * hundreds of kilobytes. What was said is read from its turn.
   */
  async readAfter(testRunId: string, afterSeq: number, limit: PageLimit): Promise<StoredEvent[]> {
    const rows = await this.database.query<EventRow>(PAGE_OF_LOG, [testRunId, afterSeq, limit.events, limit.bytes]);
    return rows.map((row) => {
      const { seq, type, at } = row;
      // Stored fields are not parsed, only copied.
      return { seq, type, at, json: eventText(spokenFields(row) ?? row.fields, { run_id: testRunId, seq, at }) };
    });
  }

  /** Where the logs end, in one query; a run that does not exist is missing from the answer. */
  async heads(testRunIds: readonly string[]): Promise<Map<string, LogHead>> {
    const rows = await this.database.query<{ id: string; seq: number; type: string | null }>(
      `SELECT t.id, t.last_seq::float8 AS seq, e.type
       FROM ${SHOWN_RUNS} t LEFT JOIN LATERAL (SELECT type FROM run_log WHERE test_run_id = t.id AND seq = t.last_seq OFFSET 0) e ON true
       WHERE t.id = ANY($1::uuid[])`,
      [testRunIds],
    );
    return new Map(rows.map(({ id, seq, type }) => [id, { seq, final: type !== null && isFinalEvent(type) }]));
  }
}

/** Null for an event that refers to no turn. */
function spokenFields(row: EventRow): string | null {
  if (row.scenario_run_id === null) return null;
  const { scenario_run_id, turn, patient_message, agent_message, latency_ms } = row;
  return JSON.stringify(
    transcriptUpdate(scenario_run_id, {
      turn,
      patientMessage: patient_message,
      agentMessage: agent_message,
      latencyMs: latency_ms,
    }),
  );
}
