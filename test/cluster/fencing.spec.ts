import { setTimeout as sleep } from 'node:timers/promises';
import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { startFakeAnthropic } from '../fakes/anthropic-server';
import { completion, startFakeOpenAi } from '../fakes/openai-server';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { Cluster } from './cluster';

const SCENARIOS = 4;
const TURNS = 5;
/** From this turn on the agent answers only when it is told to. */
const HELD_TURN = 2;

let cluster: Cluster;
let agent: HttpStub;
/** Answers that wait, each with the words it is to have. */
let held: ((words: string) => void)[];
let isHolding: boolean;

beforeEach(async () => {
  held = [];
  isHolding = true;
  agent = await startHttpStub((response, { body }) => {
    const { messages } = body as { messages: readonly unknown[] };
    const turn = (messages.length + 1) / 2;
    const answer = (words: string): void => sendJson(response, 200, completion(`${GOOD_REPLY} ${words} turn ${turn}.`));
    if (isHolding && turn >= HELD_TURN) held.push(answer);
    else answer('Undisturbed,');
  });
  cluster = await Cluster.start({ processes: 1 });
});
afterEach(async () => {
  await cluster.close();
  await agent.close();
});

function release(words: string): void {
  for (const answer of held.splice(0)) answer(words);
}

test('an owner that was paused before it sends a message does not send it after its lease', async () => {
  const models = await startFakeAnthropic({ delayMs: 1_000 });
  const prompt = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  const pair = await Cluster.start({
    processes: 1,
    variables: { ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: models.url },
  });
  try {
    const stale = pair.process(0);
    const agent_id = await createAgent(stale.api, prompt.baseUrl);
    const scenario_ids = await createScenarios(stale.api, SCENARIOS);
    const { body } = await stale.api.post('/start-run', { agent_id, scenario_ids, max_turns: TURNS });
    await eventually(() => expect(models.inFlight).toBe(SCENARIOS));

    // The patients' first words arrive at sockets that nobody reads.
    stale.pause();
    await pair.addProcess();
    const successor = pair.process(1);
    expect(await untilFinal(successor.api, String(body.id), 90_000)).toMatchObject({ passed_count: SCENARIOS });
    stale.resume();
    await sleep(3_000);
    expect(prompt.requests).toHaveLength(SCENARIOS * TURNS);
    // Each was marked once, and its proofs were read once.
    expect(models.calls.judge).toBe(2 * SCENARIOS);
  } finally {
    await pair.close();
    await prompt.close();
    await models.close();
  }
});

test('what an owner that was paused writes after its lease is refused', async () => {
  const stale = cluster.process(0);
  const agent_id = await createAgent(stale.api, `${agent.origin}/v1`, { turn_timeout_ms: 120_000 });
  const scenario_ids = await createScenarios(stale.api, SCENARIOS);
  const { body } = await stale.api.post('/start-run', { agent_id, scenario_ids, max_turns: TURNS });
  const id = String(body.id);
  await agent.until(() => held.length === SCENARIOS);

  // The answers arrive at sockets that nobody reads.
  stale.pause();
  release('Stale,');
  await cluster.addProcess();
  const successor = cluster.process(1);
  // When the lease has run out, the same turn is sent by the next attempt.
  await agent.until(() => held.length === SCENARIOS);

  stale.resume();
  // Time enough to read the stale answers and to try to record them.
  await sleep(3_000);
  isHolding = false;
  release('Of the next attempt,');

  expect(await untilFinal(successor.api, id, 60_000)).toMatchObject({ status: 'completed', passed_count: SCENARIOS });
  for (const result of await scenarioRunsOf(successor.api, id)) {
    expect(result).toMatchObject({ attempt: 2, metadata: { in_doubt_turns: [HELD_TURN] } });
    const { transcript } = (await successor.api.get(`/api/v1/scenario-runs/${result.id}`)).body;
    const replies = transcript.filter((entry: { role: string }) => entry.role === 'agent');
    expect(replies.map((entry: { content: string }) => entry.content)).toEqual([
      `${GOOD_REPLY} Undisturbed, turn 1.`,
      `${GOOD_REPLY} Of the next attempt, turn 2.`,
      ...[3, 4, 5].map((turn) => `${GOOD_REPLY} Undisturbed, turn ${turn}.`),
    ]);
  }
  // The stale owner sent nothing after it woke up.
  expect(agent.requests).toHaveLength(SCENARIOS * TURNS + SCENARIOS);
});
