import type { Examiners } from '../../../../src/engine/ledger';
import type {
  PastResult,
  PastRun,
  SevereScenarios,
} from '../../../../src/features/statistics/history/agent-history.store';
import { affordable, HistoryLine } from '../../../../src/features/statistics/history/history-line';
import { rateOf } from '../../../../src/domain/statistics';

const run = (id: string, changes: Partial<PastRun> = {}): PastRun => ({
  id,
  test_run_id: `run-${id}`,
  name: null,
  status: 'completed',
  derivation: null,
  agent_name: 'Agent',
  agent_version: null,
  agent_config_hash: 'hash',
  trials: 2,
  max_turns: 10,
  pass_threshold: 60,
  region: 'EU',
  modality: 'text',
  total_scenarios: 100,
  at: '2026-11-29T00:00:00.000Z',
  sound: null,
  is_baseline: false,
  ...changes,
});

const severe = (changes: Partial<SevereScenarios> = {}): SevereScenarios => ({
  severity: 'high',
  scenarios: 4,
  graded: 2,
  passed: 1,
  total: 8,
  scored: 8,
  score: 400,
  violations: 3,
  unknown: 0,
  ...changes,
});

const pair = (name: string, prompt_version: string | null = 'v1'): Examiners => ({
  tester: { name, model: 'm', prompt_version },
  judge: { name, model: 'm', prompt_version },
});

const result = (changes: Partial<PastResult> = {}): PastResult => ({
  scenarios_hash: 'scenarios',
  severe: [severe()],
  examiners: [pair('openai')],
  patients: ['calm'],
  ...changes,
});

const pointOf = (of: PastRun, came: PastResult) => new HistoryLine().add(of, came);

describe('a point of a history', () => {
  test('has rate, score and violations over all severities', () => {
    const groups = [severe(), severe({ severity: 'low', scenarios: 2, passed: 2, total: 8, scored: 4, score: 200 })];
    const point = pointOf(run('a', { is_baseline: true }), result({ severe: groups }));
    const rate = rateOf(groups, 0.95);
    expect(point).toMatchObject({
      test_run_id: 'a',
      label: 'run-a',
      scenarios_hash: 'scenarios',
      scenarios: 6,
      mean_score: 50,
      must_pass_violations: 6,
      coverage: 75,
      baseline: true,
      examiners: { clinical: true, mixed: false },
    });
    expect(point.graded_pass_rate).toEqual({
      value: (rate?.value ?? NaN) * 100,
      low: (rate?.low ?? NaN) * 100,
      high: (rate?.high ?? NaN) * 100,
    });
    expect(point.by_severity.map(({ severity, graded, passed }) => [severity, graded, passed])).toEqual([
      ['high', 8, 4],
      ['low', 4, 4],
    ]);
  });

  test('has no severity of scenarios that have none', () => {
    const groups = [severe({ severity: null }), severe()];
    expect(pointOf(run('a'), result({ severe: groups })).by_severity).toHaveLength(1);
  });

  test.each(['failed', 'canceled'] as const)('has no rate, score nor severities where its run was %s', (status) => {
    expect(pointOf(run('a', { status }), result())).toMatchObject({
      status,
      graded_pass_rate: null,
      mean_score: null,
      by_severity: [],
      must_pass_violations: 3,
    });
  });

  test('has no score where nothing was scored, and no violations where one conversation does not say', () => {
    expect(pointOf(run('a'), result({ severe: [severe({ scored: 0, score: 0 })] })).mean_score).toBeNull();
    const unknown = result({ severe: [severe(), severe({ unknown: 1 })] });
    expect(pointOf(run('a'), unknown).must_pass_violations).toBeNull();
  });

  test('covers nothing of nothing', () => {
    const nothing = severe({ graded: 0, passed: 0, total: 0, scored: 0 });
    expect(pointOf(run('a'), result({ severe: [nothing] }))).toMatchObject({ coverage: 0, graded_pass_rate: null });
  });

  test('is of a run that has ended', () => {
    expect(() => pointOf(run('a', { status: 'running' }), result())).toThrow('A run that is running has not ended.');
  });
});

