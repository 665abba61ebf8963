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
});

function pick(ids: readonly string[], which: number): string | undefined {
  return ids[which % Math.max(1, ids.length)];
}

test('what is dispatched is what comes before the next one and has not settled', () => {
  const unsettled = ['a', 'b', 'c', 'd'];
  const settled = PositionSet.over(unsettled.length).with(1);
  expect(listDispatched({ unsettled, settled, next: 3 })).toEqual(['a', 'c']);
  expect(listDispatched({ unsettled, settled, next: 0 })).toEqual([]);
});
