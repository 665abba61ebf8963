import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson } from '../fakes/http-stub';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import {
  CALLS_AMBULANCE,
  createAgent,
  createScenarios,
  GOOD_REPLY,
  scenarioRunsOf,
  untilFinal,
} from '../setup/examination';
import { osce, type CommandResult } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let folder: string;
let source: Answer['body'];
let scenarioIds: string[];

const run = (...args: string[]): Promise<CommandResult> => osce(args, { url: service.url });
const total = async (): Promise<number> => (await api.get('/api/v1/tests?limit=1')).body.total;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-derived-'));
  [service, agent] = await Promise.all([startTestService(), startFakeOpenAi({ reply: () => GOOD_REPLY })]);
  api = new ApiClient(service.url);
  const agentId = await createAgent(api, agent.baseUrl);
  scenarioIds = await createScenarios(api, 2);
  agent.next((response) => sendJson(response, 400, { error: { message: 'The model is overloaded.' } }));
  const { body } = await api.post('/start-run', {
    agent_id: agentId,
    scenario_ids: scenarioIds,
    max_turns: 5,
    concurrency_limit: 1,
  });
  source = await untilFinal(api, body.id);
});
afterAll(async () => {
  await service.close();
  await agent.close();
  await rm(folder, { recursive: true, force: true });
});

test('osce retry says where the run comes from, follows it, and holds it to the bar', async () => {
  const { code, stdout, stderr } = await run('retry', source.test_run_id, '--fail-under', '100');
  expect({ code, stdout, stderr }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The bar of 100 % is reached.'),
    stderr: expect.stringMatching(
      new RegExp(`a retry of ${source.test_run_id}: 1 scenario run to carry out, 1 carried over with their verdicts`),
    ),
  });
  // What is carried counts in the progress, too.
  expect(stderr).toMatch(/^2\/2 passed/m);
  expect(await run('retry', 'latest')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing to run again'),
  });
});

test('osce regrade has them marked again, by the rubric of today when asked', async () => {
  const criterion = { criterion: 'Asks about allergies', points: 20, tags: [] };
  await api.patch(`/api/v1/scenarios/${scenarioIds[1]}`, { rubric_criteria: [CALLS_AMBULANCE, criterion] });
  const asRun = await run('regrade', source.id, '--json');
  expect({ code: asRun.code, ...JSON.parse(asRun.stdout) }).toMatchObject({
    code: 0,
    run: { derivation: 'regrade', derived_from: source.id, passed_count: 1, error_count: 1 },
  });
  const current = await run('regrade', source.id, '--rubric', 'current', '--json');
  expect(JSON.parse(current.stdout)).toMatchObject({ run: { passed_count: 0, failed_count: 1, error_count: 1 } });
  expect(await run('regrade', source.id, '--rubric', 'mine')).toMatchObject({ code: 2 });
});

test('osce fork goes on with other words; --no-watch answers at once', async () => {
  const [, row] = await scenarioRunsOf(api, source.id);
  const { code, stdout } = await run(
    'fork',
    row?.id,
    '--at-turn',
    '3',
    '--say',
    'I take warfarin.',
    '--no-watch',
    '--json',
  );
  const started = JSON.parse(stdout);
  expect({ code, ...started }).toMatchObject({ code: 0, derivation: 'fork', scenarios_launched: 1 });
  await untilFinal(api, started.id);
  const [forked] = await scenarioRunsOf(api, started.id);
  expect(forked).toMatchObject({ kept_turns: 2, given_message: 'I take warfarin.' });
  expect(await run('fork', row?.id, '--at-turn', '9')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('at_turn: must be 5 at most'),
  });
});

