import { timingErrorOf } from '../../../src/agents/voice/timing/timing-error';
import type { TimedTurn } from '../../../src/agents/voice/timing/timing-check';

const turn = (way: number, more: Partial<TimedTurn> = {}): TimedTurn => ({
  scriptedMs: 800,
  trueMs: 800,
  measuredMs: 800 + way,
  yieldMs: null,
  trueYieldMs: null,
  isReliable: true,
  heardPieces: null,
  ...more,
});

test('the way is taken from every other turn, the errors from those between', () => {
  const { wayMs, latency, turns, unreliable } = timingErrorOf([[118, 120, 118, 98, 119, 119].map((way) => turn(way))]);
  expect(wayMs).toBe(118);
  expect(latency).toEqual({ turns: 3, p50: 2, p95: 20, max: 20 });
  expect([turns, unreliable]).toEqual([6, 0]);
});

test('the way is the median of those turns, however far off the first of them is', () => {
  expect(timingErrorOf([[300, 120, 118, 120, 117].map((way) => turn(way))]).wayMs).toBe(118);
});

test('turns with a hole in their sound are counted and in no figure', () => {
  const error = timingErrorOf([[turn(120), turn(900, { isReliable: false }), turn(121)]]);
  expect(error).toMatchObject({ turns: 3, unreliable: 1, wayMs: 120, latency: { turns: 1, max: 1 }, yields: null });
});

test('turns that were not heard are counted apart, and in no figure', () => {
  const error = timingErrorOf([[turn(120), null, turn(121)]]);
  expect(error).toMatchObject({ turns: 3, unreliable: 0, unheard: 1, wayMs: 120, latency: { turns: 1, max: 1 } });
});

test('yields have the same way', () => {
  const yields = timingErrorOf([[turn(120, { yieldMs: 430, trueYieldMs: 300 }), turn(120)]]).yields;
  expect(yields).toEqual({ turns: 1, p50: 10, p95: 10, max: 10 });
});

test('rooms have one way together', () => {
  const { wayMs, latency } = timingErrorOf([
    [turn(110), turn(110)],
    [turn(130), turn(130)],
  ]);
  expect(wayMs).toBe(110);
  expect(latency).toMatchObject({ turns: 2, p50: 0, max: 20 });
});

test('nothing reliable is nothing measured', () => {
  expect(timingErrorOf([[turn(1, { isReliable: false })]])).toEqual({
    turns: 1,
    unreliable: 1,
    unheard: 0,
    wayMs: null,
    latency: null,
    yields: null,
    heardPieces: null,
  });
});

test('pieces of sound are counted over all turns, also those whose times say nothing', () => {
  const heard = (pieces: number, late: number) => turn(120, { heardPieces: { pieces, late }, isReliable: late === 0 });
  expect(timingErrorOf([[heard(20, 0), null], [heard(30, 2)]]).heardPieces).toEqual({ pieces: 50, late: 2 });
});
