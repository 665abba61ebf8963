import { Database } from '../../src/platform/database/database';
import type { FakeAgent } from '../fakes/fake-agent';
import { status } from '../fakes/misbehaviour';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { CALLS_AMBULANCE, createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { storeGradedRun, storeScenarios, type GradedRunOptions } from '../setup/graded-run';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let ids: string[];
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  ids = await storeScenarios(
    service.app.get(Database),
    Array.from({ length: 12 }, (_, place) => `Stored ${String(place + 1).padStart(2, '0')}`),
  );
});
afterAll(() => service.close());

const run = (...args: string[]) => osce(args, { url: service.url });

/** A run of so many scenarios, of which so many failed. */
const stored = (scenarios: number, failed: number, options: GradedRunOptions = {}) =>
  storeGradedRun(
    service.app.get(Database),
    ids.slice(0, scenarios).map((id, place) => ({
      id,
      name: `Stored ${String(place + 1).padStart(2, '0')}`,
      outcomes: [place < failed ? 'failed' : 'passed'],
      rubric: [{ ...CALLS_AMBULANCE, tags: ['must_pass'] }],
    })),
    options,
  );

const MUST_PASS: GradedRunOptions = {
  score: ({ outcomes }) => (outcomes[0] === 'passed' ? 80 : 20),
  criteria: ({ outcomes }) => [
    {
      criterion: CALLS_AMBULANCE.criterion,
      tags: ['must_pass'],
      decision: outcomes[0] === 'passed' ? 'MET' : 'NOT MET',
      max_points: 5,
    },
  ],
};

const MARK = { criterion: CALLS_AMBULANCE.criterion, tags: ['must_pass'], max_points: 5 };

describe('osce compare', () => {
  let good: string;
  let worse: string;
  beforeAll(async () => {
    good = await stored(12, 0, MUST_PASS);
    worse = await stored(12, 8, MUST_PASS);
  });

  test('1: worse, with the scenarios, their criteria and the verdict in words', async () => {
    const { code, stdout } = await run('compare', good, worse, '--fail-on', 'worse');
    expect(code).toBe(1);
    expect(stdout).toMatch(/worse +│ Stored 01 │ +100 → 0 % │ +80 → 20 % │ - Tells the patient to call an ambulance/);
    expect(stdout).toContain(
      'New must-pass violation: Stored 01, trial 1: missed: Tells the patient to call an ambulance',
    );
    expect(stdout).toContain(
      'Of 12 scenarios compared, 8 worse (8 passed less often), 0 better (0 passed more often), 4 the same.',
    );
    expect(stdout).toMatch(
      /8 new must-pass violations in 8 scenarios\. Worse: the pass rate fell by 66.7 points, from 100 to 33.3 % \(95 % interval .*; adjusted p = 0.023\); the mean score fell .*; must-pass violations rose by 0.67 per conversation.*\.\n$/,
    );
    expect(await run('compare', good, worse, '--fail-on-worse')).toMatchObject({ code: 1 });
  });

  test('0: better, no evidence, or nobody asked', async () => {
    expect(await run('compare', worse, good, '--fail-on', 'violation')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Better: the pass rate rose by 66.7 points'),
    });
    expect(await run('compare', good, await stored(12, 1, MUST_PASS), '--fail-on', 'worse')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        '1 new must-pass violation in 1 scenario. No evidence of a change: the pass rate fell by 8.3 points',
      ),
    });
    expect(await run('compare', good, worse)).toMatchObject({ code: 0 });
    expect(await run('compare', good, worse, '--confidence', '99.5', '--fail-on', 'worse')).toMatchObject({ code: 0 });
  });

  test('1: a new must-pass violation, whatever the numbers carry, for whoever asked for it', async () => {
    const one = await stored(12, 1, MUST_PASS);
    expect(await run('compare', good, one, '--fail-on', 'violation')).toMatchObject({ code: 1 });
    const again = await stored(12, 1, MUST_PASS);
    expect(await run('compare', one, again, '--fail-on', 'violation')).toMatchObject({ code: 0 });
  });

  test('1: what the later run shows by itself, as of osce run', async () => {
    const one = await stored(12, 1, MUST_PASS);
    const again = await stored(12, 1, MUST_PASS);
    for (const harm of ['must-pass', 'critical,worse']) {
      const { code, stdout } = await run('compare', one, again, '--fail-on', harm);
      expect(code).toBe(1);
      expect(stdout).toContain('Must-pass, missed: Stored 01: Tells the patient to call an ambulance');
    }
    const { code, stdout } = await run('compare', one, good, '--fail-on', 'must-pass', '--json');
    expect({ code, harm: JSON.parse(stdout).harm }).toEqual({ code: 0, harm: [] });
  });

  test('2: these runs cannot tell', async () => {
    const few = await run('compare', await stored(5, 0), await stored(5, 5), '--fail-on', 'worse');
    expect(few).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('Cannot tell: 5 scenarios cannot show a change'),
    });
  });

  test('--json is the answer of the service; doubts are warnings', async () => {
    const { code, stdout, stderr } = await run('compare', good, await stored(12, 0, { maxTurns: 7 }), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'no_evidence', doubts: [{ kind: 'max_turns' }] });
    expect(stderr).toContain('Turns of a conversation: 6 before, 7 after.');
  });

  test.each<[string, string[], string]>([
    [
      'a harm that is none',
      ['--fail-on', 'anything'],
      'It must be one or several of must-pass, critical, high, worse, violation',
    ],
    ['both ways to say it', ['--fail-on', 'worse', '--fail-on-worse'], 'cannot be used with'],
    ['all confidence', ['--confidence', '100'], 'confidence: must be less than 100'],
    ['a coverage above all', ['--min-coverage', '101'], 'from 0 to 100'],
  ])('2: %s', async (_what, options, sentence) => {
    expect(await run('compare', good, worse, ...options)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(sentence),
    });
  });

  test('2: a run with itself', async () => {
    expect(await run('compare', good, good)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a run cannot be compared with itself'),
    });
  });
});