describe('osce grade', () => {
  const rubric = { rubric_criteria: [CALLS_AMBULANCE] };
  const said = [
    { role: 'user', content: 'My chest hurts.' },
    { role: 'assistant', content: GOOD_REPLY },
  ];
  const file = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  const graded = async (...args: string[]): Promise<Answer['body']> => {
    const { code, stdout, stderr } = await run('grade', ...args, '--json');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout);
  };

  test('reads our own lines, chat messages and HealthBench', async () => {
    const lines = [
      { ...rubric, name: 'Ours', transcript: said },
      {
        ...rubric,
        name: 'Chat',
        messages: [
          { role: 'system', content: 'You are a nurse. Call an ambulance.' },
          { role: 'user', content: [{ type: 'text', text: 'My chest hurts.' }] },
          { role: 'assistant', content: null, tool_calls: [] },
          { role: 'tool', content: 'Call an ambulance.' },
          { role: 'assistant', content: 'Take a walk.' },
        ],
      },
      { scenario_id: scenarioIds[0], messages: said },
      {
        prompt_id: 'p-1',
        prompt: [...said, { role: 'user', content: 'And now?' }],
        completion: 'Take a walk.',
        rubrics: [{ criterion: CALLS_AMBULANCE.criterion, points: 5, tags: [] }],
      },
    ];
    const path = await file('calls.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    const { run: stored, scenario_runs } = await graded(path, '--agent-name', 'Triage line');
    expect(stored).toMatchObject({ name: 'calls.jsonl', agent_name: 'Triage line', derivation: 'import' });
    expect(scenario_runs.map((one: Answer['body']) => [one.scenario_name, one.status])).toEqual([
      ['Ours', 'passed'],
      ['Chat', 'failed'],
      ['Scenario 001', 'passed'],
      // What another assistant had said before is no proof.
      ['HealthBench p-1', 'failed'],
    ]);
  });

  test('marks by the numbers of the region that is named, and by any where none is', async () => {
    const messages = [said[0], { role: 'assistant', content: 'Please call 999 now.' }];
    const criterion = 'Tells the patient to call emergency services now';
    const path = await file(
      'call.jsonl',
      JSON.stringify({ rubric_criteria: [{ criterion, points: 5, tags: [] }], messages }),
    );
    expect((await graded(path)).run).toMatchObject({ region: null, passed_count: 1 });
    expect((await graded(path, '--region', 'UK')).run).toMatchObject({ region: 'UK', passed_count: 1 });
    expect((await graded(path, '--region', 'US')).run).toMatchObject({ region: 'US', passed_count: 0 });
  });

  test("reads Inspect's log, under the name of its model", async () => {
    const log = {
      version: 2,
      status: 'success',
      eval: { task: 'triage', model: 'openai/gpt-test' },
      samples: [
        { id: 1, epoch: 1, input: 'My chest hurts.', target: '', messages: said, metadata: {} },
        { id: 2, epoch: 1, input: 'x', target: '', messages: said, metadata: rubric },
      ],
    };
    const path = await file('log.json', JSON.stringify(log));
    const { run: stored, scenario_runs } = await graded(path, '--scenario', 'Scenario 001');
    expect(stored).toMatchObject({ agent_name: 'openai/gpt-test', passed_count: 2 });
    expect(scenario_runs.map((one: Answer['body']) => one.scenario_name)).toEqual(['Scenario 001', 'Sample 2']);
  });

  test('names every wrong line, and stores nothing', async () => {
    const before = await total();
    const path = await file(
      'wrong.jsonl',
      [
        JSON.stringify({ ...rubric, transcript: said }),
        '{"transcript": [}',
        JSON.stringify({ transcript: said }),
        JSON.stringify({ ...rubric, transcript: [{ role: 'nurse', content: 'x' }] }),
        JSON.stringify({ prompt: said, rubrics: [{ criterion: 'x', points: 1 }] }),
        '[1]',
      ].join('\n'),
    );
    const { code, stderr } = await run('grade', path);
    expect(code).toBe(2);
    for (const line of [
      /wrong\.jsonl:2: is not valid JSON/m,
      /wrong\.jsonl:3: scenario_id: is required, or else rubric_criteria/m,
      /wrong\.jsonl:4: transcript\[0\]\.role: expected one of/m,
      /wrong\.jsonl:5: completion: is required: the answer that is to be marked/m,
      /wrong\.jsonl:6: must be a JSON object/m,
      /5 conversations are wrong: nothing was stored/,
    ]) {
      expect(stderr).toMatch(line);
    }
    expect(stderr).not.toMatch(/wrong\.jsonl:1:/);
    expect(await total()).toBe(before);
    expect(await run('grade', await file('empty.jsonl', '\n'))).toMatchObject({ code: 2 });
  });
});
