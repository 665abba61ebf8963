import { Injectable } from '@nestjs/common';
import { type Queryable, type Transaction, Database, type Part } from '../../platform/database';
import { toStorableJson } from '../../platform/storable-text';

/** A change that is asked for, or that the service makes by itself. */
export interface AuditDraft {
  readonly who: string;
  readonly role: string;
  readonly address: string | null;
  readonly method: string;
  readonly route: string;
  readonly resource: string;
  readonly resource_ids: readonly string[];
  readonly fields: readonly string[];
  readonly request_id: string | null;
  /**
   * The status of a request that was refused before anything was begun, or of what is done in the same transaction; null: it is
   * about to be begun.
   */
  readonly status: number | null;
}

/** How a change that was recorded has ended. */
export interface AuditCompletion {
  readonly number: string;
  readonly status: number;
  readonly replayed: boolean;
  /** What the answer says was made. */
  readonly resource_ids: readonly string[];
}

export interface AuditRecord extends AuditDraft {
  readonly number: string;
  readonly at: Date;
  readonly replayed: boolean;
  readonly completed_at: Date | null;
  /** Whether a process still works on it. */
  readonly alive: boolean;
}

/** Which records are listed; what is left out is not asked for. */
export interface AuditFilter {
  /** This one and later. */
  readonly since?: Date | undefined;
  /** Earlier than this one. */
  readonly until?: Date | undefined;
  readonly who?: string | undefined;
  readonly method?: string | undefined;
  readonly resource?: string | undefined;
  readonly resourceId?: string | undefined;
  /** Only records with a smaller number. */
  readonly before?: number | undefined;
}

export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** Null of pages that follow others by `before`: to count anew for each would make the export of a year slower with every page of it. */
  readonly total: number | null;
}

/** Longer than a process is busy or out of touch when all is well. */
const ALIVE_SECONDS = 30;
/** A row takes milliseconds; a lock on the whole table means maintenance. */
const LOCK_WAIT_MS = 1_500;
const FORGOTTEN_AT_ONCE = 1_000;

/** People know a run by its label, and most requests name its id. */
const UNDER_ITS_NAMES = `resource_ids && (ARRAY[$?::text] || ARRAY(SELECT id::text FROM test_runs WHERE label = $?::text)
  || ARRAY(SELECT unnest(d.resource_ids) FROM audit_records d
    WHERE d.method = 'DELETE' AND d.resource = 'tests' AND d.resource_ids @> ARRAY[$?::text]))`;

/** What paths and bodies name by id. Runs have labels as well, which are no UUIDs. */
const NAMED_TABLES = [
  ...['agents', 'scenarios', 'test_suites', 'test_runs', 'scenario_runs'],
  ...['webhooks', 'webhook_deliveries', 'calibrations', 'service_keys'],
];
/** The ids of a record `r` that name a row. */
const IDS_OF_ROWS = `SELECT named.id FROM unnest(r.resource_ids) WITH ORDINALITY AS named (id, place),
    LATERAL (SELECT CASE WHEN named.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN named.id::uuid END AS uuid) AS typed
  WHERE EXISTS (SELECT FROM test_runs WHERE label = named.id)
    OR ${NAMED_TABLES.map((table) => `EXISTS (SELECT FROM ${table} WHERE id = typed.uuid)`).join(' OR ')}
  ORDER BY named.place`;

/** The audit trail. Rows are added, completed once, and removed when they are old: nothing else ever changes one. */
@Injectable()
export class AuditStore {
  constructor(private readonly database: Database) {}

  /**
   * Adds records, and answers their numbers in the same order. A run that is named by its label is recorded by its id as well,
   * and one that is to be deleted by its label too: afterwards nothing else knows that the two are one. A lock on the whole table
   * is waited for only so long: every change of the process waits behind it.
   */
  async begin(drafts: readonly AuditDraft[]): Promise<readonly string[]> {
    return this.database.transaction((tx) => addAuditRecords(tx, drafts));
  }

  /**
   * Stores how changes ended. A record that is complete already stays as it is. When something was not found (404), ids that name
   * nothing are removed: a client may have pasted a key that looks like one. The commit does not wait for the disk: what a crash
   * of the server takes back leaves a record that says too little, never one that says too much.
   */
  async complete(completions: readonly AuditCompletion[]): Promise<void> {
    await this.database.query(
      `WITH quick AS (SELECT set_config('synchronous_commit', 'off', true)),
       ended AS (SELECT * FROM json_to_recordset($1::json) AS e (number bigint, status integer, replayed boolean, resource_ids text[]))
       UPDATE audit_records r SET status = e.status, replayed = e.replayed, completed_at = now(),
         resource_ids = CASE WHEN e.status = 404 THEN ARRAY(${IDS_OF_ROWS})
           ELSE r.resource_ids || ARRAY(SELECT made FROM unnest(e.resource_ids) made WHERE made <> ALL(r.resource_ids)) END
       FROM ended e, quick WHERE r.number = e.number AND r.status IS NULL`,
      [toStorableJson(completions)],
    );
  }