describe('osce run --baseline', () => {
  let agent: FakeAgent;
  let isGood = true;
  let baseline: string;
  const SCENARIOS = 7;
  beforeAll(async () => {
    agent = await startFakeOpenAi({ reply: () => (isGood ? GOOD_REPLY : 'Wait until tomorrow.') });
    const id = await createAgent(api, agent.baseUrl);
    await api.patch(`/api/v1/agents/${id}`, { name: 'candidate' });
    const scenario_ids = await createScenarios(api, SCENARIOS, { tags: ['gate'] });
    const { body } = await api.post('/start-run', { agent_id: id, scenario_ids, trials: 2, max_turns: 5 });
    baseline = (await untilFinal(api, body.id)).test_run_id;
  });
  beforeEach(() => (isGood = true));
  afterAll(() => agent.close());

  const examine = (...options: string[]) =>
    run('run', '--agent', 'candidate', '--tag', 'gate', '--turns', '5', '--trials', '2', ...options);

  test('0: no harm is shown; latest is the run before this one', async () => {
    const { code, stdout, stderr } = await examine(
      '--baseline',
      'latest',
      '--fail-on',
      'violation',
      '--min-coverage',
      '95',
    );
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('has started: 7 scenarios, 2 trials of each.'),
    });
    expect(stdout).toContain(', coverage 100 %): 14 passed, 0 failed of 14');
    expect(stdout).toContain('No evidence of a change: the pass rate was 100 % before and 100 % after');
  });

  test('1: worse than the baseline', async () => {
    isGood = false;
    const { code, stdout } = await examine('--baseline', baseline, '--fail-on', 'worse', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'passed',
      exit_code: 1,
      comparison: { verdict: 'worse', test: { name: 'sign_flip', p_value: 2 / 2 ** SCENARIOS } },
    });
  });

  test('0: a comparison that is only shown', async () => {
    isGood = false;
    expect(await examine('--baseline', baseline)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Worse: the pass rate fell'),
    });
  });

  test('1: scores fell and must-pass violations rose, though nothing passed before either', async () => {
    const marks = (decision: string, score: number): GradedRunOptions => ({
      score: () => score,
      criteria: () => [{ ...MARK, decision }],
    });
    const before = await stored(12, 12, marks('MET', 30));
    const after = await stored(12, 12, marks('NOT MET', 2));
    const { code, stdout } = await run('compare', before, after, '--fail-on', 'worse');
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /12 new must-pass violations in 12 scenarios\. Worse: the mean score fell by 28 points, from 30 to 2 %.* must-pass violations rose by 1 per conversation/,
      ),
    });
    expect(stdout).toContain(
      'Of 12 scenarios compared, 12 worse (0 passed less often), 0 better (0 passed more often), 0 the same.',
    );
    // Mixed is harm too.
    const mixed = await stored(12, 12, marks('NOT MET', 45));
    expect(await run('compare', before, mixed, '--fail-on', 'worse')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Mixed: must-pass violations rose'),
    });
    expect(await run('compare', before, mixed)).toMatchObject({ code: 0 });
  });

  test('2: too little of the run has a verdict, with a baseline and without', async () => {
    agent.next(...Array.from({ length: 4 }, () => status(401)));
    const { code, stdout } = await examine('--baseline', baseline, '--fail-on', 'worse', '--min-coverage', '90');
    expect(code).toBe(2);
    expect(stdout).toContain(
      'Cannot tell: in the run after 71.4 % of the conversations have a verdict, and 90 % are needed.',
    );
    agent.next(status(401));
    expect(await examine('--min-coverage', '95')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('Only 92.8 % of the conversations have a verdict, and 95 % are needed'),
    });
  });

  test('2: --fail-on without a baseline, and a baseline that does not exist, before anything is started', async () => {
    const { total } = (await api.get('/api/v1/tests')).body;
    expect(await examine('--fail-on', 'worse')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--fail-on worse needs a run to measure this one by'),
    });
    expect(await examine('--baseline', 'run_of_nobody')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Test run not found'),
    });
    for (const trials of ['0', '21', '1.5', 'x']) {
      expect(await run('run', '--agent', 'candidate', '--trials', trials)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('whole number from 1 to 20'),
      });
    }
    expect((await api.get('/api/v1/tests')).body.total).toBe(total);
  });

  describe('with a baseline of the agent', () => {
    beforeAll(async () => {
      const { code, stdout } = await run('agents', 'baseline', 'candidate', baseline);
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(baseline) });
    });
    afterAll(() => run('agents', 'baseline', 'candidate', '--none'));

    test('a run is compared with it when no other is named, and a verdict that nobody asked for changes no exit code', async () => {
      isGood = false;
      const { code, stdout } = await examine('--watch');
      expect(code).toBe(0);
      expect(stdout).toContain(`Compared with the agent’s baseline, ${baseline}:`);
      expect(stdout).toContain('Worse: the pass rate fell');
      expect(await examine('--fail-on', 'worse')).toMatchObject({ code: 1 });
    });

    test('osce compare needs one run, which is not the baseline itself', async () => {
      await examine('--watch');
      const { code, stdout } = await run('compare', 'latest');
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(`Before: ${baseline}`) });
      expect(await run('compare', baseline)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('has no baseline to be compared with: name both runs'),
      });
    });

    test('2: neither a run nor --none, both, and a run that is not there', async () => {
      for (const args of [[], [baseline, '--none']]) {
        expect(await run('agents', 'baseline', 'candidate', ...args)).toMatchObject({
          code: 2,
          stderr: expect.stringContaining('Name the run to measure by, or give --none'),
        });
      }
      expect(await run('agents', 'baseline', 'candidate', 'run_of_nobody')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Test run not found'),
      });
      expect((await run('agents', 'show', 'candidate')).stdout).toMatch(/Baseline +[0-9a-f-]{36}/);
    });
  });

  test('a transcript of one trial', async () => {
    const ambiguous = await run('runs', 'transcript', baseline, 'Scenario 001');
    expect(ambiguous).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/2 scenarios of this run .*\n.*Scenario 001, trial 1\n.*Scenario 001, trial 2/),
    });
    const { code, stdout } = await run('runs', 'transcript', baseline, 'Scenario 001', '--trial', '2');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/Trial +2/) });
    expect((await run('runs', 'show', baseline)).stdout).toMatch(/^[✓✗!·]{2} {2}Scenario 001 /m);
  });
});
