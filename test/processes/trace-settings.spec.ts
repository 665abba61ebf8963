import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hang, status } from '../fakes/misbehaviour';
import { eventually } from '../setup/eventually';
import { GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import {
  AGENT_KEY,
  examineTraced,
  named,
  startRun,
  startTracedService,
  traceOf,
  treeOf,
  type TracedService,
} from '../setup/traced-service';

const opened: TracedService[] = [];
async function start(...args: Parameters<typeof startTracedService>): Promise<TracedService> {
  const service = await startTracedService(...args);
  opened.push(service);
  return service;
}
afterEach(async () => {
  while (opened.length > 0) await opened.pop()?.close();
});

test('with OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT spans hold what was said, without credentials', async () => {
  const service = await start(
    { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' },
    () => `${GOOD_REPLY} Your key is ${AGENT_KEY}.`,
  );
  const [call] = named(await traceOf(service, await examineTraced(service)), 'invoke_agent');
  const [reply] = JSON.parse(String(call?.attributes['gen_ai.output.messages']));
  expect(reply).toMatchObject({ role: 'assistant', parts: [{ type: 'text' }] });
  expect(reply.parts[0].content).toContain(GOOD_REPLY);
  expect(JSON.parse(String(call?.attributes['gen_ai.input.messages']))[0].role).toBe('user');
  expect(JSON.stringify(service.collector.requests)).not.toContain(AGENT_KEY);
});

test('OTEL_TRACES_SAMPLER decides for whole traces, and the agent is told', async () => {
  const service = await start({ OTEL_TRACES_SAMPLER: 'parentbased_always_off', OTEL_SERVICE_NAME: 'clinic' });
  const id = await examineTraced(service);
  const trace = id.replaceAll('-', '');
  expect(service.agent.requests[0]?.headers['traceparent']).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
  await service.process.end('SIGTERM');
  expect(service.collector.requests).toEqual([]);
});

test('by default spans travel as protobuf, and the last of them before the process stops', async () => {
  const service = await start({
    OTEL_EXPORTER_OTLP_PROTOCOL: '',
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=clinic',
  });
  const id = await examineTraced(service);
  expect(service.collector.requests).toEqual([]);
  await service.process.end('SIGTERM');
  const [sent] = service.collector.requests;
  expect(sent).toMatchObject({
    path: '/v1/traces',
    headers: { 'content-type': 'application/x-protobuf', 'x-team': 'clinic' },
  });
  expect(String(sent?.body)).toContain('test run');
  expect(String(sent?.body)).toContain(id);
});

test.each([
  ['hangs', hang()],
  ['answers 500', status(500)],
])('a collector that %s holds nobody up, is complained of once, and does not delay the stop', async (_, step) => {
  const service = await start({ OTEL_BSP_MAX_QUEUE_SIZE: '4', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2' });
  service.collector.next(...Array.from({ length: 1_000 }, () => step));
  const id = await examineTraced(service, { trials: 5 });
  const runs = await scenarioRunsOf(service.api, id);
  expect(runs.map((run) => run.status)).toEqual(Array(5).fill('passed'));
  await eventually(() => expect(service.process.output()).toContain('Traces do not arrive'));
  expect(await service.process.end('SIGTERM')).toBe(0);
  expect(service.process.output().split('Traces do not arrive')).toHaveLength(2);
});

test('a run whose process was killed stays one trace, with one root and no span twice', async () => {
  const first = await start();
  const slow = Array.from({ length: 3 }, () => status(200, { choices: [{ message: { content: GOOD_REPLY } }] }));
  first.agent.next(...slow, hang());
  const id = await startRun(first);
  await first.agent.until(() => first.agent.requests.length === 4);
  await eventually(() => expect(named(first.collector.spansOf(id), 'turn 3')).toHaveLength(1));
  const second = await first.restart();
  opened.push(second);
  await untilFinal(second.api, id, 60_000);
  const spans = await traceOf(second, id);
  const ids = spans.map(({ spanId }) => spanId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(named(spans, 'test run')).toHaveLength(1);
  expect(named(spans, 'scenario run')).toHaveLength(1);
  const turns = treeOf(spans).filter((path) => /turn \d$/.test(path));
  expect(turns).toEqual([1, 2, 3, 4, 5].map((turn) => `test run > scenario run > turn ${turn}`));
  expect(new Set(spans.map(({ resource }) => resource['service.instance.id'])).size).toBe(2);
  expect(named(spans, 'turn 5')[0]?.attributes['agent_osce.attempt']).toBe(2);
});

test('without a collector nothing of OpenTelemetry’s SDK is loaded, nor of speech, and agents hear of no trace', async () => {
  const file = join(tmpdir(), `agent-osce-loaded-${process.pid}.json`);
  const service = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: '',
    NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, '..', 'setup', 'note-loaded-files.cjs'))}`,
    NOTE_LOADED_FILES: file,
  });
  try {
    await examineTraced(service);
    await service.process.end('SIGTERM');
    const loaded: string[] = JSON.parse(await readFile(file, 'utf8'));
    expect(loaded.length).toBeGreaterThan(100);
    expect(loaded.filter((path) => /@opentelemetry\/(?!api\/)/.test(path))).toEqual([]);
    // Conversations in text load nothing that speaks or hears, but the name of its errors.
    expect(loaded.filter((path) => /src\/engine\/speech\/(?!speech-error\b)/.test(path))).toEqual([]);
    expect(service.agent.requests.filter(({ headers }) => 'traceparent' in headers)).toEqual([]);
  } finally {
    await rm(file, { force: true });
  }
});
