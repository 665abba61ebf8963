import { CurrentFloor } from '../../../src/engine/actors/current-floor';

const SPEAKS = { holder: 'patient', isSpeaking: true, forMs: 60_000 } as const;

describe('the floor of a call', () => {
  test('is not held before the call', () => {
    expect(new CurrentFloor().now).toBeNull();
  });

  test('is held for as long as it was when that was told, and since', () => {
    const floor = new CurrentFloor();
    const before = performance.now();
    floor.hold(SPEAKS);
    const { forMs = 0, ...held } = floor.now ?? {};
    expect(held).toEqual({ holder: 'patient', isSpeaking: true });
    expect(forMs).toBeGreaterThanOrEqual(60_000);
    expect(forMs).toBeLessThanOrEqual(60_000 + performance.now() - before);
  });

  test('is told of to those who follow it, at every change until they leave', () => {
    const floor = new CurrentFloor();
    const seen: (string | undefined)[] = [];
    const leave = floor.follow(() => seen.push(floor.now?.holder));
    floor.hold(SPEAKS);
    floor.hold({ ...SPEAKS, holder: 'agent' });
    leave();
    floor.hold(SPEAKS);
    expect(seen).toEqual(['patient', 'agent']);
  });

  test('is not held after the call, even while sound goes on', () => {
    const floor = new CurrentFloor();
    let changes = 0;
    floor.follow(() => (changes += 1));
    floor.hold(SPEAKS);
    floor.end();
    floor.hold(SPEAKS);
    floor.end();
    expect([floor.now, changes]).toEqual([null, 2]);
  });

  test('does not change with the end of a call in which no one had it', () => {
    const floor = new CurrentFloor();
    let changes = 0;
    floor.follow(() => (changes += 1));
    floor.end();
    expect(changes).toBe(0);
  });
});
