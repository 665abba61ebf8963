import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONFIG_SHAPES } from '../../src/agents/config';
import { HTTP_AGENT_SHAPE } from '../../src/agents/http/http-agent-config';
import { talk } from '../fakes/http-agent-server';
import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { completion, startFakeOpenAi } from '../fakes/openai-server';
import { chat } from '../fakes/vapi-server';
import { ApiDescription, type Operation } from '../setup/api-description';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { KEYS, keyVariables } from '../setup/role-keys';
import { ExaminedService } from './examined-service';
import { A_MEGABYTE, longestAt, PLANTED, placesOf, plant, wholeOf, type Path } from './planted-texts';
import { inTurn } from './rotation';
import { Chance } from '../soak/chance';

/** The limit of what hangs. */
const WITHIN_MS = 560_000;
/** What the service takes without hostile texts is about 80 MB: with more than 200 on top it would end. */
const MOST_HEAP_MB = 300;
/** Of lists of all that runs. */
const LOOK_MS = 250;
const KEY = 'sk-planted-secret-0123456789';
const KINDS = ['openai', 'vapi', 'livekit', 'pipecat', 'browser'] as const;
const SHAPES = [...KINDS.map((kind) => [kind, CONFIG_SHAPES[kind]] as const), ['http', HTTP_AGENT_SHAPE] as const];
/** Texts for each place of a request: a request takes milliseconds. */
const TEXTS_IN_REQUESTS = 2;
/** Texts for each place of a config, which is tried against a server, and of an answer, about which a conversation is held. */
const TEXTS_IN_CONFIGS = 1;
const TEXTS_IN_ANSWERS = 2;
/** What is longer than its field may be is refused once it is parsed: that is tried at one place in so many. */
const BEYOND_EACH = 4;
/** Conversations at a time, as many times as it takes until every answer was given: one that goes on is given several. */
const TALKS = 8;
/** The description in the repository is that of the service: another test says so. */
const description = new ApiDescription(JSON.parse(readFileSync(join(__dirname, '../../client/openapi.json'), 'utf8')));
/** Whose bodies hold nothing but the names of what exists. */
const NAMES_ONLY: ReadonlySet<string> = new Set(['/api/v1/tests/{id}/regrade', '/api/v1/agents/{id}/baseline']);
/** They hold conversations, with every scenario that there is unless they name some. */
const STARTS: ReadonlySet<string> = new Set(['/start-run', '/start-run-set']);
/** What they make has a name that nothing else may have, and there is a most of it: it goes again. */
const NAMED_ONCE: ReadonlySet<string> = new Set(['/api/v1/schedules', '/api/v1/keys']);
const WITH_BODIES = description.operations.filter(({ requestBody }) => requestBody !== undefined);

let service: ExaminedService;
let ids: Ids;
let stopped: HttpStub;

beforeAll(async () => {
  // Keys are made where one is asked for.
  service = await ExaminedService.start(keyVariables(), { mostHeapMb: MOST_HEAP_MB, key: KEYS.admin });
  stopped = await startHttpStub((response) => sendJson(response, 500, {}), { record: false });
  ids = await examined();
}, 180_000);
afterAll(async () => {
  await stopped?.close();
  await service?.close();
}, 60_000);

/** Some of the planted texts: the same for the same seed and place, whichever tests are run, and the next for the next seed. */
function someTexts(place: string, count: number): readonly (readonly [string, (bytes: number) => string])[] {
  const first = new Chance(place).between(0, PLANTED.length - 1);
  return Array.from({ length: count }, (_, at) => inTurn(PLANTED, first + at * 3));
}

