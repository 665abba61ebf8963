import type { Answer, ApiClient } from './api-client';
import { ApiDescription } from './api-description';
import { eachAtOnce } from './at-once';
import { scenarioRunsOf } from './examination';

/** A text, and where it was read. */
export interface Seen {
  readonly from: string;
  readonly text: string;
}

/** Everything that can be read about these runs and besides, by the service's own description of itself. */
export async function readEverything(api: ApiClient, key: string, runs: readonly string[]): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const read = async (path: string): Promise<void> => void seen.push(await readOnce(api.url, key, path));
  const scenarioRuns = (await eachAtOnce(runs, (run) => scenarioRunsOf(api, run))).flat();
  const idsOf = async (path: string): Promise<string[]> => {
    const { body } = await api.get(path);
    const rows: Answer['body'][] = Array.isArray(body) ? body : (Object.values(body).find(Array.isArray) ?? []);
    return rows.slice(0, 30).map((row) => row.id ?? row.scenario_id);
  };
  const ids: Record<string, readonly string[]> = {
    tests: runs,
    'scenario-runs': scenarioRuns.map(({ id }) => String(id)),
    actors: runs,
    agents: await idsOf('/api/v1/agents'),
    scenarios: await idsOf('/api/v1/scenarios'),
    webhooks: await idsOf('/api/v1/webhooks'),
  };
  const { operations } = await ApiDescription.of(api.url, key);
  const paths = operations.filter(({ method }) => method === 'GET').map(({ path }) => path);
  for (const path of [...paths, '/', '/metrics', '/docs/openapi.json']) {
    const resource = /([\w-]+)\/\{id\}/.exec(path)?.[1];
    const filled = resource === undefined ? [path] : (ids[resource] ?? []).map((id) => path.replace('{id}', id));
    await eachAtOnce(filled, read);
  }
  for (const run of runs) {
    for (const format of ['json', 'csv', 'junit']) await read(`/api/v1/tests/${run}/export?format=${format}`);
    await read(`/events?run_id=${run}`);
    if (runs[0] !== undefined) await read(`/api/v1/tests/${run}/comparison?baseline=${runs[0]}`);
  }
  return seen;
}

/** As much as comes within a moment: some answers go on as long as somebody listens. */
async function readOnce(url: string, key: string, path: string): Promise<Seen> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), 1_500);
  let text = '';
  try {
    const response = await fetch(url + path, { headers: { 'x-api-key': key }, signal: giveUp.signal });
    text += JSON.stringify([...response.headers]);
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch (error) {
    if (!giveUp.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return { from: path, text };
}

/** Every row of every table, as text; bytes are in hexadecimal digits. */
export async function everyRow(query: <Row>(sql: string) => Promise<Row[]>): Promise<readonly Seen[]> {
  const tables = await query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const seen: Seen[] = [];
  for (const { name } of tables) {
    const [row] = await query<{ text: string | null }>(`SELECT string_agg(t::text, E'\\n') AS text FROM ${name} t`);
    seen.push({ from: name, text: row?.text ?? '' });
  }
  return seen;
}
