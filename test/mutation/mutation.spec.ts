import { join } from 'node:path';
import { eventually } from '../setup/eventually';
import { faultsOf } from './mutants';
import { Reach } from './reach';
import { SpecProcess, type SpecResult } from './spec-process';
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

test('a process that ended after its last answer is followed by another one', async () => {
  const request = { spec: join(__dirname, 'samples', 'telling-tests.ts'), tests: null, mutant: null, hitLimit: 1 };
  const runs = new SpecProcess({ sources: [], seed: 1 });
  const tellingProcess = async (): Promise<number> => pidIn(await runs.run(request, 60_000));
  try {
    const first = await tellingProcess();
    process.kill(first, 'SIGKILL');
    await eventually(() => expect(() => process.kill(first, 0)).toThrow('ESRCH'));
    expect(await tellingProcess()).not.toBe(first);
  } finally {
    await runs.replace();
  }
});

function pidIn(result: SpecResult): number {
  const failure = typeof result === 'string' ? result : (result.failure ?? '');
  return Number(/process (\d+)/.exec(failure)?.[1] ?? NaN);
}
