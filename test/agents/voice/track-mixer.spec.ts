import { TrackMixer, type HeardPiece } from '../../../src/agents/voice/track-mixer';

const RATE = 16;
let handed: HeardPiece[];
let mixer: TrackMixer<string>;

beforeEach(() => {
  handed = [];
  mixer = new TrackMixer((piece) => handed.push(piece));
});

/** @param at machine ms @param from of its own track, in ms */
function push(track: string, at: number, from: number, value: number, milliseconds = 50): void {
  mixer.push(track, {
    firstSample: from * RATE,
    at,
    samples: new Int16Array(milliseconds * RATE).fill(value),
  });
}

/** What stands at a ms of the whole. */
function at(milliseconds: number): number | undefined {
  const place = milliseconds * RATE;
  const piece = handed.findLast(({ firstSample }) => firstSample <= place);
  return piece?.samples[place - piece.firstSample];
}

function expectWhole(): void {
  let next = 0;
  for (const { firstSample, samples } of handed) {
    expect(firstSample).toBe(next);
    next += samples.length;
  }
}

test('one track is handed on as it comes', () => {
  push('voice', 1_000, 0, 5);
  push('voice', 1_050, 50, 6);
  expect(handed.map(({ firstSample, at: when, samples }) => [firstSample, when, samples[0]])).toEqual([
    [0, 1_000, 5],
    [800, 1_050, 6],
  ]);
});

test('what sounds at once is heard together, at its time', () => {
  push('voice', 1_000, 0, 5);
  push('music', 1_070, 0, 100);
  push('voice', 1_050, 50, 6);
  push('voice', 1_100, 100, 7);
  push('music', 1_120, 50, 200);
  expectWhole();
  expect([at(10), at(60), at(80), at(110), at(130)]).toEqual([5, 6, 106, 107, 207]);
  expect(handed.at(-1)?.at).toBeGreaterThanOrEqual(1_070);
});

test('a sum that is too loud is as loud as can be', () => {
  push('voice', 1_000, 0, 30_000);
  push('music', 1_050, 0, 30_000);
  push('voice', 1_050, 50, 30_000);
  expect(at(75)).toBe(32_767);
});

test('a track that follows another goes on with the time between them as silence, in bounded pieces', () => {
  push('voice', 1_000, 0, 5);
  mixer.end('voice');
  push('new voice', 3_550, 0, 9);
  expectWhole();
  expect([at(40), at(60), at(2_540), at(2_560)]).toEqual([5, 0, 0, 9]);
  for (const { samples } of handed) expect(samples.length).toBeLessThanOrEqual(16_000);
});

test('a track that stands still is not waited for', () => {
  push('music', 1_000, 0, 100);
  push('voice', 1_000, 0, 5);
  for (let from = 50; from < 1_000; from += 50) push('voice', 1_000 + from, from, 5);
  expectWhole();
  expect(at(900)).toBe(5);
  push('music', 2_000, 50, 100);
  push('voice', 2_000, 1_000, 5);
  expectWhole();
  // It is heard again at its time.
  expect(at(1_020)).toBe(105);
});

test('a track that ends before those it is heard with is heard to its end', () => {
  push('music', 1_000, 0, 100);
  push('voice', 1_000, 0, 5);
  for (let from = 50; from < 400; from += 50) push('voice', 1_000 + from, from, 5);
  mixer.end('voice');
  push('music', 1_050, 50, 100, 350);
  expectWhole();
  expect([at(60), at(390)]).toEqual([105, 105]);
});

test('tracks that end together, as those of one that hangs up, are heard to their ends', () => {
  push('music', 1_000, 0, 100);
  push('voice', 1_000, 0, 5);
  for (let from = 50; from < 400; from += 50) push('voice', 1_000 + from, from, 5);
  mixer.end('voice');
  expect(mixer.isEmpty).toBe(false);
  mixer.end('music');
  expect(mixer.isEmpty).toBe(true);
  expectWhole();
  expect([at(60), at(390)]).toEqual([5, 5]);
});
