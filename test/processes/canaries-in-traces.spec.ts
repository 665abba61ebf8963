import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { startHttpStub, type HttpStub } from '../fakes/http-stub';
import { ApiClient } from '../setup/api-client';
import { eachAtOnce } from '../setup/at-once';
import { Canaries } from '../setup/canaries';
import { canaryAgents, echo, type Manner } from '../setup/canary-agents';
import { CanaryExaminer } from '../setup/canary-examiner';
import { createScenarios } from '../setup/examination';
import { everyRow } from '../setup/read-everything';
import { startTracedService, traceOf, type TracedService } from '../setup/traced-service';

jest.setTimeout(240_000);

const OWN = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS, encoded'];
const NO_AGENTS = [...OWN, 'SERVICE_API_KEY', 'METRICS_TOKEN', 'SECRETS_KEY'];

let canaries: Canaries;
let manner: Manner;
let stub: HttpStub;
let service: TracedService;

beforeEach(async () => {
  canaries = new Canaries();
  canaries.add('SECRETS_KEY', randomBytes(32).toString('base64'));
  // A secret with characters that a header's value is written without.
  canaries.add(
    'OTEL_EXPORTER_OTLP_HEADERS, encoded',
    `${randomBytes(12).toString('hex')} /=+${randomBytes(12).toString('hex')}`,
  );
  manner = 'answers';
  stub = await startHttpStub(
    echo(
      () => manner,
      () => NO_AGENTS.map((place) => canaries.of(place)),
    ),
  );
});
afterEach(async () => {
  await stub.close();
  await service.close();
});

function variablesFor(collector: string): Record<string, string> {
  const endpoint = new URL(collector);
  Object.assign(endpoint, { username: 'osce', password: canaries.of('OTEL_EXPORTER_OTLP_ENDPOINT') });
  const encoded = encodeURIComponent(canaries.of('OTEL_EXPORTER_OTLP_HEADERS, encoded'));
  return {
    LOG_LEVEL: 'debug',
    MASK_CREDENTIALS: 'true',
    SERVICE_API_KEY: canaries.of('SERVICE_API_KEY'),
    METRICS_TOKEN: canaries.of('METRICS_TOKEN'),
    SECRETS_KEY: canaries.of('SECRETS_KEY'),
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.toString(),
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${canaries.of('OTEL_EXPORTER_OTLP_HEADERS')},x-team=${encoded}`,
  };
}

/** Agents of every kind but pages, each tried and examined in each manner of the servers. */
async function examine(api: ApiClient): Promise<CanaryExaminer> {
  const examiner = new CanaryExaminer(api);
  const scenario_ids = await createScenarios(api, 1);
  const chosen = Object.entries(canaryAgents(canaries, stub.origin)).filter(([name]) => name !== 'browser');
  const ids = await examiner.createAgents(Object.fromEntries(chosen));
  for (manner of ['answers', 'refuses', 'fails'] as const) {
    await eachAtOnce(ids, async (id) => {
      await examiner.try(id);
      await examiner.examine(id, scenario_ids);
    });
  }
  return examiner;
}

it.each([
  ['without what was said', 'false'],
  ['with what was said', 'true'],
])(
  'traces %s hold no secret: the collector gets its own in the headers of its requests, and nobody else gets any',
  async (_, captures) => {
    service = await startTracedService((collector) => ({
      ...variablesFor(collector),
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: captures,
    }));
    const adminKey = canaries.of('SERVICE_API_KEY');
    const examiner = await examine(new ApiClient(service.process.url, { 'x-api-key': adminKey }));
    for (const run of examiner.runs) await traceOf(service, run);
    await examiner.readEverything(adminKey, canaries.of('METRICS_TOKEN'));
    const observer = new Client({ connectionString: service.databaseUrl });
    await observer.connect();
    const rows = await everyRow(async (sql) => (await observer.query(sql)).rows);
    await observer.end();
    // The last spans and lines with it.
    await service.process.end('SIGTERM');

    const { requests } = service.collector;
    for (const { headers } of requests) expect(canaries.foundIn(valuesOf(headers)).sort()).toEqual(OWN);
    const spans = JSON.stringify(requests.map(({ path, body }) => [path, body]));
    expect(canaries.foundIn(spans)).toEqual([]);
    expect(spans.includes('I was sent')).toBe(captures === 'true');
    expect(spans.includes('I know [removed]')).toBe(captures === 'true');

    const sent = canaries.foundIn(JSON.stringify(stub.requests));
    expect(sent).toEqual(expect.arrayContaining(['agents.openai.api_key', 'agents.http.authorization']));
    // What an agent has said comes back to it, as it said it, in the conversation; nothing else of these does.
    const asked = stub.requests.filter(({ path }) => path.includes('/chat/completions'));
    const places = canaries.foundIn(asked.map(({ path, headers }) => `${path}\n${valuesOf(headers)}`).join('\n'));
    expect(places.filter((place) => NO_AGENTS.includes(place))).toEqual([]);
    expect(examiner.seen.length).toBeGreaterThan(120);
    expect(canaries.leaksIn(examiner.seen)).toEqual([]);
    expect(canaries.leaksIn(rows)).toEqual([]);
    expect(
      canaries.leaksIn(
        service.process
          .output()
          .split('\n')
          .map((text) => ({ from: text, text })),
      ),
    ).toEqual([]);
  },
);

/** The values of headers, as they were sent. */
function valuesOf(headers: Readonly<Record<string, unknown>>): string {
  return Object.values(headers).join('\n');
}
