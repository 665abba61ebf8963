import fc from 'fast-check';
import { frameOf, joinFrames, type Frame } from '../../../src/features/stream/frame';
import { FrameRing } from '../../../src/features/stream/run-feed';

const LIMIT = { frames: 8, bytes: 4_000 };
const WRITE_BYTES = 300;

const frame = (seq: number, characters = 10, type = 'grading_started'): Frame =>
  frameOf({ seq, type, json: JSON.stringify('x'.repeat(characters)) });

/** What a subscriber after the cursor takes from a ring, write after write; undefined when it has to read the log. */
function takeAll(ring: FrameRing, cursor: number): readonly Frame[] | undefined {
  const taken: Frame[] = [];
  for (let next = ring.next(cursor); next !== null; next = ring.next(next.seq)) {
    if (next === undefined) return undefined;
    taken.push(next);
  }
  return taken;
}

describe('a ring of frames', () => {
  it('gives every subscriber what follows its cursor, or says that it does not reach back so far', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 1_500 }), { maxLength: 25 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50 }), sizes, (begin, characters) => {
        const ring = new FrameRing(begin, LIMIT, WRITE_BYTES);
        const all = characters.map((count, at) => frame(begin + at + 1, count));
        for (const [at, one] of all.entries()) {
          expect(ring.append(one)).toBe(true);
          const held = all.slice(0, at + 1).filter(({ seq }) => takeAll(ring, seq - 1) !== undefined);
          // The newest is always there; no more of them than the limits allow, unless one alone is larger.
          expect(held.at(-1)).toBe(one);
          expect(held.length).toBeLessThanOrEqual(LIMIT.frames);
          const bytes = held.reduce((sum, { bytes: { length } }) => sum + length, 0);
          if (held.length > 1) expect(bytes).toBeLessThanOrEqual(LIMIT.bytes);
          for (const { seq } of held) {
            const missing = all.slice(seq - 1 - begin, at + 1);
            expect(Buffer.concat((takeAll(ring, seq - 1) ?? []).map((write) => write.bytes))).toEqual(
              joinFrames(missing)?.bytes,
            );
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('keeps as many as it may, and lets half of them go at once', () => {
    const ring = new FrameRing(0, LIMIT, WRITE_BYTES);
    const heldAfter = (seq: number): number => {
      ring.append(frame(seq));
      return Array.from({ length: seq }, (_, at) => at).filter((cursor) => ring.next(cursor) !== undefined).length;
    };
    expect(Array.from({ length: 14 }, (_, at) => heldAfter(at + 1))).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8],
      ...[4, 5, 6, 7, 8, 4],
    ]);
  });

  it('holds exactly as many bytes as it may, and exactly half of them afterwards', () => {
    const bytes = 4 * frame(1).bytes.length;
    const ring = new FrameRing(0, { frames: 100, bytes }, WRITE_BYTES);
    const heldAfter = (seq: number): number => {
      ring.append(frame(seq));
      return Array.from({ length: seq }, (_, at) => at).filter((cursor) => ring.next(cursor) !== undefined).length;
    };
    expect(Array.from({ length: 8 }, (_, at) => heldAfter(at + 1))).toEqual([1, 2, 3, 4, 2, 3, 4, 2]);
  });

  it('lets half of its bytes go at once', () => {
    const ring = new FrameRing(0, LIMIT, WRITE_BYTES);
    const { length } = frame(1, 1_000).bytes;
    for (const seq of [1, 2, 3]) ring.append(frame(seq, 1_000));
    expect(ring.next(0)).not.toBeUndefined();
    expect(4 * length).toBeGreaterThan(LIMIT.bytes);
    ring.append(frame(4, 1_000));
    expect([0, 1, 2, 3].map((cursor) => ring.next(cursor) !== undefined)).toEqual([false, false, false, true]);
  });

  it('lets all others go for one that is larger than its limit', () => {
    const ring = new FrameRing(0, LIMIT, WRITE_BYTES);
    for (const seq of [1, 2, 3]) ring.append(frame(seq));
    ring.append(frame(4, LIMIT.bytes));
    expect([0, 1, 2].map((cursor) => ring.next(cursor))).toEqual([undefined, undefined, undefined]);
    expect(ring.next(3)).toMatchObject({ seq: 4 });
    ring.append(frame(5));
    expect(ring.next(3)).toBeUndefined();
    expect(ring.next(4)).toMatchObject({ seq: 5 });
  });

  it('joins frames up to the size of a write', () => {
    const ring = new FrameRing(0, LIMIT, WRITE_BYTES);
    for (const seq of [1, 2, 3, 4, 5]) ring.append(frame(seq, 100));
    // A frame has some 120 bytes: the third of them reaches the size.
    expect(takeAll(ring, 0)?.map(({ seq }) => seq)).toEqual([3, 5]);
    expect(takeAll(ring, 2)?.map(({ seq }) => seq)).toEqual([5]);
  });

  it('takes the next frame alone: no other number, and none twice', () => {
    const ring = new FrameRing(4, LIMIT, WRITE_BYTES);
    expect([5, 5, 4, 7, 6].map((seq) => ring.append(frame(seq)))).toEqual([true, false, false, false, true]);
    expect(ring.newestSeq).toBe(6);
    expect(takeAll(ring, 4)).toHaveLength(1);
    // A number of an event that only another process has heard of yet.
    expect(ring.next(9)).toBeNull();
  });

  it('gives all who stand at the same place the same bytes, and new ones after the next frame', () => {
    const ring = new FrameRing(0, LIMIT, WRITE_BYTES);
    ring.append(frame(1));
    ring.append(frame(2));
    const first = ring.next(0);
    expect(ring.next(0)).toBe(first);
    expect(ring.next(1)).toMatchObject({ seq: 2 });
    ring.append(frame(3));
    expect(ring.next(0)).toMatchObject({ seq: 3 });
    expect(ring.next(1)).toMatchObject({ seq: 3 });
    expect(ring.next(2)?.bytes).toEqual(frame(3).bytes);
  });

  it('knows whether it holds the final event', () => {
    const ring = new FrameRing(0, LIMIT, WRITE_BYTES);
    expect(ring.hasFinal).toBe(false);
    ring.append(frame(1));
    expect(ring.hasFinal).toBe(false);
    ring.append(frame(2, 10, 'test_run_complete'));
    expect(ring.hasFinal).toBe(true);
    expect(ring.next(0)).toMatchObject({ seq: 2, final: true });
  });
});
