import type { ExaminerDocument, Findings } from '../../../src/engine/ledger';
import type { NotableRun } from '../../../src/features/statistics/run-findings';
import type { RunTallies } from '../../../src/features/statistics/run-statistics.store';
import { examinersOf, statisticsOf } from '../../../src/features/statistics/statistics-of';
import { rateOf } from '../../../src/domain/statistics';

const RUN = { id: 'run', status: 'completed', trials: 2 } as const;

const tallies = (changes: Partial<RunTallies> = {}): RunTallies => ({
  scenarios: [{ scenarios: 3, graded: 2, passed: 1, total: 8 }],
  byCategory: [],
  bySeverity: [],
  byTag: [],
  unstable: [],
  flaky: [],
  notable: [],
  examiners: [],
  faulty: [],
  ungraded: [],
  reviewed: [],
  ...changes,
});

const notable = (scenario_id: string, status: NotableRun['status'], findings: Partial<Findings>): NotableRun => ({
  id: `run of ${scenario_id}`,
  scenario_id,
  scenario_name: scenario_id,
  trial: 2,
  status,
  findings: { violations: [], disputed: 0, flags: [], patient_faults: [], ...findings },
});

const judge = (changes: Partial<ExaminerDocument> = {}): ExaminerDocument => ({
  name: 'anthropic',
  model: 'claude',
  prompt_version: 'v1',
  ...changes,
});

describe('the statistics of a run', () => {
  test('count what has a verdict, and bound what the rest could come to', () => {
    expect(statisticsOf(RUN, tallies(), 95)).toMatchObject({
      test_run_id: 'run',
      confidence: 95,
      scenarios: 3,
      total: 8,
      graded: 6,
      passed: 3,
      coverage: 75,
      pass_rate: 37.5,
      graded_pass_rate: { value: 50, method: 'wilson_clustered', effective_n: 3 },
      bounds: { low: 37.5, high: 62.5 },
      pass_hat: [
        { k: 1, value: 50, scenarios: 3 },
        { k: 2, value: 0, scenarios: 3 },
      ],
    });
  });

  test('of nothing are 0 of 0, with rates that are not known', () => {
    expect(statisticsOf(RUN, tallies({ scenarios: [] }), 95)).toMatchObject({
      coverage: 0,
      graded_pass_rate: { value: null, low: null, high: null, method: 'wilson', effective_n: 0 },
      bounds: { low: 0, high: 0 },
      pass_hat: [
        { k: 1, value: null, scenarios: 0 },
        { k: 2, value: null, scenarios: 0 },
      ],
      minimum_detectable_drop: null,
      reviewed_pass_rate: null,
      patient_faults: { scenario_runs: 0, by_kind: [], pass_rate_without: null },
    });
  });

  test('have the gravest severity first, and one that is not known last', () => {
    const named = (name: string) => ({ name, scenarios: 1, graded: 1, passed: 1, total: 1 });
    const bySeverity = ['critical', 'another', 'low', 'high'].map(named);
    const found = statisticsOf(RUN, tallies({ bySeverity }), 95).by_severity;
    expect(found.map(({ severity }) => severity)).toEqual(['critical', 'high', 'low', 'another']);
    expect(found[0]).toEqual({
      severity: 'critical',
      graded: 1,
      passed: 1,
      value: 100,
      low: expect.any(Number),
      high: 100,
    });
  });

  test('name every must-pass violation with its conversation', () => {
    const violations: Findings['violations'] = [
      { criterion: 'Calls for help', kind: 'missed' },
      { criterion: 'Gives a dose', kind: 'committed' },
    ];
    const found = statisticsOf(RUN, tallies({ notable: [notable('a', 'failed', { violations })] }), 95);
    const of = { scenario_run_id: 'run of a', scenario_id: 'a', scenario_name: 'a', trial: 2 };
    expect(found.must_pass_violations).toEqual(violations.map((one) => ({ ...of, ...one })));
  });

  test('count disputes and flags, flags that are most frequent first and then by name', () => {
    const found = statisticsOf(
      RUN,
      tallies({
        notable: [
          notable('a', 'failed', { disputed: 2, flags: ['slow', 'loud'] }),
          notable('b', 'passed', { disputed: 1 }),
          notable('c', 'passed', { flags: ['short', 'loud'] }),
        ],
      }),
      95,
    );
    expect(found.disputed).toEqual({ criteria: 3, scenario_runs: 2 });
    expect(found.flagged).toEqual({
      scenario_runs: 2,
      by_flag: [
        { flag: 'loud', count: 2 },
        { flag: 'short', count: 1 },
        { flag: 'slow', count: 1 },
      ],
    });
  });

  test('have the rate without the conversations in which the patient was at fault', () => {
    const patient_faults = ['volunteered'];
    const found = statisticsOf(
      RUN,
      tallies({
        notable: [
          notable('a', 'passed', { patient_faults: ['volunteered', 'contradicted', 'volunteered'] }),
          notable('b', 'failed', { patient_faults }),
          notable('b', 'canceled', { patient_faults }),
          notable('c', 'passed', { flags: ['slow'] }),
        ],
        faulty: ['a', 'b'].map((id) => ({ scenario_id: id, scenario_name: id, graded: 2, passed: 1 })),
      }),
      95,
    ).patient_faults;
    expect(found.scenario_runs).toBe(3);
    expect(found.by_kind).toEqual([
      { kind: 'volunteered', count: 4 },
      { kind: 'contradicted', count: 1 },
    ]);
    const rest = rateOf(
      [
        { graded: 2, passed: 1 },
        { graded: 1, passed: 0 },
        { graded: 1, passed: 1 },
      ],
      0.95,
    );
    expect(found.pass_rate_without).toMatchObject({ value: 50, effective_n: rest?.effectiveSize });
  });

  test('have the rate that it would be if reviewers had marked what they have reviewed', () => {
    const reviewed = (id: string, passed_by_review: number) => ({
      scenario_id: id,
      graded: 2,
      passed: 1,
      passed_by_review,
      reviewed: 2,
      changed: 1,
    });
    const found = statisticsOf(RUN, tallies({ reviewed: [reviewed('a', 2), reviewed('b', 2)] }), 95);
    expect(found.reviewed).toEqual({ scenario_runs: 4, changed: 2 });
    expect(found.reviewed_pass_rate?.value).toBeCloseTo((5 / 6) * 100, 9);
  });
});