describe('A megabyte of hostile text', () => {
  test.each(WITH_BODIES.map((operation) => [operation.method, operation.path, operation] as const))(
    'in every field of %s %s is answered, and holds nobody up',
    async (method, path, operation) => {
      const bodies = bodiesOf(operation).map((body) => JSON.stringify(body));
      const url = service.url + path.replace('{id}', idFor(path));
      await service.staysAwake(
        `${method} ${path}, ${bodies.length} bodies`,
        async () => {
          let taken = 0;
          for (const body of bodies) {
            const headers = { 'content-type': 'application/json', 'x-api-key': KEYS.admin };
            const response = await fetch(url, { method, headers, body });
            const answer = await response.text();
            taken += response.ok ? 1 : 0;
            if (response.ok && NAMED_ONCE.has(path)) await removeMade(path, answer);
            const isUsual = response.status < 500 || response.status === 503;
            expect({ status: response.status, isUsual, answer: isUsual ? '' : answer.slice(0, 300) }).toMatchObject({
              isUsual: true,
            });
          }
          // What was stored is examined and marked in the background.
          await untilNothingRuns();
          // What is refused is hardly read.
          expect(taken > 0 || NAMES_ONLY.has(path)).toBe(true);
        },
        false,
      );
    },
    WITHIN_MS,
  );

  test.each(SHAPES)(
    'in every field of the config of an agent of the kind %s is stored or refused, tried, and holds nobody up',
    async (kind, shape) => {
      const usual = { base_url: stopped.origin, api_base: stopped.origin, url: `${stopped.origin}/{{message}}` };
      const whole = {
        ...usual,
        api_key: KEY,
        assistant_id: 'a',
        agent_name: 'a',
        max_retries: 0,
        turn_timeout_ms: 2_000,
      };
      const configs = Object.keys(shape).flatMap((field, at) => {
        const places: readonly Path[] = [[field], [field, 'x-planted'], [field, 0]];
        return places.flatMap((place) =>
          someTexts(`${kind} ${place.join('.')}`, TEXTS_IN_CONFIGS).flatMap(([, textOf]) =>
            // As long as a secret may be; at one of its places as a body.
            [15_000, ...(place === inTurn(places, at) ? [A_MEGABYTE - 10_000] : [])].map((bytes) =>
              plant({ ...whole, [field]: undefined }, place, textOf(bytes)),
            ),
          ),
        );
      });
      await service.staysAwake(
        `${configs.length} configs, ${kind}`,
        async () => {
          for (const config of configs) {
            const { status } = await service.api.post('/api/v1/agents', { name: 'x', provider: kind, config });
            expect([201, 400, 413]).toContain(status);
            // A browser would be started for each.
            if (kind === 'browser' || status !== 201) continue;
            const tried = await service.api.post('/api/v1/agents/try', { provider: kind, config, message: 'Hello.' });
            expect(tried.status).toBeLessThan(500);
          }
        },
        false,
      );
    },
    WITHIN_MS,
  );

  test('in all of these leaves a service that examines as before', () => service.examineOrdinaryAgent());

  const PATHS = { body: { say: '{{message}}', session: '{{session_id}}' }, session_id_path: 'id' };
  const listed = { id: 's', data: { reply: 'I see.', list: ['a', 'b'], deep: [[['c']]] }, over: 'no' };
  test.each<readonly [string, (url: string) => object, object]>([
    ['openai', (base_url) => ({ base_url, api_key: KEY }), completion('I see.')],
    [
      'vapi',
      (api_base) => ({ api_base, api_key: KEY, assistant_id: 'a' }),
      chat([{ role: 'assistant', content: 'Hm.' }]),
    ],
    [
      'http',
      (url) => ({ ...PATHS, url, api_key: KEY, reply_path: 'data.reply', end_path: "contains(over, 'yes')" }),
      talk('I see.'),
    ],
    [
      'http',
      (url) => ({
        ...PATHS,
        url,
        api_key: KEY,
        reply_path: "join(', ', data.list)",
        end_path: "contains(to_string(@), 'aab')",
      }),
      listed,
    ],
    [
      'http',
      (url) => ({ ...PATHS, url, api_key: KEY, reply_path: 'to_string(data.deep[*].to_string([*].to_string(@)))' }),
      listed,
    ],
    [
      'pipecat',
      (base_url) => ({ base_url, api_key: KEY, agent_name: 'a' }),
      { sessionId: 's', dailyRoom: 'r', dailyToken: 't', url: 'u', token: 't', room: 'r', code: 'c', error: 'e' },
    ],
    [
      'livekit',
      (token_url) => ({ url: 'ws://127.0.0.1:9', auth_mode: 'token', token_url, api_key: KEY }),
      { token: 't', accessToken: 't', error: 'e', message: ['m'], url: 'u' },
    ],
  ])(
    'in every field of an answer of an agent of the kind %s ends as its own, and holds nobody up',
    async (kind, configOf, usual) => {
      const places = [...placesOf(usual), ['planted']];
      const answers = places.flatMap((place) =>
        someTexts(`${kind} ${place.join('.')}`, TEXTS_IN_ANSWERS).map(([, textOf]) =>
          plant(usual, place, textOf(A_MEGABYTE - 10_000)),
        ),
      );
      const server = await startInTurn(answers);
      const cases = await service.createCases(Array.from({ length: TALKS }, (_, at) => `Planted ${at}`));
      const config = { ...configOf(server.origin), turn_timeout_ms: 20_000 };
      await service.staysAwake(`${answers.length} answers, ${kind}`, async () => {
        const before = server.given();
        // Each conversation asks once at least.
        for (let round = 0; round * TALKS < answers.length; round += 1) {
          if (server.given() - before >= answers.length) break;
          const run = await service.examine(kind, config, cases, WITHIN_MS, { max_turns: 5, concurrency_limit: 4 });
          const internal = (await scenarioRunsOf(service.api, run.id)).filter(
            ({ error_code }) => error_code === 'internal',
          );
          expect(internal.map(({ scenario_name, error_message }) => ({ scenario_name, error_message }))).toEqual([]);
        }
        expect(server.given() - before).toBeGreaterThanOrEqual(answers.length);
      });
      await server.close();
    },
    WITHIN_MS,
  );
});

interface Ids {
  readonly agent: string;
  /** One that nothing else is about: it may be switched off. */
  readonly changed: string;
  readonly scenario: string;
  readonly run: string;
  readonly scenarioRun: string;
  readonly suite: string;
  readonly webhook: string;
  readonly schedule: string;
}

