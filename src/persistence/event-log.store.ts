import { Injectable } from '@nestjs/common';
import { isFinalEvent } from '../../machines/run-events';
import { Database } from './database';

/** An event as it was stored; `json` is the text of the whole RunEvent, without line breaks. */
export interface StoredEvent {
  readonly seq: number;
  readonly type: string;
  readonly json: string;
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

interface EventRow {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly fields: string;
}

/** Reads the log of events. What writes it is `appendEvents`, in the transaction of the change told of. */
@Injectable()
export class EventLogStore {
  constructor(private readonly database: Database) {}

  /**
   * The events after a sequence number, in order. A missing run has none. Row after row, each found by the number before
   * it, so that no event beyond the page is looked at: one may hold hundreds of kilobytes.
   */
  async readAfter(testRunId: string, afterSeq: number, limit: PageLimit): Promise<StoredEvent[]> {
    const rows = await this.database.query<EventRow>(
      `WITH RECURSIVE page AS (
         (SELECT seq, type, at, fields::text AS fields, octet_length(fields::text)::bigint AS bytes, 1 AS events
          FROM run_events WHERE test_run_id = $1 AND seq > $2 ORDER BY seq LIMIT 1)
         UNION ALL
         SELECT e.seq, e.type, e.at, e.fields::text, page.bytes + octet_length(e.fields::text), page.events + 1
         FROM page JOIN run_events e ON e.test_run_id = $1 AND e.seq = page.seq + 1
         WHERE page.events < $3 AND page.bytes < $4
       )
       SELECT seq::float8 AS seq, type, fields, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
       FROM page ORDER BY page.seq`,
      [testRunId, afterSeq, limit.events, limit.bytes],
    );
    return rows.map((row) => ({ seq: row.seq, type: row.type, json: toJson(testRunId, row) }));
  }

  /** Where the logs end, in one query; a run that does not exist is missing from the answer. */
  async heads(testRunIds: readonly string[]): Promise<Map<string, LogHead>> {
    const rows = await this.database.query<{ id: string; seq: number; type: string | null }>(
      `SELECT t.id, t.last_seq::float8 AS seq, e.type
       FROM test_runs t LEFT JOIN run_events e ON e.test_run_id = t.id AND e.seq = t.last_seq
       WHERE t.id = ANY($1::uuid[])`,
      [testRunIds],
    );
    return new Map(rows.map(({ id, seq, type }) => [id, { seq, final: type !== null && isFinalEvent(type) }]));
  }
}

/**
 * The text that `JSON.stringify` gives for the RunEvent which was told live: the stored fields (its `type` is among
 * them), then the envelope. The stored text is not parsed: a long transcript is copied, never read.
 */
function toJson(testRunId: string, { seq, at, fields }: EventRow): string {
  const open = fields.slice(0, fields.lastIndexOf('}'));
  // Inside JSON strings line breaks are escaped, so a raw one is only layout; in an event stream it would end the data.
  return `${open.replace(/[\r\n]+/g, ' ')},"run_id":"${testRunId}","seq":${seq},"at":"${at}"}`;
}
