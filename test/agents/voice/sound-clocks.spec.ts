import { ArrivalClock, PlayoutClock } from '../../../src/agents/voice/sound-clocks';

describe('when an utterance went out', () => {
  const QUEUE_MS = 200;
  /** Frame k is accepted when frame k − 20 is taken, `late(k)` ms before this process learns of it. */
  const played = (frames: number, firstAt: number, late: (frame: number) => number, hole = Infinity): PlayoutClock => {
    const clock = new PlayoutClock(QUEUE_MS);
    for (let frame = 0; frame < frames; frame += 1) {
      const taken = firstAt + (frame - 20) * 10 + (frame - 20 >= hole ? 10 : 0);
      clock.accepted(frame, frame < 20 ? firstAt - 3 : taken + late(frame));
    }
    return clock;
  };

  test('is known from the earliest acceptance, however late this process learns of the others', () => {
    const clock = played(120, 5_000, (frame) => (frame === 71 ? 0 : 3 + (frame % 7)));
    expect(clock.firstFrameAt).toBe(5_000);
  });

  test('is not known before as many frames were pushed as the queue holds', () => {
    expect(played(20, 5_000, () => 0).firstFrameAt).toBeNull();
    const clock = new PlayoutClock(QUEUE_MS);
    expect(clock.least).toBe(21);
    expect(clock.delayMs).toBe(0);
  });

  test('frames taken a tick later than their place show a hole', () => {
    expect(played(120, 5_000, () => 0).delayMs).toBe(0);
    expect(played(120, 5_000, () => 0, 60).delayMs).toBe(10);
  });
});

describe('when what is heard could be heard', () => {
  test('a place is as late as the earliest arrival says', () => {
    const clock = new ArrivalClock();
    for (let group = 0; group < 60; group += 1) clock.arrived(50, 1_000 + (group + 1) * 50 + ((group * 37) % 23));
    expect(clock.timeOf(0)).toBe(1_000);
    expect(clock.timeOf(1_234.5)).toBe(2_234.5);
  });

  test('nothing is known before anything arrived', () => expect(new ArrivalClock().timeOf(0)).toBeNull());

  test('after frames were lost, all that comes later is later', () => {
    const clock = new ArrivalClock();
    for (let group = 0; group < 400; group += 1) clock.arrived(50, 1_000 + (group + 1) * 50 + (group >= 150 ? 90 : 0));
    expect(clock.timeOf(2_000)).toBe(3_000);
    expect(clock.timeOf(12_000)).toBe(13_090);
  });

  test('the first arrivals of a window do not move its time', () => {
    const clock = new ArrivalClock();
    for (let group = 0; group < 101; group += 1) clock.arrived(50, (group + 1) * 50 + (group === 100 ? 9 : group % 5));
    expect(clock.timeOf(5_010)).toBe(5_010);
  });
});
