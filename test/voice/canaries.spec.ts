import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastKnownUrl } from '../../src/platform/database/embedded-postgres/server-addresses';
import { startTraceCollector, type TraceCollector } from '../fakes/trace-collector';
import { ApiClient, type Answer } from '../setup/api-client';
import { eachAtOnce } from '../setup/at-once';
import { Canaries } from '../setup/canaries';
import { CanaryExaminer } from '../setup/canary-examiner';
import { CanaryVoices, complaintTo, CUT_OFF } from '../setup/canary-voices';
import { query } from '../setup/embedded-postgres';
import { eventually } from '../setup/eventually';
import { createScenarios, scenarioRunsOf } from '../setup/examination';
import { everyRow } from '../setup/read-everything';
import { scrape, total } from '../setup/scrape';
import { startServiceProcess, type ServiceProcess } from '../setup/service-process';
import { requireVoicePeers } from '../setup/voice-peers';

requireVoicePeers();

const LIMITS = { max_retries: 0, turn_timeout_ms: 60_000 };
const OWN = ['SERVICE_API_KEY', 'METRICS_TOKEN', 'SECRETS_KEY', 'OTEL_EXPORTER_OTLP_HEADERS'];
const COUNT = 'osce_outside_call_duration_seconds_count';

const canaries = new Canaries();
canaries.add('SECRETS_KEY', randomBytes(32).toString('base64'));
// How every token for a room begins, whoever has signed it.
canaries.add('any token', Buffer.from('{"alg":"HS256"').toString('base64url').slice(0, -2));
const adminKey = canaries.of('SERVICE_API_KEY');
const metricsToken = canaries.of('METRICS_TOKEN');
const folder = mkdtempSync(join(tmpdir(), 'agent-osce-canaries-'));

let voices: CanaryVoices;
let collector: TraceCollector;
let service: ServiceProcess;
let api: ApiClient;
let examiner: CanaryExaminer;