  /** Notes that these are still worked on. */
  async renew(numbers: readonly string[]): Promise<void> {
    await this.database.query(
      `UPDATE audit_records SET alive_until = now() + make_interval(secs => $2)
       WHERE number = ANY($1::bigint[]) AND status IS NULL`,
      [numbers, ALIVE_SECONDS],
    );
  }

  /** Newest first. */
  async list({ limit, offset, ...filter }: AuditFilter & Part): Promise<AuditPage> {
    const { where, values } = conditionsOf(filter);
    const [records, [count]] = await Promise.all([
      this.database.query<AuditRecord>(
        `SELECT number, at, who, role, address, method, route, resource, resource_ids, fields, request_id, status, replayed,
           completed_at, alive_until > now() AS alive
         FROM audit_records ${where} ORDER BY number DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
        [...values, limit, offset],
      ),
      filter.before === undefined
        ? this.database.query<{ total: number }>(`SELECT count(*)::int AS total FROM audit_records ${where}`, values)
        : [],
    ]);
    return { records, total: count?.total ?? null };
  }

  /** Removes a bounded number of records that have been kept for so many days; answers how many. Null when there were none. */
  async forgetOld(tx: Queryable, days: number): Promise<number | null> {
    const forgotten = await tx.query(
      `DELETE FROM audit_records WHERE number IN (
         SELECT r.number FROM audit_records r WHERE r.at <= now() - make_interval(days => $1)
         ORDER BY r.at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING 1`,
      [days, FORGOTTEN_AT_ONCE],
    );
    return forgotten.length === 0 ? null : forgotten.length;
  }
}

/**
 * Adds records in the transaction of the changes that they are about, which from then on waits for no lock longer than
 * AuditStore.begin() does.
 */
export async function addAuditRecords(tx: Transaction, drafts: readonly AuditDraft[]): Promise<readonly string[]> {
  await tx.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
  const rows = await tx.query<{ number: string }>(
    `WITH given AS MATERIALIZED (
         SELECT nextval('audit_records_number_seq') AS number, place, draft
         FROM json_array_elements($1::json) WITH ORDINALITY AS g (draft, place)),
       kept AS (
         INSERT INTO audit_records (number, who, role, address, method, route, resource, resource_ids, fields, request_id,
           alive_until, status, completed_at)
         SELECT g.number, d.who, d.role, d.address, d.method, d.route, d.resource,
           d.resource_ids || ARRAY(SELECT t.id::text FROM test_runs t WHERE t.label = ANY(d.resource_ids))
             || CASE WHEN d.method = 'DELETE' AND d.resource = 'tests' THEN ARRAY(SELECT t.label FROM test_runs t WHERE t.id = ANY(
               ARRAY(SELECT named::uuid FROM unnest(d.resource_ids) named WHERE named ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')))
             ELSE '{}' END,
           d.fields, d.request_id, now() + make_interval(secs => $2), d.status, CASE WHEN d.status IS NOT NULL THEN now() END
         FROM given g, json_to_record(g.draft) AS d (who text, role text, address text, method text, route text, resource text,
           resource_ids text[], fields text[], request_id text, status integer))
       SELECT number FROM given ORDER BY place`,
    [toStorableJson(drafts), ALIVE_SECONDS],
  );
  return rows.map(({ number }) => number);
}

function conditionsOf(filter: AuditFilter): { readonly where: string; readonly values: readonly unknown[] } {
  const given = [
    ['at >= $?', filter.since],
    ['at < $?', filter.until],
    ['who = $?', filter.who],
    ['method = $?', filter.method],
    ['resource = $?', filter.resource],
    [UNDER_ITS_NAMES, filter.resourceId],
    ['number < $?', filter.before],
  ].flatMap(([condition, value]) => (value === undefined ? [] : [{ condition: String(condition), value }]));
  const conditions = given.map(({ condition }, place) => condition.replaceAll('$?', `$${place + 1}`));
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return { where, values: given.map(({ value }) => value) };
}
