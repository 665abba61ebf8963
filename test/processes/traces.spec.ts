import { status } from '../fakes/misbehaviour';
import { GOOD_REPLY, scenarioRunsOf } from '../setup/examination';
import {
  AGENT_KEY,
  examineTraced,
  named,
  startTracedService,
  traceOf,
  treeOf,
  type TracedService,
} from '../setup/traced-service';

let service: TracedService;
beforeAll(async () => {
  service = await startTracedService();
});
afterAll(() => service.close());

const digitsOf = (id: string): string => id.replaceAll('-', '');

test('a run is one trace: the run, its scenario runs, their turns, and the calls to tester, agent and judge', async () => {
  const id = await examineTraced(service);
  const spans = await traceOf(service, id);
  const scenarioRun = 'test run > scenario run';
  const turns = [1, 2, 3, 4, 5].map((turn) => `${scenarioRun} > turn ${turn}`);
  expect(treeOf(spans)).toEqual(
    [
      'test run',
      scenarioRun,
      `${scenarioRun} > connect openai`,
      `${scenarioRun} > chat offline`,
      ...turns,
      ...turns.map((turn) => `${turn} > chat offline`),
      ...turns.map((turn) => `${turn} > invoke_agent`),
    ].sort(),
  );
  const [root] = named(spans, 'test run');
  expect(root).toMatchObject({
    traceId: digitsOf(id),
    spanId: digitsOf(id).slice(16),
    attributes: { 'agent_osce.status': 'completed', 'agent_osce.provider': 'openai', 'agent_osce.pass_rate': 100 },
    resource: { 'service.name': 'agent-osce' },
    isError: false,
  });
  const [run] = await scenarioRunsOf(service.api, id);
  expect(named(spans, 'scenario run')[0]?.attributes).toMatchObject({
    'agent_osce.scenario_run.id': run.id,
    'agent_osce.scenario.id': run.scenario_id,
    'agent_osce.verdict': 'passed',
    'agent_osce.attempt': 1,
    'agent_osce.turns': 5,
  });
  expect(named(spans, 'invoke_agent')[0]).toMatchObject({
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'openai',
      'gen_ai.conversation.id': run.id,
      'gen_ai.usage.input_tokens': 11,
      'gen_ai.usage.output_tokens': 7,
    },
  });
  const judged = spans.find(({ attributes }) => attributes['agent_osce.role'] === 'judge');
  expect(judged?.events).toEqual([
    {
      name: 'gen_ai.evaluation.result',
      attributes: {
        'gen_ai.evaluation.name': 'rubric',
        'gen_ai.evaluation.score.value': 100,
        'gen_ai.evaluation.score.label': 'passed',
      },
    },
  ]);
});

test('the agent hears of the trace in each request, as part of the call that it answers', async () => {
  const id = await examineTraced(service);
  const calls = named(await traceOf(service, id), 'invoke_agent');
  const turnOf = ({ attributes }: (typeof calls)[number]) => Number(attributes['agent_osce.turn']);
  const heard = service.agent.requests.slice(-5).map(({ headers }) => headers['traceparent']);
  expect(heard).toEqual(
    calls.toSorted((one, other) => turnOf(one) - turnOf(other)).map(({ spanId }) => `00-${digitsOf(id)}-${spanId}-01`),
  );
});

test('a traceparent of the agent’s own config stays as it is', async () => {
  const own = '00-11111111111111111111111111111111-2222222222222222-01';
  await examineTraced(service, { config: { headers: { Traceparent: own } } });
  expect(service.agent.requests.slice(-5).map(({ headers }) => headers['traceparent'])).toEqual(Array(5).fill(own));
});

test('an error is named by its code, on the call that met it and on what it ended', async () => {
  service.agent.next(
    status(200, { choices: [{ message: { content: GOOD_REPLY } }] }),
    status(401, { error: { message: 'The moon is made of cheese.' } }),
  );
  const spans = await traceOf(service, await examineTraced(service));
  const failed = spans.filter(({ isError }) => isError);
  expect(failed.map(({ name, attributes }) => [name, attributes['error.type']]).sort()).toEqual([
    ['invoke_agent', 'auth_failed'],
    ['scenario run', 'auth_failed'],
    ['test run', 'test_run_failed'],
    ['turn 2', 'auth_failed'],
  ]);
  expect(JSON.stringify(service.collector.requests)).not.toContain('cheese');
});

test('no word of the conversation and no credential leaves the service', async () => {
  const id = await examineTraced(service);
  await traceOf(service, id);
  const [run] = await scenarioRunsOf(service.api, id);
  const { body } = await service.api.get(`/api/v1/scenario-runs/${run.id}`);
  const transcript = JSON.stringify(body);
  const received = JSON.stringify(service.collector.requests);
  for (const said of [GOOD_REPLY, 'chest', 'ambulance']) {
    expect(transcript).toContain(said);
    expect(received).not.toContain(said);
  }
  expect(received).not.toContain(AGENT_KEY);
});
