import { expand } from '../../src/runs/expansion';

it('goes through every scenario before the next trial begins', () => {
  expect(expand({ scenarioIds: ['a', 'b'], trials: 3 })).toEqual([
    { scenarioId: 'a', trial: 1 },
    { scenarioId: 'b', trial: 1 },
    { scenarioId: 'a', trial: 2 },
    { scenarioId: 'b', trial: 2 },
    { scenarioId: 'a', trial: 3 },
    { scenarioId: 'b', trial: 3 },
  ]);
});
