import fc from 'fast-check';
import { createLog } from '../../src/platform/config/log';
import { Database } from '../../src/platform/database';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { IdPool, type Collection } from '../fuzz/id-pool';
import { requestArbitrary, type FuzzRequest } from '../fuzz/request-arbitrary';
import { RawSender } from '../fuzz/send';
import { ApiClient } from '../setup/api-client';
import { ApiDescription, type Operation, type RawAnswer } from '../setup/api-description';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { tries } from '../setup/sample';
import { KEYS } from '../setup/role-keys';
import { startTestService, type TestService } from '../setup/service';
import { storeScreenshot } from '../setup/stored-screenshot';
import { constructedVoice, storeSpokenRun } from '../setup/stored-spoken-run';

/** Sent together, so that requests also meet each other. */
const AT_ONCE = 10;
const BATCHES = Number(process.env['FUZZ_REQUESTS'] ?? tries({ inCi: 5_000, elsewhere: 2_000 })) / AT_ONCE;
/** A review is taken about once in fifty requests, and a round has some eighteen for it: it is missing after ten rounds in one of fifty runs. */
const MOST_ROUNDS = 40;
const SEED = process.env['FUZZ_SEED'];

/** The operations whose answer names something new: of what kind, and in which field. */
const MAKES: ReadonlyMap<string, readonly [kind: Collection, field: string]> = new Map([
  ['createAgent', ['agents', 'id']],
  ['createScenario', ['scenarios', 'scenario_id']],
  ['createTestSuite', ['test-suites', 'id']],
  ['createCalibration', ['calibrations', 'id']],
  ['createSchedule', ['schedules', 'id']],
  ['createWebhook', ['webhooks', 'id']],
  ['createKey', ['keys', 'id']],
  ['testWebhook', ['webhook-deliveries', 'id']],
  ['startRun', ['tests', 'id']],
  ['startRunSet', ['run-sets', 'id']],
]);

const HEADERS = { 'x-api-key': KEYS.admin };

let service: TestService;
let agent: FakeAgent;
let sender: RawSender;
let description: ApiDescription;
let ids: IdPool;
const errorLines: string[] = [];

beforeAll(async () => {
  const log = createLog('error', { write: (line) => errorLines.push(line) });
  // A service that asks for no key makes none.
  service = await startTestService({ MAX_ACTIVE_SCENARIOS: '10', SERVICE_API_KEY: KEYS.admin }, { log });
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY, apiKey: 'sk-test' });
  sender = new RawSender(service.url, HEADERS);
  description = await ApiDescription.of(service.url, KEYS.admin);
  ids = await someOfEverything(new ApiClient(service.url, HEADERS));
});
afterAll(async () => {
  sender.close();
  await service.close();
  await agent.close();
});

/** A finished run to look at, and an agent that refuses every key: runs of the fuzz end as soon as they begin. */
async function someOfEverything(api: ApiClient): Promise<IdPool> {
  const good = await createAgent(api, agent.baseUrl);
  const refusing = await createAgent(api, agent.baseUrl, { api_key: 'sk-wrong' });
  const pool = new IdPool([refusing], [good]);
  const scenarioIds = await createScenarios(api, 2);
  for (const id of scenarioIds) pool.add('scenarios', id);
  const { body: suite } = await api.post('/api/v1/test-suites', { name: 'Both', scenario_ids: scenarioIds });
  pool.add('test-suites', String(suite.id));
  const { body: run } = await api.post('/start-run', { agent_id: good, scenario_ids: scenarioIds, max_turns: 5 });
  await untilFinal(api, run.id);
  pool.addLasting('tests', String(run.id));
  pool.addLasting('tests', String(run.test_run_id));
  for (const scenarioRun of await scenarioRunsOf(api, run.id)) pool.addLasting('scenario-runs', String(scenarioRun.id));
  const { body: refused } = await api.post('/start-run', { agent_id: refusing, scenario_ids: scenarioIds });
  await untilFinal(api, refused.id);
  pool.addLasting('tests', String(refused.id));
  for (const { id } of await scenarioRunsOf(api, refused.id)) {
    await storeScreenshot(service.database, String(id));
    pool.addLasting('scenario-runs', String(id));
  }
  const voice = constructedVoice(3_000, 1);
  const turn = { said: 'Hello.', replied: 'Take a rest.', spoken: { from_ms: 0, to_ms: 1_000 } };
  const spoken = await storeSpokenRun(service.app.get(Database), [
    { turns: [turn], recording: { patient: voice, agent: voice } },
  ]);
  pool.addLasting('tests', spoken.id);
  for (const id of spoken.scenarioRunIds) pool.addLasting('scenario-runs', id);
  return pool;
}

