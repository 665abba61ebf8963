import { againstBar, againstBaseline, lackOfCoverage, type MeasuredRun } from '../../src/domain/gates';

const run = (passed: number, failed: number, errors: number, other: Partial<MeasuredRun> = {}): MeasuredRun => ({
  status: 'completed',
  pass_rate: (100 * passed) / Math.max(1, passed + failed + errors),
  passed_count: passed,
  failed_count: failed,
  error_count: errors,
  total_scenarios: passed + failed + errors,
  ...other,
});

describe('a run against its bar', () => {
  it.each([
    ['is canceled', run(9, 1, 0, { status: 'canceled' }), 10, 'canceled'],
    ['failed', run(9, 1, 0, { status: 'failed' }), 10, 'failed'],
    ['has no bar', run(0, 10, 0), null, 'passed'],
    ['has exactly the bar', run(8, 2, 0), 80, 'passed'],
    [
      'has less, without an error, by as little as its pass rate is rounded',
      run(2, 1, 0, { pass_rate: 66.6 }),
      66.65,
      'below_bar',
    ],
    ['has less, without an error', run(7, 3, 0), 80, 'below_bar'],
    ['would have exactly the bar without its error', run(7, 2, 1), 80, 'undecided'],
    ['would be below the bar even without its error', run(6, 3, 1), 80, 'below_bar'],
    ['has no scenario', run(0, 0, 0), 80, 'below_bar'],
    ['has counted an error, and no scenario', run(0, 0, 1, { total_scenarios: 0, pass_rate: 0 }), 100, 'undecided'],
  ])('that %s', (_, measured, bar, outcome) => {
    expect(againstBar(measured, bar).outcome).toBe(outcome);
  });

  it('says why, with the reason of the service where there is one', () => {
    const failed = run(0, 0, 1, { status: 'failed' });
    expect(againstBar(failed, 80).sentence).toBe('The run failed: the service gave no reason');
    expect(againstBar({ ...failed, error_message: null }, 80).sentence).toMatch(/gave no reason$/);
    expect(againstBar({ ...failed, error_message: 'no agent' }, 80).sentence).toBe('The run failed: no agent');
    expect(againstBar(run(1, 0, 0), null).sentence).toBe('The run is complete.');
    expect(againstBar(run(8, 2, 0), 80).sentence).toBe('The bar of 80 % is reached.');
    expect(againstBar(run(7, 3, 0), 80).sentence).toBe('The pass rate is below the bar of 80 %.');
    expect(againstBar(run(7, 2, 1), 80).sentence).toMatch(/^Undecided: 1 ended in error; .* the bar of 80 %\.$/);
    expect(againstBar({ ...failed, status: 'canceled' }, 80).sentence).toMatch(/nothing about the agent/);
  });
});

describe('the share of a run that has a verdict', () => {
  it.each([
    ['is asked for by nobody', run(0, 0, 5), null, null],
    ['is exactly what is needed', run(3, 5, 2), 80, null],
    ['is told rounded down', run(1, 1, 1), 66.7, '66.6'],
    ['counts failures', run(0, 2, 2), 51, '50'],
    ['is nothing of no scenario', run(0, 0, 0), 1, '0'],
  ])('%s', (_, measured, needed, told) => {
    const sentence = lackOfCoverage(measured, needed);
    if (told === null) expect(sentence).toBeNull();
    else expect(sentence).toContain(`Only ${told} % of the conversations have a verdict, and ${needed} % are needed`);
  });
});

describe('a run against its baseline', () => {
  it.each([
    ['worse', 0, 'worse', 'harmed'],
    ['mixed', 0, 'worse', 'harmed'],
    ['better', 0, 'worse', 'passed'],
    ['no_evidence', 0, 'violation', 'passed'],
    ['too_few', 0, 'worse', 'undecided'],
    ['better', 1, 'worse', 'passed'],
    ['better', 1, 'violation', 'harmed'],
    ['worse', 0, 'violation', 'harmed'],
    ['too_few', 1, 'violation', 'harmed'],
  ] as const)('that is %s with %d new violations, where %s is harm: %s', (verdict, violations, failOn, outcome) => {
    const compared = { verdict, new_must_pass_violations: Array.from({ length: violations }) };
    expect(againstBaseline(compared, failOn)).toBe(outcome);
  });
});
