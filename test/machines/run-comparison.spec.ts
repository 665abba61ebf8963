import { castOf, doubtsAbout } from '../../machines/comparison-doubts';
import { missedOf, outcomeOf, tallyMissed } from '../../machines/criterion-outcome';
import { compareRuns, gradedInBoth, type ComparableScenarioRun } from '../../machines/run-comparison';

const criterion = (name: string, decision: string, max_points = 5, ...tags: string[]) => ({
  criterion: name,
  decision,
  max_points,
  tags,
});

function ran(name: string, status: string, score: number | null = null, ...criteria: ReturnType<typeof criterion>[]) {
  return { scenario_id: name, scenario_name: name, trial: 1, status, score_percent: score, criteria_results: criteria };
}

/** Each scenario's change, in the order in which they are told. */
function changes(before: ComparableScenarioRun[], after: ComparableScenarioRun[]) {
  return compareRuns(before, after).map(({ name, change, reason }) => [name, reason ?? change]);
}

describe('comparing two runs', () => {
  it('a verdict that turned outweighs the score; with the same verdict the score decides', () => {
    const before = [ran('a', 'passed', 60), ran('b', 'failed', 90), ran('c', 'failed', 10), ran('d', 'passed', 80)];
    const after = [ran('a', 'failed', 95), ran('b', 'passed', 50), ran('c', 'failed', 20), ran('d', 'passed', 80)];
    expect(changes(before, after)).toEqual([
      ['a', 'worse'],
      ['b', 'better'],
      ['c', 'better'],
      ['d', 'same'],
    ]);
  });

  it('a trial is compared with the same trial', () => {
    const twice = (first: string, second: string) => [ran('a', first, 50), { ...ran('a', second, 50), trial: 2 }];
    const compared = compareRuns(twice('passed', 'failed'), twice('passed', 'passed'));
    expect(compared.map(({ trial, change }) => [trial, change])).toEqual([
      [2, 'better'],
      [1, 'same'],
    ]);
  });

  it('what was not graded in both is not comparable, and says why', () => {
    const before = [ran('a', 'error'), ran('b', 'passed', 90), ran('c', 'canceled'), ran('d', 'passed', 100)];
    const after = [ran('a', 'failed', 0), ran('b', 'error'), ran('c', 'running'), ran('e', 'passed', 100)];
    expect(changes(before, after)).toEqual([
      ['a', 'error before'],
      ['b', 'error after'],
      ['c', 'canceled before, running after'],
      ['d', 'only before'],
      ['e', 'only after'],
    ]);
    expect(gradedInBoth(compareRuns(before, after))).toEqual({ scenarios: 0, passed_before: 0, passed_after: 0 });
  });

  it('the rates that can be set beside each other are those of what both graded', () => {
    const before = [ran('a', 'passed', 60), ran('b', 'passed', 90), ran('c', 'passed', 90)];
    const after = [ran('a', 'passed', 60), ran('b', 'failed', 10), ran('c', 'error')];
    expect(gradedInBoth(compareRuns(before, after))).toEqual({ scenarios: 2, passed_before: 2, passed_after: 1 });
  });

  it('names the criteria that were lost and won, of those that both rubrics have', () => {
    const before = ran(
      'a',
      'passed',
      80,
      criterion('asks', 'MET'),
      criterion('harms', 'NOT MET', -5),
      criterion('old', 'MET'),
    );
    const after = ran(
      'a',
      'failed',
      70,
      criterion('asks', 'NOT MET'),
      criterion('harms', 'MET', -5),
      criterion('new', 'MET'),
    );
    expect(compareRuns([before], [after])).toMatchObject([{ lost: ['asks', 'harms'], won: [], score_change: -10 }]);
    expect(compareRuns([after], [before])).toMatchObject([{ lost: [], won: ['asks', 'harms'], score_change: 10 }]);
  });
});

