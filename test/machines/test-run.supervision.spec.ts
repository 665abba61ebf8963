import fc from 'fast-check';
import { PositionSet } from '../../machines/position-set';
import { listDispatched } from '../../machines/test-run.machine';
import { tries } from '../setup/sample';
import { StoredTestRun } from './stored-test-run';

/** Lets actors hear what their effects answered. */
const settleDown = () => new Promise(setImmediate);

/** What happens next, chosen by numbers that are taken modulo what there is to choose from. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('answer' as const), which: fc.nat() }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('finalize' as const), which: fc.nat(), tellings: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('finalizeWaiting' as const), which: fc.nat(), tellings: fc.nat(2) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('tellUntrue' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('tellAll' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('tellForeign' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restart' as const) }) },
);

describe('the supervision of a test run', () => {
  it('dispatches each scenario run, never more than the limit, and finishes once, whatever the order of the news and whoever is killed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 14 }),
        fc.array(step, { maxLength: 60 }),
        async (scenarioRuns, limit, steps) => {
          const waiting: (() => void)[] = [];
          const run = new StoredTestRun(scenarioRuns, limit, (answer) => waiting.push(answer));
          const early = new Set<string>();
          let isMisled = false;
          run.supervise();
          for (const next of steps) {
            switch (next.does) {
              case 'answer':
                waiting.splice(next.which % Math.max(1, waiting.length), 1)[0]?.();
                break;
              case 'finalize': {
                const id = pick(run.live, next.which);
                if (id === undefined) break;
                run.finalize(id);
                for (let telling = 0; telling < next.tellings; telling += 1) run.tell(id);
                break;
              }
              case 'finalizeWaiting': {
                const id = pick(
                  run.unfinished.filter((each) => !run.live.includes(each)),
                  next.which,
                );
                if (id === undefined) break;
                early.add(id);
                run.finalize(id);
                for (let telling = 0; telling < next.tellings; telling += 1) run.tell(id);
                break;
              }
              case 'tellUntrue': {
                const id = pick(run.live, next.which);
                if (id === undefined) break;
                isMisled = true;
                run.tell(id);
                break;
              }
              case 'tellAll':
                run.tellAll();
                break;
              case 'restart':
                run.supervise();
                break;
              case 'tellForeign':
                run.tell('scenario-run-of-another-run');
                break;
            }
            await settleDown();
            // Told of an end that did not happen, it believes that there is room; rows and claims then hold the limit.
            if (!isMisled) expect(run.live.length).toBeLessThanOrEqual(limit);
          }
          for (let rounds = 0; run.state !== 'completed'; rounds += 1) {
            expect(rounds).toBeLessThan(10 + 3 * scenarioRuns);
            for (const answer of waiting.splice(0)) answer();
            for (const id of run.live) run.finalize(id);
            run.tellAll();
            await settleDown();
          }
          expect(run.finishes).toBe(1);
          const dispatched = new Set(run.dispatched.flatMap((each) => each.scenarioRunIds));
          expect(run.ids.filter((id) => !dispatched.has(id) && !early.has(id))).toEqual([]);
        },
      ),
      { numRuns: tries({ inCi: 300, elsewhere: 60 }) },
    );
  });

  it.each([6, 10_000])('settles 10,000 scenario runs at concurrency %i in linearly many steps', async (limit) => {
    const small = await stepsOf(1_000, Math.min(limit, 1_000), Number.POSITIVE_INFINITY);
    const large = await stepsOf(10_000, limit, 11 * small.steps);
    expect(large.dispatches).toBeLessThanOrEqual(10_000);
  });
});

function pick(ids: readonly string[], which: number): string | undefined {
  return ids[which % Math.max(1, ids.length)];
}

/**
 * Runs to the end and counts its steps: elements read from the list of ids, and entries put into sets and maps, of which
 * a change of the context could make copies.
 *
 * @throws Error as soon as there are more of them than `most`.
 */
async function stepsOf(scenarioRuns: number, limit: number, most: number) {
  let reads = 0;
  const countReads = (ids: string[]) =>
    new Proxy(ids, {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
  const run = new StoredTestRun(scenarioRuns, limit, null, countReads);
  const added = countCalls(Set.prototype, 'add');
  const put = countCalls(Map.prototype, 'set');
  const steps = () => reads + added.calls() + put.calls();
  try {
    run.supervise();
    for (let rounds = 0; run.state !== 'completed'; rounds += 1) {
      if (rounds > 10 + scenarioRuns) throw new Error(`The run does not come to its end: ${JSON.stringify(run.state)}`);
      await settleDown();
      for (const id of run.live) {
        run.finalize(id);
        run.tell(id);
        run.tell(id);
        if (steps() > most) throw new Error(`More than ${most} steps for ${scenarioRuns} scenario runs.`);
      }
    }
    return { steps: steps(), dispatches: run.dispatched.length };
  } finally {
    added.restore();
    put.restore();
  }
}

/** Counts without keeping the arguments, as a spy would: there are millions of calls. */
function countCalls(prototype: object, method: string) {
  const original: unknown = Reflect.get(prototype, method);
  if (typeof original !== 'function') throw new Error(`There is no method ${method}.`);
  let calls = 0;
  Reflect.set(prototype, method, function (this: unknown, ...parameters: unknown[]): unknown {
    calls += 1;
    const result: unknown = Reflect.apply(original, this, parameters);
    return result;
  });
  return { calls: () => calls, restore: () => Reflect.set(prototype, method, original) };
}

test('what is dispatched is what comes before the next one and has not settled', () => {
  const unsettled = ['a', 'b', 'c', 'd'];
  const settled = PositionSet.over(unsettled.length).with(1);
  expect(listDispatched({ unsettled, settled, next: 3 })).toEqual(['a', 'c']);
  expect(listDispatched({ unsettled, settled, next: 0 })).toEqual([]);
});
