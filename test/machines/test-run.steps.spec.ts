import { StoredTestRun } from './stored-test-run';

/** Lets actors hear what their effects answered. */
const settleDown = () => new Promise(setImmediate);

describe('the supervision of a large test run', () => {
  it.each([6, 10_000])('settles 10,000 scenario runs at concurrency %i in linearly many steps', async (limit) => {
    const small = await stepsOf(1_000, Math.min(limit, 1_000), Number.POSITIVE_INFINITY);
    const large = await stepsOf(10_000, limit, 11 * small.steps);
    expect(large.dispatches).toBeLessThanOrEqual(10_000);
  });
});

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
