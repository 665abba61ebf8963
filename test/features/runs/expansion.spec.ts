import { expand } from '../../../src/features/runs/run-plans';

const [usual, anxious] = [
  { style: 'cooperative', language: 'en' },
  { style: 'anxious', language: 'de' },
] as const;

it('goes through every scenario with every patient before the next trial begins', () => {
  const planned = expand({ scenarioIds: ['a', 'b'], patients: [usual, anxious], trials: 2 });
  const seed = expect.any(Number);
  expect(planned).toEqual(
    [1, 2].flatMap((trial) => [
      { scenarioId: 'a', trial, patient: usual, seed },
      { scenarioId: 'a', trial, patient: anxious, seed },
      { scenarioId: 'b', trial, patient: usual, seed },
      { scenarioId: 'b', trial, patient: anxious, seed },
    ]),
  );
  expect(new Set(planned.map((one) => one.seed)).size).toBe(8);
});