test('no request makes the service fail, and every answer is one that the description promises', async () => {
  const seen = new Set<string>();
  await fuzz(description.operations, BATCHES, seen);
  // A fuzz that only meets refusals tests the front door: each operation is also done once, if not by now, then in more rounds.
  const makers = description.operations.filter(({ operationId }) => MAKES.has(operationId));
  for (let round = 0; round < MOST_ROUNDS && undone(seen).length > 0; round++) {
    // All that there was of a kind may have been deleted: more of it is made.
    await fuzz([...new Set([...undone(seen), ...makers])], BATCHES / 10, seen);
  }
  expect(undone(seen).map(({ operationId }) => operationId)).toEqual([]);
  expect(errorLines).toEqual([]);
  // The limit of what hangs: a quiet machine takes half a minute.
}, 300_000);

async function fuzz(operations: readonly Operation[], numRuns: number, seen: Set<string>): Promise<void> {
  const batches = fc.array(requestArbitrary(description, operations, ids), { minLength: AT_ONCE, maxLength: AT_ONCE });
  await fc.assert(
    fc.asyncProperty(batches, async (requests) => {
      const answers = await Promise.all(requests.map((request) => sender.send(request)));
      requests.forEach((request, index) => {
        const answer = answers[index];
        if (answer === undefined) return;
        const problem = problemOf(request, answer);
        if (problem !== null)
          throw new Error(`${problem}: ${String(request[fc.toStringMethod]())}\n${answer.status} ${answer.text}`);
        remember(request, answer);
        seen.add(`${request.operation?.operationId ?? 'nowhere'} ${answer.status}`);
      });
    }),
    { numRuns, endOnFailure: true, ...(SEED !== undefined && { seed: Number(SEED) }) },
  );
}

function undone(seen: ReadonlySet<string>): readonly Operation[] {
  return description.operations.filter((operation) => !wasDone(operation, seen));
}

function wasDone({ operationId, responses }: Operation, seen: ReadonlySet<string>): boolean {
  return Object.keys(responses).some((status) => Number(status) < 300 && seen.has(`${operationId} ${status}`));
}

function problemOf({ operation }: FuzzRequest, answer: RawAnswer): string | null {
  if (operation !== null) {
    if (answer.status >= 500) return `status ${answer.status}`;
    return description.problemOf(operation, answer);
  }
  if (answer.status < 400 || answer.status >= 500) return `status ${answer.status} for a request to nowhere`;
  return /^\{"error":".+"\}$/.test(answer.text) ? null : 'an error that is not { "error": string }';
}

/** What was made may be asked for, changed and deleted by later requests. */
function remember({ operation }: FuzzRequest, { status, text }: RawAnswer): void {
  const made = MAKES.get(operation?.operationId ?? '');
  if (made === undefined || status < 200 || status > 202) return;
  const [kind, field] = made;
  ids.add(kind, idIn(text, field));
}

function idIn(text: string, field: string): string {
  const body: Readonly<Record<string, unknown>> = JSON.parse(text);
  return String(body[field]);
}
