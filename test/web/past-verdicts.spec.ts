import { flakyElsewhere } from '../../web/src/runs/flaky-elsewhere';
import { historySentences, runsOf } from '../../web/src/scenarios/past-verdicts';

const verdict = (test_run_id: string, trial: number, day: number, status: 'passed' | 'failed' = 'passed') => ({
  scenario_run_id: `${test_run_id} ${trial}`,
  test_run_id,
  trial,
  status,
  completed_at: `2026-11-${day}T10:00:00.000Z`,
});

describe('what the history of a scenario says', () => {
  const none = { verdicts: 0, ungrouped: 0, total: 0, flaky: false };

  it.each([
    ['nothing was examined', none, ['No run has given a verdict on this scenario yet.']],
    [
      'the same conditions gave the same verdict',
      { ...none, verdicts: 3, total: 1 },
      ['So far, the same conditions have always given the same verdict.'],
    ],
    [
      'it is flaky, and some verdicts do not say what was examined',
      { verdicts: 4, ungrouped: 1, total: 2, flaky: true },
      [
        'This scenario is flaky: under the same conditions, the same agent both passed and failed. The agent, the patient or the judge is inconsistent: read the conversations to see which.',
        '1 older verdict does not say what was examined, and is left out.',
      ],
    ],
    [
      'no verdict says what was examined',
      { ...none, verdicts: 2, ungrouped: 2 },
      ['2 older verdicts do not say what was examined, and are left out.'],
    ],
  ])('when %s', (_when, history, sentences) => {
    expect(historySentences(history)).toEqual(sentences);
  });
});

describe('the verdicts of a group', () => {
  it('stand together by run, the newest run first, its trials in their order', () => {
    const newestFirst = [verdict('b', 2, 12, 'failed'), verdict('b', 1, 12), verdict('a', 1, 11)];
    expect(runsOf(newestFirst)).toEqual([
      {
        testRunId: 'b',
        completedAt: '2026-11-12T10:00:00.000Z',
        verdicts: [verdict('b', 1, 12), verdict('b', 2, 12, 'failed')],
      },
      { testRunId: 'a', completedAt: '2026-11-11T10:00:00.000Z', verdicts: [verdict('a', 1, 11)] },
    ]);
    expect(runsOf([])).toEqual([]);
  });
});

describe('flaky scenarios of a run', () => {
  it('that its own trials do not show are named beside the unstable ones, each once', () => {
    const flaky = (scenario_id: string) => ({ scenario_id, scenario_name: scenario_id, passed: 1, failed: 1 });
    const unstable = [{ scenario_id: 'a', scenario_name: 'a', graded: 2, passed: 1 }];
    expect(flakyElsewhere({ flaky_scenarios: [flaky('a'), flaky('b')], unstable })).toEqual([flaky('b')]);
    expect(flakyElsewhere({ flaky_scenarios: [], unstable })).toEqual([]);
  });
});