describe('the points of a line', () => {
  const comparability = ({ comparable_to_previous, comparable_to, differs_in }: ReturnType<typeof pointOf>) => [
    comparable_to_previous,
    comparable_to,
    differs_in,
  ];

  test('begin with one that is compared with nothing', () => {
    expect(comparability(pointOf(run('a'), result()))).toEqual([false, null, []]);
  });

  test('are compared with the one before, where nothing but the agent differs', () => {
    const line = new HistoryLine();
    line.add(run('a'), result());
    expect(comparability(line.add(run('b', { agent_version: '2' }), result()))).toEqual([true, 'a', []]);
  });

  test.each<[string, Partial<PastRun>, Partial<PastResult>]>([
    ['scenarios', {}, { scenarios_hash: 'others' }],
    ['patients', {}, { patients: ['calm', 'shy'] }],
    ['trials', { trials: 3 }, {}],
    ['examiners', {}, { examiners: [pair('openai', 'v2')] }],
    ['max_turns', { max_turns: 12 }, {}],
    ['pass_threshold', { pass_threshold: 70 }, {}],
    ['region', { region: null }, {}],
    ['modality', { modality: 'spoken', sound: 'phone' }, {}],
    ['spoken', { sound: 'phone' }, {}],
    ['coverage', {}, { severe: [severe({ total: 9 })] }],
  ])('say that they differ in %s, and are compared with an earlier one that does not', (what, changes, came) => {
    const line = new HistoryLine();
    const covered = { severe: [severe({ graded: 2, total: 8 })] };
    line.add(run('first'), result(covered));
    const other = line.add(run('other', changes), result({ ...covered, ...came }));
    expect(comparability(other)).toEqual([false, null, [what]]);
    expect(comparability(line.add(run('again'), result(covered)))).toEqual([false, 'first', [what]]);
  });

  test('are covered enough from 95 % on', () => {
    const line = new HistoryLine();
    const covered = result({ severe: [severe({ scenarios: 19, graded: 1, passed: 1, total: 20 })] });
    line.add(run('a'), covered);
    expect(comparability(line.add(run('b'), covered))).toEqual([true, 'a', []]);
  });

  test('cannot be compared by examiners that are not known, and may be by the same in another order', () => {
    const unknown = new HistoryLine();
    unknown.add(run('a'), result({ examiners: [] }));
    expect(comparability(unknown.add(run('b'), result({ examiners: [] })))).toEqual([false, null, ['examiners']]);
    const mixed = new HistoryLine();
    mixed.add(run('a'), result({ examiners: [pair('openai'), pair('anthropic')] }));
    const turned = result({ examiners: [pair('anthropic'), pair('openai')] });
    expect(comparability(mixed.add(run('b'), turned))).toEqual([true, 'a', []]);
  });

  test('pass over one without a rate, and take the newest of those alike', () => {
    const line = new HistoryLine();
    line.add(run('a'), result());
    line.add(run('b'), result());
    expect(comparability(line.add(run('c', { status: 'canceled' }), result()))).toEqual([false, null, []]);
    expect(comparability(line.add(run('d'), result()))).toEqual([true, 'b', []]);
  });
});

describe('the runs that are read in a moment', () => {
  const namesOf = (sizes: readonly number[]) =>
    affordable(sizes.map((total_scenarios, place) => run(String(place), { total_scenarios }))).map(({ id }) => id);

  test('are all, while they have 200,000 scenario runs together', () => {
    expect(namesOf([100_000, 100_000])).toEqual(['0', '1']);
    expect(namesOf([])).toEqual([]);
  });

  test('are the newest of more, and one at least', () => {
    expect(namesOf([100_000, 100_000, 1, 1])).toEqual(['0', '1']);
    expect(namesOf([300_000, 1])).toEqual(['0']);
  });
});