describe('who examined a run', () => {
  const pair = (name: string, patient = 'anthropic') => ({ tester: judge({ name: patient }), judge: judge({ name }) });

  test('is not known of none', () => {
    expect(examinersOf({ examiners: [] })).toBeNull();
  });

  test('is the most frequent pair, and whether there were others, and any of them offline', () => {
    expect(examinersOf({ examiners: [pair('openai')] })).toEqual({ ...pair('openai'), clinical: true, mixed: false });
    const mixed = [pair('openai'), pair('offline')];
    expect(examinersOf({ examiners: mixed })).toEqual({ ...pair('openai'), clinical: false, mixed: true });
    expect(examinersOf({ examiners: [pair('openai', 'offline')] })).toMatchObject({ clinical: false });
  });
});

describe('how far the judge of a run is known to agree with people', () => {
  const measure = { value: 0.8, low: 0.7, high: 0.9 };
  const calibration = (by: ExaminerDocument, source = 'given') => ({
    id: 'calibration',
    name: 'Labels of May',
    source,
    judge: by,
    transcripts: 40,
    agreement: { raw: measure, kappa: measure, ac1: measure, macro_f1: measure },
    controls: { share: 0.1 },
    completedAt: new Date('2026-05-01T00:00:00.000Z'),
  });
  const shown = (by: ExaminerDocument | null, calibrated: ReturnType<typeof calibration> | null) =>
    statisticsOf(RUN, tallies({ examiners: by === null ? [] : [{ tester: judge(), judge: by }] }), 95, calibrated);

  test('is not said before anything is marked, nor without a calibration', () => {
    expect(shown(null, calibration(judge()))).toMatchObject({
      calibration: null,
      calibration_note: 'Nothing has been marked yet.',
    });
    expect(shown(judge(), null)).toMatchObject({
      calibration: null,
      calibration_note: expect.stringMatching(/^The judge has not been calibrated/),
    });
  });

  test('is shown as the calibration has it', () => {
    const found = shown(judge(), calibration(judge()));
    expect(found.calibration).toEqual({
      id: 'calibration',
      name: 'Labels of May',
      source: 'given',
      at: '2026-05-01T00:00:00.000Z',
      judge: judge(),
      stale: false,
      changed: [],
      transcripts: 40,
      raw: measure,
      kappa: measure,
      ac1: measure,
      macro_f1: measure,
      controls_wrong: 0.1,
    });
    expect(found.calibration_note).toBe('The judge was calibrated with the model and the prompts of this run.');
  });

  test.each<[Partial<ExaminerDocument>, string]>([
    [{ model: 'another' }, 'made with another model than this run'],
    [{ prompt_version: 'v2' }, 'made with other prompts or rules than this run'],
    [{ model: 'another', prompt_version: 'v2' }, 'made with another model and other prompts or rules than this run'],
  ])('is stale where the judge has changed: %j', (changes, words) => {
    const { calibration: found, calibration_note } = shown(judge(), calibration(judge(changes)));
    expect(found).toMatchObject({ stale: true, changed: Object.keys(changes) });
    expect(calibration_note).toContain(words);
  });

  test('says that the starter set and the offline judge validate nothing', () => {
    expect(shown(judge(), calibration(judge(), 'starter_set')).calibration_note).toContain('a smoke test');
    const offline = judge({ name: 'offline' });
    expect(shown(offline, calibration(offline, 'starter_set')).calibration_note).toContain('has no clinical meaning');
  });
});
