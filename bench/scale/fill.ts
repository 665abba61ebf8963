import { Client } from 'pg';
import { BASE_TABLES, RUN_TABLES, type CopiedTable, type Template } from './template';

export interface Filling {
  readonly runs: number;
  /** The runs are spread evenly over so many days, the last one until now. */
  readonly days: number;
  /** The number of agents that they examined in turn. */
  readonly agents: number;
}

/** Runs stored by one transaction. */
const AT_ONCE = 250;

/**
 * Fills the tables with finished runs, each a copy of a run of the template with ids, times and an agent of its own. Every column that
 * the tables and the template have in common is copied, so that an older schema is filled as its own service would have filled it.
 * An agent has the same results for ten runs and others in the next ten, so that many scenarios waver. Half of the agents have a version
 * that changes every 25 runs; the others have none.
 */
export async function fill(
  url: string,
  template: Template,
  filling: Filling,
  progress: (stored: number) => void = () => undefined,
): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await prepare(client, template, filling);
    for (let from = 1; from <= filling.runs; from += AT_ONCE) {
      const to = Math.min(from + AT_ONCE - 1, filling.runs);
      await client.query('BEGIN');
      for (const table of RUN_TABLES) await client.query(await copyOf(client, table), [from, to]);
      await client.query('COMMIT');
      progress(to);
    }
  } finally {
    await client.end();
  }
  await settle(url);
}

/** Autovacuum does this some time after so many rows; here it must not fall into a measurement. */
async function settle(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

async function prepare(client: Client, template: Template, { runs, days, agents }: Filling): Promise<void> {
  // Copied rows refer to rows copied with them: four million foreign-key checks would show nothing. Only superusers may leave them out.
  await client.query(`SET session_replication_role = 'replica'`).catch(() => undefined);
  await client.query('SET synchronous_commit = off');
  for (const [table, rows] of template.rows) {
    const columns = (await columnsOf(client, table, rows)).join(', ');
    await client.query(
      `CREATE TEMP TABLE sample_${table} AS SELECT ${columns} FROM json_populate_recordset(NULL::${table}, '${rows.replaceAll("'", "''")}')`,
    );
  }
  for (const table of BASE_TABLES) {
    const columns = (await namesIn(client, `sample_${table}`)).join(', ');
    await client.query(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM sample_${table} ON CONFLICT DO NOTHING`,
    );
  }
  // A version 4 UUID as the service makes them, and the same one for the same row of the same run.
  await client.query(`
    CREATE FUNCTION pg_temp.copied(n int, id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
      SELECT overlay(overlay(md5(n || ' ' || id) placing '4' from 13) placing 'a' from 17)::uuid
    $$`);
  await client.query(
    `CREATE TEMP TABLE plan AS
     SELECT n, t.id AS source_id, pg_temp.copied(n % $2, '00000000-0000-4000-8000-000000000000') AS agent_id,
            'Agent ' || lpad((n % $2)::text, 3, '0') AS agent_name, md5('agent ' || n % $2) AS config_hash,
            CASE WHEN n % 2 = 0 THEN 'v' || n / ($2 * 25) END AS version,
            now() - ($1::int - n) * (make_interval(days => $3) / $1) - t.completed_at AS shift
     FROM generate_series(1, $1::int) n
     JOIN sample_test_runs t ON t.id = ($4::uuid[])[1 + (n + n / ($2 * 10)) % cardinality($4::uuid[])]`,
    [runs, agents, days, template.runIds],
  );
  await client.query('CREATE INDEX ON plan (n)');
  await client.query(
    `INSERT INTO agents (id, provider, name, config)
     SELECT DISTINCT ON (p.agent_id) p.agent_id, t.agent_provider, p.agent_name, '{"base_url":"http://127.0.0.1:9/v1"}'::json
     FROM plan p JOIN sample_test_runs t ON t.id = p.source_id ORDER BY p.agent_id, p.n
     ON CONFLICT DO NOTHING`,
  );
  for (const table of RUN_TABLES) await client.query(`ANALYZE sample_${table}`);
}

/** The columns in which a copy differs from its sample. */
const CHANGED: Readonly<Partial<Record<CopiedTable, Readonly<Record<string, string>>>>> = {
  test_runs: {
    label: `s.label || '_' || plan.n`,
    agent_id: 'plan.agent_id',
    agent_name: 'plan.agent_name',
    agent_config_hash: 'plan.config_hash',
    agent_version: 'plan.version',
  },
  run_log: {
    fields: `CASE WHEN s.scenario_run_id IS NULL THEN s.fields ELSE
      replace(s.fields::text, s.scenario_run_id::text, pg_temp.copied(plan.n, s.scenario_run_id)::text)::json END`,
  },
};
const OWN_IDS = new Set(['test_run_id', 'scenario_run_id']);
const WITH_OWN_ID: ReadonlySet<CopiedTable> = new Set(['test_runs', 'scenario_runs']);

/** The condition for rows that belong to the run of the plan. */
const OF_PLAN: Readonly<Partial<Record<CopiedTable, string>>> = {
  test_runs: 's.id = plan.source_id',
  turns: 's.scenario_run_id IN (SELECT r.id FROM sample_scenario_runs r WHERE r.test_run_id = plan.source_id)',
};

async function copyOf(client: Client, table: CopiedTable): Promise<string> {
  const columns = await namesIn(client, `sample_${table}`);
  const times = new Set(await timesIn(client, table));
  const values = columns.map((column) => {
    const changed = CHANGED[table]?.[column];
    if (changed !== undefined) return changed;
    if (OWN_IDS.has(column) || (column === 'id' && WITH_OWN_ID.has(table)))
      return `pg_temp.copied(plan.n, s.${column})`;
    return times.has(column) ? `s.${column} + plan.shift` : `s.${column}`;
  });
  return `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')}
    FROM plan JOIN sample_${table} s ON ${OF_PLAN[table] ?? 's.test_run_id = plan.source_id'}
    WHERE plan.n BETWEEN $1 AND $2 ORDER BY plan.n`;
}

/** The columns that both the template and the table have. */
async function columnsOf(client: Client, table: CopiedTable, rows: string): Promise<string[]> {
  const given = await client.query<{ name: string }>('SELECT json_object_keys(($1::json)->0) AS name', [rows]);
  const known = new Set(await namesIn(client, table));
  return given.rows.map(({ name }) => name).filter((name) => known.has(name));
}

async function namesIn(client: Client, table: string): Promise<string[]> {
  const columns = await client.query<{ name: string }>(
    'SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum',
    [table],
  );
  return columns.rows.map(({ name }) => name);
}

async function timesIn(client: Client, table: CopiedTable): Promise<string[]> {
  const columns = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND atttypid = 'timestamptz'::regtype`,
    [table],
  );
  return columns.rows.map(({ name }) => name);
}
