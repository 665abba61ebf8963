import { faultsOf } from './mutants';
import { Reach } from './reach';
import { SpecProcess } from './spec-process';
import { Trials } from './trial';

const AREA = {
  idea: 'a file for this spec',
  mutated: ['test/mutation/samples/arithmetic.ts'],
  specs: [],
  needsPostgres: false,
};

test('each fault has the outcome that its tests have, whatever earlier ones have left in the process', async () => {
  const { mutants, sources } = await faultsOf(AREA, undefined);
  const runs = new SpecProcess({ sources, seed: 1 });
  try {
    const reach = await Reach.of(['test/mutation/samples/arithmetic-tests.ts'], runs, () => undefined);
    const trials = new Trials(runs);
    const outcomes: string[] = [];
    for (const { id, kind, replacement } of mutants) {
      const outcome = reach.isOnlyLoaded(id) ? 'only loaded' : await trials.outcomeOf(id, reach.selections(id));
      outcomes.push(`${kind} ${replacement.replaceAll(/\s+/g, ' ')}: ${outcome}`);
    }
    expect(outcomes).toEqual([
      'BlockStatement {}: killed',
      'ConditionalExpression true: killed',
      'ConditionalExpression false: killed',
      'EqualityOperator one >= other: survived',
      'EqualityOperator one <= other: killed',
      'BlockStatement {}: killed',
      'ConditionalExpression false: killed',
      'EqualityOperator count <= most: killed',
      'EqualityOperator count >= most: killed',
      'AssignmentOperator count -= 1: timed out',
      'BlockStatement {}: killed',
      'AssignmentOperator known &&= 6 * 7: killed',
      'ArithmeticOperator 6 / 7: killed',
      'BlockStatement {}: not run',
      'ArithmeticOperator 1 + 1: not run',
      'ArithmeticOperator 2 - 2: only loaded',
    ]);
  } finally {
    await runs.replace();
  }
});
