import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OsceProcess } from '../cluster/osce-process';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { named, treeOf } from '../setup/traced-service';
import { BUILT_WITHIN_MS, startOtlpReceiver, type OtlpReceiver } from './otlp-receiver';

const TURNS = [1, 2, 3, 4, 5];

let folder: string;
let receiver: OtlpReceiver;
let agent: FakeAgent;
let database: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-otlp-'));
  receiver = await startOtlpReceiver(folder);
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  database = await createTestDatabase();
}, BUILT_WITHIN_MS);
afterAll(async () => {
  await receiver?.stop();
  await agent?.close();
  await database?.drop();
  await rm(folder, { recursive: true });
});

const digitsOf = (id: string): string => id.replaceAll('-', '');

/** A run of two scenarios that has ended; answers its id. */
async function examine({ api }: OsceProcess): Promise<string> {
  const agent_id = await createAgent(api, agent.baseUrl);
  const scenario_ids = await createScenarios(api, 2);
  const { body } = await api.post('/start-run', { agent_id, scenario_ids, max_turns: TURNS.length });
  const id = String(body.id);
  expect(await untilFinal(api, id, 60_000)).toMatchObject({ status: 'completed' });
  return id;
}

describe('the receiver of an OpenTelemetry Collector', () => {
  test.each([
    ['protobuf over HTTP, the default', 'http', {}],
    ['gRPC', 'grpc', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
  ] as const)('gets the whole tree of a run by %s', async (_, transport, variables) => {
    const service = await OsceProcess.start({
      DATABASE_URL: database.url,
      LOG_LEVEL: 'warn',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoints[transport],
      OTEL_BSP_SCHEDULE_DELAY: '50',
      ...variables,
    });
    try {
      const id = await examine(service);
      const runs = await scenarioRunsOf(service.api, id);
      // The last spans leave before the process does.
      expect(await service.end('SIGTERM')).toBe(0);
      expect(service.output).not.toContain('Traces do not arrive');
      const arrived = (): ReturnType<OtlpReceiver['spansOf']> => receiver.spansOf(digitsOf(id));
      await eventually(() => expect(named(arrived(), 'test run')).toHaveLength(1));
      const spans = arrived();
      const turns = TURNS.map((turn) => `turn ${turn}`);
      const ofOne = [
        '',
        ' > connect openai',
        ' > chat offline',
        ...turns.flatMap((turn) => [` > ${turn}`, ` > ${turn} > chat offline`, ` > ${turn} > invoke_agent`]),
      ].map((path) => `test run > scenario run${path}`);
      expect(treeOf(spans)).toEqual(['test run', ...ofOne, ...ofOne].sort());
      expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
      expect(
        named(spans, 'scenario run')
          .map(({ spanId }) => spanId)
          .sort(),
      ).toEqual(runs.map((run) => digitsOf(run.id).slice(16)).sort());
      expect(new Set(spans.map(({ resource }) => resource['service.name']))).toEqual(new Set(['agent-osce']));
      expect(spans.filter(({ status }) => status !== 'Unset')).toEqual([]);
      expect(new Set(named(spans, 'invoke_agent').map(({ kind }) => kind))).toEqual(new Set(['Client']));
      expect(named(spans, 'test run')[0]?.attributes).toMatchObject({
        'agent_osce.test_run.id': id,
        'agent_osce.scenario_runs': 2,
        'agent_osce.pass_rate': 100,
      });
    } finally {
      await service.end('SIGKILL');
    }
  });

  const span = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    name: 'turn 1',
    kind: 1,
    startTimeUnixNano: '1700000000000000001',
    endTimeUnixNano: '1700000000000000002',
  };
  const send = async (sent: object): Promise<number> => {
    const { status } = await fetch(`${receiver.endpoints.http}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [sent] }] }] }),
    });
    return status;
  };

  test.each([
    ['a trace id of fifteen bytes', { traceId: span.traceId.slice(2) }],
    ['a span id of seven bytes', { spanId: span.spanId.slice(2) }],
    ['a span id of nothing but zeros', { spanId: '0'.repeat(16) }],
    ['an end before its beginning', { endTimeUnixNano: '1700000000000000000' }],
    ['no name', { name: '' }],
  ])('would refuse a span with %s', async (_, mistake) => {
    expect(await send(span)).toBe(200);
    expect(await send({ ...span, ...mistake })).toBeGreaterThanOrEqual(400);
  });
});
