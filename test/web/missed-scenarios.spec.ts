import { missedScenarios } from '../../web/src/runs/missed-scenarios';

const run = (scenario: string, severity: string | null, ...missed: ['must' | 'not' | 'points', string][]) => ({
  scenario_id: scenario,
  scenario_name: scenario.toUpperCase(),
  scenario_severity: severity,
  criteria_results: missed.map(([kind, criterion]) => ({
    criterion,
    decision: kind === 'not' ? 'MET' : 'NOT MET',
    max_points: kind === 'not' ? -5 : 5,
    tags: kind === 'must' ? ['must_pass'] : [],
  })),
});

test('what was missed stands scenario by scenario: what must pass first, then the gravest, then the most', () => {
  const runs = [
    run('a', 'low', ['points', 'is kind'], ['points', 'is brief']),
    run('b', 'critical', ['points', 'is kind']),
    run('c', 'low', ['must', 'asks'], ['points', 'is kind']),
    run('d', 'critical', ['must', 'asks']),
    run('e', 'critical', ['must', 'asks'], ['not', 'sells']),
    run('f', 'critical'),
    run('a', 'low', ['points', 'is kind']),
    { ...run('g', null), criteria_results: null },
  ];
  const told = missedScenarios(runs).map(({ scenario_id: id, grave, others, runs: of }) => ({
    id,
    grave: grave.map(({ criterion }) => criterion),
    others,
    conversations: of.length,
  }));
  expect(told).toEqual([
    { id: 'e', grave: ['asks', 'sells'], others: 0, conversations: 1 },
    { id: 'd', grave: ['asks'], others: 0, conversations: 1 },
    { id: 'c', grave: ['asks'], others: 1, conversations: 1 },
    { id: 'b', grave: [], others: 1, conversations: 1 },
    { id: 'a', grave: [], others: 2, conversations: 2 },
  ]);
});
