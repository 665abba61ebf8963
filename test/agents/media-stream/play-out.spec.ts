import { encodeMuLaw } from '../../../src/domain/sound';
import { PlayOut } from '../../../src/agents/media-stream/play-out';

/** Samples in a millisecond of a line. */
const MS = 8;
const loud = (milliseconds: number, height = 8_000): Uint8Array =>
  encodeMuLaw(new Int16Array(milliseconds * MS).fill(height));

/** Where the samples are loud, in ms: from and to. */
function loudIn({ samples }: { readonly samples: Int16Array }): readonly [number, number] | null {
  const first = samples.findIndex((sample) => sample > 1_000);
  if (first < 0) return null;
  return [first / MS, (samples.findLastIndex((sample) => sample > 1_000) + 1) / MS];
}

describe('Sound that was sent to a line', () => {
  it('is heard from the moment it came, each sample once, whenever it is asked for', () => {
    const playOut = new PlayOut(1_000);
    playOut.add(loud(30), 1_010);
    const taken = [1_005, 1_015, 1_015, 1_025, 1_050].map((now) => playOut.takeUntil(now));
    expect(taken.map(({ samples }) => samples.length / MS)).toEqual([5, 10, 0, 10, 25]);
    expect(taken.map(loudIn)).toEqual([null, [5, 10], null, [0, 10], [0, 15]]);
  });

  it('follows what came before it, in its order', () => {
    const playOut = new PlayOut(0);
    playOut.add(loud(20, 4_000), 10);
    playOut.add(loud(20, 8_000), 12);
    const { samples } = playOut.takeUntil(60);
    const [early, late] = [samples[25 * MS] ?? 0, samples[35 * MS] ?? 0];
    expect(loudIn({ samples })).toEqual([10, 50]);
    expect(early).toBeLessThan(5_000);
    expect(late).toBeGreaterThan(7_000);
  });

  it('is not heard twice by a clock that went back', () => {
    const playOut = new PlayOut(0);
    playOut.add(loud(20), 0);
    playOut.takeUntil(20);
    expect(playOut.takeUntil(10).samples).toHaveLength(0);
    expect(playOut.takeUntil(30).samples).toHaveLength(10 * MS);
  });

  it('may be sent ten minutes ahead of its time and no further', () => {
    const playOut = new PlayOut(0);
    expect(playOut.add(new Uint8Array(600_000 * MS), 0)).toBe(true);
    expect(playOut.add(new Uint8Array(1), 0)).toBe(false);
    expect(playOut.add(new Uint8Array(MS), 1)).toBe(true);
  });
});

describe('A mark', () => {
  it('is answered once what was sent before it has been heard', () => {
    const playOut = new PlayOut(0);
    expect(playOut.mark('first', 5)).toBe(true);
    playOut.add(loud(20), 10);
    playOut.mark('second', 11);
    playOut.mark('third', 40);
    expect(playOut.takeUntil(4).marks).toEqual([]);
    expect(playOut.takeUntil(5).marks).toEqual(['first']);
    expect(playOut.takeUntil(29).marks).toEqual([]);
    expect(playOut.takeUntil(40).marks).toEqual(['second', 'third']);
    expect(playOut.takeUntil(80).marks).toEqual([]);
  });

  it('is one too many after a thousand that wait', () => {
    const playOut = new PlayOut(0);
    playOut.add(loud(20), 0);
    const marked = Array.from({ length: 1_001 }, (_, at) => playOut.mark(`${at}`, 0));
    expect(marked.filter((isKept) => isKept)).toHaveLength(1_000);
    expect(marked.at(-1)).toBe(false);
  });
});

describe('What is cleared', () => {
  it('is never heard, and its marks are answered at once', () => {
    const playOut = new PlayOut(0);
    playOut.add(loud(100), 0);
    playOut.mark('end', 0);
    playOut.add(loud(500), 0);
    expect(playOut.clear(50)).toMatchObject({ marks: ['end'] });
    expect(loudIn(playOut.takeUntil(700))).toEqual([0, 50]);
    expect(playOut.clear(700)).toEqual({ marks: [], hadWords: false });
  });

  it('gives way to what is sent next, from then on', () => {
    const playOut = new PlayOut(0);
    playOut.add(loud(1_000), 0);
    playOut.takeUntil(20);
    playOut.clear(30);
    playOut.add(loud(10), 40);
    expect(loudIn(playOut.takeUntil(40))).toEqual([0, 10]);
    expect(loudIn(playOut.takeUntil(100))).toEqual([0, 10]);
  });

  it('does not take back what was heard, by a clock that went back', () => {
    const playOut = new PlayOut(0);
    playOut.add(loud(100), 0);
    playOut.takeUntil(60);
    playOut.clear(40);
    playOut.add(loud(10), 60);
    expect(loudIn(playOut.takeUntil(100))).toEqual([0, 10]);
  });

  it.each<[string, Uint8Array[], number, boolean]>([
    ['200 ms of a voice', [loud(200)], 0, true],
    ['a voice in two pieces', [loud(100), loud(100)], 0, true],
    ['a voice that goes below zero', [loud(200, -8_000)], 0, true],
    ['less than that', [loud(199)], 0, false],
    ['the end of a voice', [loud(300)], 101, false],
    ['noise', [loud(1_000, 190)], 0, false],
    ['nothing', [], 0, false],
  ])('held words or not: %s', (_, pieces, at, hadWords) => {
    const playOut = new PlayOut(0);
    for (const piece of pieces) playOut.add(piece, 0);
    expect(playOut.clear(at).hadWords).toBe(hadWords);
  });
});
