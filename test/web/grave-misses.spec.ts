import { graveMisses } from '../../web/src/runs/grave-misses';

const MUST = ['must_pass'];

function marked(
  scenario: string,
  ...decided: [criterion: string, decision: string, points: number, tags?: string[]][]
) {
  const criteria_results = decided.map(([criterion, decision, max_points, tags = []]) => ({
    criterion,
    decision,
    max_points,
    tags,
  }));
  return { scenario_id: scenario, scenario_name: scenario.toUpperCase(), criteria_results };
}

describe('what fails a scenario by itself, over the trials of a run', () => {
  it('is told once a criterion, with its conversations: must-pass criteria first, then what happened most often', () => {
    const runs = [
      marked('a', ['asks', 'NOT MET', 5, MUST], ['sells', 'MET', -5]),
      marked('b', ['asks', 'MET', 5, MUST], ['sells', 'MET', -5, MUST]),
      marked('a', ['asks', 'NOT MET', 5, MUST], ['sells', 'NOT MET', -5]),
      marked('b', ['asks', 'MET', 5, MUST], ['sells', 'NOT MET', -5, MUST]),
    ];
    const told = graveMisses(runs).map(({ runs: where, ...miss }) => ({
      ...miss,
      in: where.map((run) => runs.indexOf(run)),
    }));
    const common = { isMustPass: true, graded: 2 };
    expect(told).toEqual([
      { ...common, scenario_id: 'a', scenario_name: 'A', criterion: 'asks', isForbidden: false, in: [0, 2] },
      { ...common, scenario_id: 'b', scenario_name: 'B', criterion: 'sells', isForbidden: true, in: [1] },
      {
        ...common,
        scenario_id: 'a',
        scenario_name: 'A',
        criterion: 'sells',
        isForbidden: true,
        isMustPass: false,
        in: [0],
      },
    ]);
  });

  it('is not what only costs points, nor what was not graded', () => {
    const ungraded = { scenario_id: 'c', scenario_name: 'C', criteria_results: null };
    expect(graveMisses([marked('a', ['is kind', 'NOT MET', 5]), ungraded])).toEqual([]);
    const [miss] = graveMisses([marked('c', ['asks', 'NOT MET', 5, MUST]), ungraded]);
    expect(miss?.graded).toBe(1);
  });
});