describe('what a decision means for the agent', () => {
  it.each([
    ['MET', 5, 'good'],
    ['NOT MET', 5, 'bad'],
    ['PARTIALLY MET', 5, 'half'],
    ['MET', -5, 'bad'],
    ['NOT MET', -5, 'good'],
    ['PARTIALLY MET', -5, 'half'],
    ['MET', 0, 'good'],
  ])('%s of %d points: %s', (decision, points, outcome) => {
    expect(outcomeOf(criterion('x', decision, points))).toBe(outcome);
  });

  it('what was missed begins with what fails the scenario by itself', () => {
    const results = [criterion('a', 'NOT MET'), criterion('b', 'MET'), criterion('c', 'MET', -5, 'must_pass')];
    expect(missedOf(results).map(({ criterion: name }) => name)).toEqual(['c', 'a']);
    expect(missedOf(null)).toEqual([]);
  });

  it('the tally of a run counts what was graded only', () => {
    const one = [criterion('a', 'NOT MET'), criterion('b', 'MET'), criterion('c', 'MET', -5, 'must_pass')];
    const other = [criterion('d', 'PARTIALLY MET', 5, 'must_pass'), criterion('e', 'NOT MET', 5, 'must_pass')];
    const runs = [one, other, null].map((criteria_results) => ({ criteria_results }));
    expect(tallyMissed(runs)).toEqual({ graded: 2, criteria: 5, missed: 3, mustPass: 2, forbidden: 1 });
  });
});

describe('doubts about a comparison', () => {
  const offline = { tester: { name: 'offline', model: null }, judge: { name: 'offline', model: null } };
  const model = { tester: { name: 'anthropic', model: 'm-1' }, judge: { name: 'anthropic', model: 'm-2' } };
  const run = { status: 'completed', error_count: 0, trials: 1, max_turns: 6, pass_threshold: 50 };
  const scenarioRuns = [{ scenario_id: 'a', metadata: offline }];

  it('none when the runs are alike', () => {
    expect(doubtsAbout({ run, scenarioRuns }, { run, scenarioRuns })).toEqual([]);
  });

  it('each way in which they differ', () => {
    const other = { status: 'canceled', error_count: 2, trials: 3, max_turns: 7, pass_threshold: 60 };
    const others = [...scenarioRuns, { scenario_id: 'b', metadata: {} }].map((one) => ({ ...one, metadata: model }));
    expect(doubtsAbout({ run, scenarioRuns }, { run: other, scenarioRuns: others })).toEqual([
      'The run after is canceled: its pass rate is not that of a whole run.',
      'In the run after, 2 ended in error and count as not passed.',
      'The runs had different scenarios.',
      'Trials: 1 before, 3 after.',
      'Turns: 6 before, 7 after.',
      'Pass threshold: 50 % before, 60 % after.',
      'Patient and judge: offline and offline before, anthropic m-1 and anthropic m-2 after.',
    ]);
  });
});

describe('who took part in a run', () => {
  const named = { tester: { name: 'offline', model: null }, judge: { name: 'anthropic', model: 'examiner-1' } };

  it('is said by the first scenario run that names both', () => {
    const later = { tester: { name: 'later' }, judge: { name: 'later' } };
    const scenarioRuns = [{ metadata: {} }, { metadata: named }, { metadata: later }];
    expect(castOf(scenarioRuns)).toBe('offline and anthropic examiner-1');
    expect(castOf([{ metadata: later }])).toBe('later and later');
  });

  it.each([
    ['nobody', {}],
    ['the patient alone', { tester: named.tester }],
    ['nothing', { ...named, judge: null }],
    ['a text', { ...named, judge: 'anthropic' }],
    ['no name', { ...named, judge: { model: 'examiner-1' } }],
    ['a name that is no text', { ...named, judge: { name: 1 } }],
  ])('is not known when %s is named', (_what, metadata) => {
    expect(castOf([{ metadata }])).toBeNull();
  });
});
