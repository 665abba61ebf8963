import { getInitialSnapshot, getNextSnapshot, type AnyEventObject, type AnyMachineSnapshot } from 'xstate';
import { statePath } from '../../machines/chart-definition';
import { testRunMachine, type TestRunInput } from '../../machines/test-run.machine';
import { done, failed } from './chart-paths';
import { rowWith, settledEvent } from './test-run.walks';

const trouble = new Error('The database cannot be reached.');
const asked = (round: number, ...scenarioRunIds: string[]) => done('dispatch', { round, scenarioRunIds });
const finished = (round: number, output: object) => done('recordFinish', { round, ...output });

function after(row: TestRunInput, events: readonly AnyEventObject[]) {
  let snapshot = getInitialSnapshot(testRunMachine, row);
  // Answers of effects are events of XState's own, which the chart's type does not list.
  for (const event of events) snapshot = getNextSnapshot(testRunMachine, snapshot, event as never);
  return snapshot;
}

const stateAfter = (row: TestRunInput, events: readonly AnyEventObject[]): string =>
  statePath(after(row, events).value);

describe('the supervision of a test run goes on from what its row says', () => {
  it.each([
    ['scheduled', 'live.scheduled'],
    ['pending', 'live.pending'],
    ['running', 'live.running.dispatching'],
    ['completed', 'completed'],
    ['failed', 'failed'],
    ['canceled', 'canceled'],
  ] as const)('%s', (status, state) => {
    expect(stateAfter(rowWith({ status }), [])).toBe(state);
  });

  it('running, and everything has settled', () => {
    expect(stateAfter(rowWith({ unsettled: [] }), [])).toBe('live.running.recordingFinish');
  });
});

const inputOf = (snapshot: AnyMachineSnapshot, effect: string): unknown => snapshot.children[effect]?.options.input;

describe('an effect of a test run', () => {
  const scheduledAt = '2030-01-01T00:00:00.000Z';
  const run = { testRunId: 'the-run', attempt: 3 };
  const row = (changes: Partial<TestRunInput>) => rowWith({ ...run, ...changes });

  it('is told which run and which attempt it is for, and what else it needs', () => {
    const scheduled = after(row({ status: 'scheduled', scheduledAt }), []);
    expect(inputOf(scheduled, 'waitUntilDue')).toEqual({ ...run, scheduledAt });
    expect(inputOf(after(row({ status: 'pending' }), []), 'recordStart')).toEqual(run);
    const begun = after(row({}), []);
    expect(inputOf(begun, 'dispatch')).toEqual({ ...run, round: 0, scenarioRunIds: ['first'] });
    const ended = after(row({ unsettled: ['only'] }), [asked(0, 'only'), settledEvent('only')]);
    expect(inputOf(ended, 'recordFinish')).toEqual({ ...run, round: 1 });
  });
});

describe('a test run whose start', () => {
  it.each<[string, AnyEventObject, string]>([
    ['is recorded goes on', done('recordStart', { kind: 'started' }), 'live.running.dispatching'],
    ['belongs to another process is left to it', done('recordStart', { kind: 'superseded' }), 'superseded'],
    ['comes after its cancellation is canceled', done('recordStart', { kind: 'canceled' }), 'canceled'],
    ['is too long past has failed', done('recordStart', { kind: 'failed' }), 'failed'],
    ['cannot be recorded waits for another process', failed('recordStart', trouble), 'released'],
  ])('%s', (_what, answer, state) => {
    expect(stateAfter(rowWith({ status: 'pending' }), [answer])).toBe(state);
  });
});

describe('a test run whose scenario runs have all settled', () => {
  const row = rowWith({ unsettled: [] });

  it.each<[string, AnyEventObject, string]>([
    ['completes', finished(0, { kind: 'finished', status: 'completed' }), 'completed'],
    ['fails', finished(0, { kind: 'finished', status: 'failed' }), 'failed'],
    ['was canceled meanwhile', finished(0, { kind: 'finished', status: 'canceled' }), 'canceled'],
    ['is another process’s by now', finished(0, { kind: 'superseded' }), 'superseded'],
    ['waits for another process where its end cannot be recorded', failed('recordFinish', trouble), 'released'],
    [
      'goes on with those of which its rows say otherwise',
      finished(0, { kind: 'unsettled', scenarioRunIds: ['late'] }),
      'live.running.dispatching',
    ],
  ])('%s', (_what, answer, state) => {
    expect(stateAfter(row, [answer])).toBe(state);
  });

  it.each([
    { kind: 'finished', status: 'completed' },
    { kind: 'finished', status: 'failed' },
    { kind: 'finished', status: 'canceled' },
    { kind: 'superseded' },
    { kind: 'unsettled', scenarioRunIds: ['late'] },
  ])('does not hear an answer of another round: %j', (output) => {
    expect(stateAfter(row, [finished(1, output)])).toBe('live.running.recordingFinish');
  });

  it('dispatches what its rows name as unsettled, and finishes in the next round', () => {
    const events = [finished(0, { kind: 'unsettled', scenarioRunIds: ['late'] }), asked(1, 'late')];
    expect(stateAfter(row, events)).toBe('live.running.supervising');
    const settled = [...events, settledEvent('late')];
    expect(stateAfter(row, settled)).toBe('live.running.recordingFinish');
    const end = { kind: 'finished', status: 'completed' };
    expect(stateAfter(row, [...settled, finished(1, end)])).toBe('live.running.recordingFinish');
    expect(stateAfter(row, [...settled, finished(2, end)])).toBe('completed');
  });
});

describe('scenario runs', () => {
  const row = rowWith({ unsettled: ['a', 'b', 'c', 'd'], concurrencyLimit: 2 });
  const dueAfter = (events: readonly AnyEventObject[]): unknown => {
    const snapshot: AnyMachineSnapshot = after(row, events);
    const input: { readonly scenarioRunIds: readonly string[] } | undefined =
      snapshot.children['dispatch']?.options.input;
    return input?.scenarioRunIds;
  };

  it('are dispatched up to the limit, and one more for each that settles', () => {
    expect(dueAfter([])).toEqual(['a', 'b']);
    expect(stateAfter(row, [asked(0, 'a', 'b')])).toBe('live.running.supervising');
    expect(dueAfter([asked(0, 'a', 'b'), settledEvent('a')])).toEqual(['c']);
    expect(stateAfter(row, [asked(0, 'a', 'b'), settledEvent('a'), settledEvent('a'), asked(1, 'c')])).toBe(
      'live.running.supervising',
    );
  });

  it('are not dispatched where they have settled before their turn', () => {
    expect(dueAfter([settledEvent('c'), asked(0, 'a', 'b'), settledEvent('a')])).toEqual(['d']);
    expect(stateAfter(row, [settledEvent('c'), settledEvent('d'), asked(0, 'a', 'b'), settledEvent('a')])).toBe(
      'live.running.supervising',
    );
  });

  it('of another run, and answers of another round, change nothing', () => {
    expect(stateAfter(row, [asked(0, 'a', 'b'), settledEvent('of another run')])).toBe('live.running.supervising');
    expect(stateAfter(row, [asked(1, 'a', 'b')])).toBe('live.running.dispatching');
    expect(after(row, [asked(1, 'a', 'b')]).context.live).toBe(0);
  });

  it('that cannot be dispatched wait for another process', () => {
    expect(stateAfter(row, [failed('dispatch', trouble)])).toBe('released');
  });
});