beforeAll(async () => {
  voices = await CanaryVoices.start(canaries, () => OWN.map((place) => canaries.of(place)));
  collector = await startTraceCollector();
  service = await startServiceProcess({
    DATA_DIR: folder,
    LOG_LEVEL: 'debug',
    MASK_CREDENTIALS: 'true',
    SERVICE_API_KEY: `admin:${adminKey}`,
    METRICS_TOKEN: metricsToken,
    SECRETS_KEY: canaries.of('SECRETS_KEY'),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${canaries.of('OTEL_EXPORTER_OTLP_HEADERS')}`,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    // The program that holds the rooms is TypeScript here, too.
    NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '',
  });
  for (const which of ['agent-osce.password', 'agent-osce.service.password']) {
    canaries.add(which, readFileSync(join(folder, 'postgres', which), 'utf8'));
  }
  api = new ApiClient(service.url, { 'x-api-key': adminKey });
  examiner = new CanaryExaminer(api);
});
afterAll(async () => {
  await service?.end('SIGTERM');
  await collector?.close();
  await voices?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** An agent, and a scenario with what its patient says first. */
async function enrol(
  name: string,
  config: object,
  chief_complaint = complaintTo(name),
): Promise<{ agentId: string; scenarios: readonly string[] }> {
  const [agentId = ''] = await examiner.createAgents({ [name]: config }, LIMITS);
  const content = {
    script: 'You have had chest pain for two hours.',
    demographics: { age: 61, gender: 'female' },
    chief_complaint,
  };
  return { agentId, scenarios: await createScenarios(api, 1, { content }) };
}

/** The one scenario run of a run, with its transcript. */
async function detailOf(run: Answer['body']): Promise<Answer['body']> {
  const [{ id }] = await scenarioRunsOf(api, run.id);
  return (await api.get(`/api/v1/scenario-runs/${id}`)).body;
}

/** A run whose one reply ends within a secret, because nothing more comes in time, or because the server is killed. */
async function examineCutOff(kind: string, code: 'provider_timeout' | 'connect_failed'): Promise<void> {
  const config = { ...voices.answering[kind], turn_timeout_ms: code === 'provider_timeout' ? 8_000 : 60_000 };
  const { agentId, scenarios } = await enrol(`${kind} that is cut off: ${code}`, config, CUT_OFF);
  const detail = await detailOf(await examiner.examine(agentId, scenarios));
  expect([kind, detail.status, detail.error_code]).toEqual([kind, 'error', code]);
  // A server that is killed may be gone before what the agent said has come through.
  if (code === 'provider_timeout') expect(detail.metadata.session.partial_reply).toBe('I know [removed]');
}

/** How often agents of the kind have asked their model what to say to such a patient. */
const timesCutOff = (kind: string): number =>
  voices.model.requests
    .filter(({ headers }) => headers.authorization === `Bearer ${canaries.of(`models.${kind}`)}`)
    .filter(({ body }) => JSON.stringify(body).includes(CUT_OFF)).length;

const turnsOf = ({ transcript }: Answer['body']): number =>
  transcript.filter(({ role }: { role: string }) => role === 'agent').length;

it('examines agents in rooms whose secrets are found again only where they were sent to', async () => {
  const turns = new Map([
    ['livekit', 0],
    ['pipecat', 0],
  ]);
  const answering = Object.entries(voices.answering);
  const failing = Object.entries(voices.failing);

  await eachAtOnce(answering, async ([name, config]) => {
    const { agentId, scenarios } = await enrol(name, config);
    expect(await examiner.try(agentId)).toMatchObject({ ok: true, reply: expect.stringContaining('I know [removed]') });
    const run = await examiner.examine(agentId, scenarios);
    const detail = await detailOf(run);
    expect([name, run.status, run.passed_count, detail.error_message]).toEqual([name, 'completed', 1, null]);
    expect(turnsOf(detail)).toBeGreaterThan(1);
    expect(JSON.stringify(detail.transcript)).toContain('I know [removed]');
    const [kind = ''] = name.split(' ');
    turns.set(kind, (turns.get(kind) ?? 0) + turnsOf(detail));
  });
  await eachAtOnce(failing, async ([name, { config, code }]) => {
    const { agentId, scenarios } = await enrol(name, config);
    const tried = await examiner.try(agentId);
    const run = await examiner.examine(agentId, scenarios);
    const detail = await detailOf(run);
    expect([name, tried.error_code, detail.error_code, detail.status]).toEqual([name, code, code, 'error']);
  });

  const metrics = await scrape(service.url, metricsToken);
  expect(total(metrics, 'osce_turns_total')).toBe([...turns.values()].reduce((sum, some) => sum + some));
  for (const [kind, replies] of turns) {
    const called = { to: 'agent', kind };
    const calls = (call: string, outcome: string) => total(metrics, COUNT, { ...called, call, outcome });
    const of = (code: string) => failing.filter(([name, agent]) => name.startsWith(kind) && agent.code === code).length;
    // Two agents answer, each once when it is tried, and at every turn of its run.
    expect([kind, calls('connect', 'ok'), calls('reply', 'ok')]).toEqual([kind, 4, 2 + replies]);
    expect([kind, calls('connect', 'key_refused')]).toEqual([kind, 2 * of('auth_failed')]);
    expect([kind, calls('connect', 'unreachable')]).toEqual([kind, 2 * of('connect_failed')]);
    expect([kind, total(metrics, 'osce_outside_calls_in_flight', called)]).toEqual([kind, 0]);
  }

  await Promise.all([...turns.keys()].map((kind) => examineCutOff(kind, 'provider_timeout')));
  const before = new Map([...turns.keys()].map((kind) => [kind, timesCutOff(kind)]));
  const cutOff = [...turns.keys()].map((kind) => examineCutOff(kind, 'connect_failed'));
  const bothAgain = () => [...before].every(([kind, times]) => timesCutOff(kind) > times);
  await Promise.race([voices.model.until(bothAgain, 60_000), ...cutOff]);
  await voices.livekit.kill();
  await Promise.all(cutOff);

  await examiner.readEverything(adminKey, metricsToken);
  const database = lastKnownUrl(folder);
  if (database === null) throw new Error('The database does not run.');
  const rows = await everyRow((sql) => query(database, sql));
  await eventually(() => {
    for (const run of examiner.runs) expect(collector.spansOf(run).map(({ name }) => name)).toContain('test run');
  });
  await service.end('SIGTERM');

  // They were there: what they are for has received them.
  const asked = voices.model.requests;
  expect(canaries.foundIn(JSON.stringify(asked.map(({ headers }) => headers))).sort()).toEqual([
    'models.livekit',
    'models.pipecat',
  ]);
  expect(canaries.foundIn(JSON.stringify(voices.tokenServer.requests)).sort()).toEqual([
    'agents.livekit.token_body',
    'agents.livekit.token_headers',
    'agents.livekit.token_url',
  ]);
  // What a patient says is made of no secret, although the agents have said them all.
  const patients = asked.flatMap(({ body }) => JSON.stringify(body).match(/"role":"user"[^}]*/g) ?? []);
  expect(patients.length).toBeGreaterThan(10);
  expect(canaries.foundIn(patients.join('\n'))).toEqual([]);
  const exported = collector.requests.map(({ headers }) => JSON.stringify(headers));
  expect(canaries.foundIn(exported.join('\n'))).toEqual(['OTEL_EXPORTER_OTLP_HEADERS']);

  const spans = JSON.stringify(collector.requests.map(({ path, body }) => [path, body]));
  expect(spans).toContain('I know [removed]');
  expect(canaries.foundIn(spans)).toEqual([]);
  expect(examiner.seen.length).toBeGreaterThan(100);
  expect(canaries.leaksIn(examiner.seen)).toEqual([]);
  expect(canaries.leaksIn(rows)).toEqual([]);
  const lines = service.output().split('\n');
  expect(canaries.leaksIn(lines.map((text) => ({ from: text, text })))).toEqual([]);
  expect(canaries.foundBelow(folder)).toEqual({
    'postgres/agent-osce.password': ['agent-osce.password'],
    'postgres/agent-osce.service.password': ['agent-osce.service.password'],
  });
});
