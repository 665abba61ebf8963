import { fromPromise, setup, type AnyStateMachine } from 'xstate';
import { eventWords, nameOf, reasonsOf, transitionsOf } from '../../machines/transition-words';

describe('the name of a part of a chart', () => {
  it('is the part itself, or its type', () => {
    expect(nameOf('isPassed')).toBe('isPassed');
    expect(nameOf({ type: 'noteStatus', params: {} })).toBe('noteStatus');
  });

  it.each([null, undefined, {}, { type: 1 }, () => true])('is missed in %p', (part) => {
    expect(() => nameOf(part)).toThrow('Every guard and action of a chart has a name.');
  });
});

describe('what makes transitions happen', () => {
  const chart = setup({
    actors: { stop: fromPromise(() => Promise.resolve()), wait: fromPromise(() => Promise.resolve()) },
    guards: { isOver: () => true },
  });

  function reasonsOfLive({ states: { live } }: AnyStateMachine): readonly string[] {
    if (live === undefined) throw new Error('There is no such state.');
    return reasonsOf(transitionsOf(live));
  }

  it('is one item for reasons that differ in one part only', () => {
    const machine = chart.createMachine({
      initial: 'live',
      states: {
        live: {
          invoke: [
            { src: 'stop', id: 'stop', onDone: 'over', onError: 'over' },
            { src: 'wait', id: 'wait', onDone: 'over', onError: 'over' },
          ],
        },
        over: {},
      },
    });
    expect(reasonsOfLive(machine)).toEqual(['stop, wait done or failed']);
  });

  it('is not joined where one has no such part: an event is no way in which an effect of its name ends', () => {
    const machine = chart.createMachine({
      initial: 'live',
      states: { live: { on: { stop: 'over' }, invoke: { src: 'stop', id: 'stop', onDone: 'over' } }, over: {} },
    });
    expect([...reasonsOfLive(machine)].sort()).toEqual(['stop', 'stop done']);
  });

  it('is a guard alone, beside an event with the same guard', () => {
    const over = { target: 'over', guard: 'isOver' } as const;
    const machine = chart.createMachine({
      initial: 'live',
      states: { live: { on: { cancel: over }, always: over }, over: {} },
    });
    expect(reasonsOfLive(machine)).toEqual(['cancel [is over]', '[is over]']);
  });

  it('is nothing to say where neither an event nor a guard decides', () => {
    const machine = chart.createMachine({ initial: 'live', states: { live: { always: 'over' }, over: {} } });
    expect(reasonsOfLive(machine)).toEqual([]);
  });
});

it('an event is its name in words, and the end of an effect how it ended', () => {
  expect(['runCanceled', 'xstate.done.actor.recordTurn', 'xstate.error.actor.recordTurn', ''].map(eventWords)).toEqual([
    'run canceled',
    'record turn done',
    'record turn failed',
    '',
  ]);
});