/** What requests are about: a conversation with a reply of nearly a megabyte is among it. */
async function examined(): Promise<Ids> {
  const long = `${GOOD_REPLY} ${'a'.repeat(900_000)}`;
  const talker = await startFakeOpenAi({ reply: () => long, record: false });
  const agent = await createAgent(service.api, talker.baseUrl);
  const [scenario = ''] = await createScenarios(service.api, 1, {});
  const started = await service.api.post('/start-run', { agent_id: agent, scenario_ids: [scenario], max_turns: 2 });
  const { id: run } = await untilFinal(service.api, started.body.id, WITHIN_MS);
  const [first] = await scenarioRunsOf(service.api, run);
  expect(first).toMatchObject({ status: expect.stringMatching(/passed|failed/) });
  await talker.close();
  const suite = await service.api.post('/api/v1/test-suites', { name: 'Planted', scenario_ids: [scenario] });
  const webhook = await service.api.post('/api/v1/webhooks', { url: `${stopped.origin}/hook` });
  const timed = { name: 'Planted', run: { agent_id: agent }, cron: '0 3 * * *', time_zone: 'UTC', is_enabled: false };
  const schedule = await service.api.post('/api/v1/schedules', timed);
  return {
    agent,
    changed: await createAgent(service.api, stopped.origin),
    scenario,
    run,
    scenarioRun: first.id,
    suite: String(suite.body.id),
    webhook: String(webhook.body.id),
    schedule: String(schedule.body.id),
  };
}

/** Runs are over, and calibrations too. */
async function untilNothingRuns(): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const { body: runs } = await service.api.get('/api/v1/tests?limit=100');
    const { body: calibrations } = await service.api.get('/api/v1/calibrations?limit=100');
    const under = [...runs.runs, ...calibrations.calibrations].filter(
      ({ status }: { status: string }) => !/^(completed|failed|canceled|scheduled)$/.test(status),
    );
    if (under.length === 0) return;
    if (Date.now() > deadline) throw new Error(`These do not end: ${JSON.stringify(under).slice(0, 2_000)}`);
    await sleep(LOOK_MS);
  }
}

function idFor(path: string): string {
  if (path === '/api/v1/agents/{id}') return ids.changed;
  const found: readonly (readonly [string, string])[] = [
    ['/agents/', ids.agent],
    ['/scenario-runs/', ids.scenarioRun],
    ['/scenarios/', ids.scenario],
    ['/test-suites/', ids.suite],
    ['/webhooks/', ids.webhook],
    ['/schedules/', ids.schedule],
    ['/tests/', ids.run],
  ];
  return found.find(([part]) => path.includes(part))?.[1] ?? ids.run;
}

/** An example of the description with what exists here: as it is, and with a hostile text at each place that an example or the schema has. */
function bodiesOf({ method, path, requestBody }: Operation): unknown[] {
  const schema = requestBody?.content['application/json']?.schema ?? {};
  const whole = wholeOf(description, schema);
  const example = ours(description.resolve(schema)['example'] ?? whole);
  const base = STARTS.has(path) ? plant(example, ['scenario_ids', 0], ids.scenario) : example;
  const planted = placesOf(base, whole).flatMap((place, number) => {
    const longest = Math.min(longestAt(description, schema, place) ?? A_MEGABYTE, A_MEGABYTE);
    const isBeyond = longest < A_MEGABYTE && inTurn([...Array(BEYOND_EACH).keys()], number) === 0;
    return someTexts(`${method} ${path} ${place.join('.')}`, TEXTS_IN_REQUESTS).flatMap(([, textOf], at) =>
      [longest, ...(isBeyond && at === 0 ? [A_MEGABYTE] : [])].map((bytes) =>
        plant(base, place, textOf(bytes - 5_000 > 0 ? bytes - 5_000 : bytes), whole),
      ),
    );
  });
  return [base, ...planted];
}

const QUOTING = { index: 0, decision: 'MET', rationale: '', evidence: [{ turn: 1, quote: GOOD_REPLY }] };

/** With what exists here, however deep it is named. */
function ours(example: unknown): unknown {
  if (Array.isArray(example)) return example.map(ours);
  if (typeof example !== 'object' || example === null) return example;
  const known: Readonly<Record<string, unknown>> = {
    agent_id: ids.agent,
    scenario_ids: [ids.scenario],
    test_run_id: ids.run,
    ...('reviewer' in example && { criteria: [QUOTING] }),
  };
  return Object.fromEntries(Object.entries(example).map(([key, value]) => [key, known[key] ?? ours(value)]));
}

async function removeMade(path: string, answer: string): Promise<void> {
  const { id } = JSON.parse(answer);
  expect((await service.api.delete(`${path}/${String(id)}`)).status).toBe(204);
}

interface InTurn extends HttpStub {
  /** How many answers it has given. */
  given(): number;
}

/** One answer after the other, to whatever is asked. */
async function startInTurn(answers: readonly unknown[]): Promise<InTurn> {
  let count = 0;
  const written = answers.map((answer) => JSON.stringify(answer));
  const stub = await startHttpStub(
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(written[count % written.length]);
      count += 1;
    },
    { record: false },
  );
  return Object.assign(stub, { given: () => count });
}
