import { setTimeout as sleep } from 'node:timers/promises';
import { assign, createActor, setup } from 'xstate';
import { startObserved, StateClock } from '../../../src/engine/actors/live-actor';
import { createLog } from '../../../src/platform/config/log';

interface Order {
  readonly type: 'begin' | 'note' | 'end' | 'fail';
}
const FIRST: Order = { type: 'begin' };

/** Waits, works, and ends or fails as it is told. */
const worker = setup({
  types: { events: FIRST, context: { notes: 0 } },
  actions: {
    note: assign({ notes: ({ context }) => context.notes + 1 }),
    fail: () => {
      throw new Error('The actor has a fault.');
    },
  },
}).createMachine({
  initial: 'waiting',
  context: { notes: 0 },
  states: {
    waiting: { on: { begin: 'working' } },
    working: { on: { note: { actions: 'note' }, end: 'ended', fail: { actions: 'fail' } } },
    ended: { type: 'final' },
  },
});

function start() {
  const lines: unknown[] = [];
  const log = createLog('warn', { write: (line) => lines.push(JSON.parse(line)) });
  const actor = createActor(worker);
  const clock = new StateClock();
  let ends = 0;
  startObserved(actor, clock, log, { testRunId: 'a run', attempt: 3 }, () => (ends += 1));
  return { actor, clock, lines, ends: () => ends };
}

describe('an actor that is observed', () => {
  it('has its clock set when it enters a state, and by nothing else that it does', async () => {
    const { actor, clock } = start();
    const waitsSince = clock.since;
    await sleep(5);
    actor.send({ type: 'begin' });
    const worksSince = clock.since;
    expect(Date.parse(worksSince)).toBeGreaterThan(Date.parse(waitsSince));
    await sleep(5);
    actor.send({ type: 'note' });
    expect(clock.since).toBe(worksSince);
  });

  it('reports its end once, and logs nothing', () => {
    const { actor, lines, ends } = start();
    actor.send({ type: 'begin' });
    expect(ends()).toBe(0);
    actor.send({ type: 'end' });
    expect([ends(), lines]).toEqual([1, []]);
  });

  it('that fails has ended too, which the log says of it: the process goes on', () => {
    const { actor, lines, ends } = start();
    actor.send({ type: 'begin' });
    actor.send({ type: 'fail' });
    expect(ends()).toBe(1);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'An actor failed; its row waits for another attempt',
        error: expect.objectContaining({ message: 'The actor has a fault.' }),
        testRunId: 'a run',
        attempt: 3,
      }),
    ]);
  });
});
