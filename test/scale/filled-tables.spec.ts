import { Client } from 'pg';
import { fill } from '../../bench/scale/fill';
import { playSampleRuns } from '../../bench/scale/sample-runs';
import { readTemplate, RUN_TABLES } from '../../bench/scale/template';
import { ServiceClient } from '../../bench/service-client';
import { ScenariosStore } from '../../src/features/scenarios/scenarios.store';
import { seedStarterLibrary } from '../../src/features/scenarios/starter-library';
import { ApiClient } from '../setup/api-client';
import { EventClient } from '../setup/event-client';
import { startTestService, type TestService } from '../setup/service';

const RUNS = 50;
const SIZE = { scenarios: 3, turns: 5 };

/** What a copy has of its own: every other column is as the service wrote it. */
const OWN_COLUMNS = new Set([
  ...['id', 'test_run_id', 'scenario_run_id', 'label', 'fields'],
  ...['agent_id', 'agent_name', 'agent_config_hash', 'agent_version'],
]);

let service: TestService;
let api: ApiClient;
let client: Client;
/** The runs that the service has executed, and those that were copied from them, with the run that each was copied from. */
let played: readonly string[];
let copies: readonly { readonly id: string; readonly source_id: string }[];

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  client = new Client({ connectionString: service.database.url });
  await client.connect();
  await seedStarterLibrary(service.app.get(ScenariosStore));
  const player = new ServiceClient(service.url);
  let template: Awaited<ReturnType<typeof playSampleRuns>>;
  try {
    template = await playSampleRuns(player, SIZE);
  } finally {
    await player.close();
  }
  played = [...new Set(template)];
  await fill(service.database.url, await readTemplate(client, template), { runs: RUNS, days: 30, agents: 5 });
  copies = (
    await client.query<{ id: string; source_id: string }>(
      `SELECT t.id, s.id AS source_id FROM test_runs t JOIN test_runs s ON s.id = ANY($1::uuid[]) AND t.label LIKE s.label || '\\_%'`,
      [played],
    )
  ).rows;
});

afterAll(async () => {
  await client.end();
  await service.close();
});

async function rowsOf(table: (typeof RUN_TABLES)[number], runId: string): Promise<Record<string, unknown>[]> {
  const ofRun = {
    test_runs: 't.id = $1',
    turns: 't.scenario_run_id IN (SELECT id FROM scenario_runs WHERE test_run_id = $1)',
  };
  const where = table === 'test_runs' || table === 'turns' ? ofRun[table] : 't.test_run_id = $1';
  const { rows } = await client.query<{ row: Record<string, unknown> }>(
    `SELECT row_to_json(t) AS row FROM ${table} t WHERE ${where}`,
    [runId],
  );
  return rows.map(({ row }) => row);
}

/** Without what a copy has of its own, times by whether there is one. */
function likeness(row: Record<string, unknown>): string {
  const kept = Object.entries(row).filter(([column]) => !OWN_COLUMNS.has(column));
  return JSON.stringify(kept.map(([column, value]) => [column, /_at$|^at$/.test(column) ? value !== null : value]));
}

describe('tables filled with finished runs', () => {
  it('hold rows with every column as the service wrote it, and as many of them', async () => {
    expect(copies).toHaveLength(RUNS);
    for (const source of played) {
      const copy = copies.find(({ source_id }) => source_id === source);
      for (const table of RUN_TABLES) {
        const [written, copied] = [await rowsOf(table, source), await rowsOf(table, copy?.id ?? '')];
        expect(copied.map(likeness).sort()).toEqual(written.map(likeness).sort());
      }
    }
  });

  it('are listed whole: every run once, the newest first, in all statuses that were stored', async () => {
    const seen: { id: string; status: string; created_at: string }[] = [];
    for (let offset = 0; ; offset += 20) {
      const { body } = await api.get(`/api/v1/tests?limit=20&offset=${offset}`);
      expect(body.total).toBe(RUNS + played.length);
      seen.push(...body.runs);
      if (body.runs.length < 20) break;
    }
    expect(new Set(seen.map(({ id }) => id))).toEqual(new Set([...played, ...copies.map(({ id }) => id)]));
    const times = seen.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    for (const status of ['completed', 'canceled']) {
      const { body } = await api.get(`/api/v1/tests?status=${status}&limit=1`);
      expect(body.total).toBe(seen.filter((run) => run.status === status).length);
      expect(body.total).toBeGreaterThan(1);
    }
  });

  it('count and mark every run as the one that it was copied from', async () => {
    for (const { id, source_id } of copies) {
      const [copy, source] = [
        (await api.get(`/api/v1/tests/${id}`)).body,
        (await api.get(`/api/v1/tests/${source_id}`)).body,
      ];
      for (const field of ['status', 'total_scenarios', 'passed_count', 'failed_count', 'error_count', 'pass_rate']) {
        expect(copy[field]).toEqual(source[field]);
      }
      const [marked, known] = [await statisticsOf(id), await statisticsOf(source_id)];
      expect(marked.pass_rate).toEqual(known.pass_rate);
      expect(marked.by_category).toEqual(known.by_category);
    }
  });

  it('replay every event of a run once and in order, with what was said', async () => {
    for (const source of played) {
      const copy = copies.find(({ source_id }) => source_id === source)?.id ?? '';
      const [replayed, known] = [await replay(copy), await replay(source)];
      expect(replayed.ids).toEqual(replayed.ids.map((_, place) => place + 1));
      expect(replayed.said).toEqual(known.said);
      expect(replayed.runIds).toEqual(new Set([copy]));
    }
  });
});

async function statisticsOf(id: string) {
  return (await api.get(`/api/v1/tests/${id}/statistics`)).body;
}

async function replay(runId: string) {
  const stream = await EventClient.open(`${service.url}/events?run_id=${runId}&last_event_id=0`);
  await stream.ended;
  return {
    ids: stream.ids,
    runIds: new Set(stream.events.map(({ data }) => data['run_id'])),
    said: stream.events.map(({ data }) => [data['type'], data['turn'], data['patient_message'], data['agent_message']]),
  };
}
