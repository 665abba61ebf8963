import { DedupeWindow } from '../../../src/engine/bus/work-queue';

const WINDOW_MS = 1_000;

function windowOf(mostIds: number) {
  let now = 0;
  const window = new DedupeWindow(WINDOW_MS, mostIds, () => now);
  return { admit: (id: string) => window.admit(id), pass: (ms: number) => void (now += ms) };
}

describe('An id', () => {
  it('is admitted once within the window, whatever else is admitted meanwhile, and again after it', () => {
    const { admit, pass } = windowOf(1_000);
    expect(admit('first')).toBe(true);
    for (let other = 0; other < 400; other += 1) {
      expect(admit(`other ${other}`)).toBe(true);
      pass(2);
      expect(admit('first')).toBe(false);
    }
    pass(WINDOW_MS - 2 * 400 - 1);
    expect(admit('first')).toBe(false);
    pass(1);
    expect(admit('first')).toBe(true);
  });

  it('is remembered to the end of its window, also where others were forgotten at the end of theirs', () => {
    const { admit, pass } = windowOf(1_000);
    pass(WINDOW_MS - 1);
    admit('late');
    pass(1);
    admit('next');
    pass(WINDOW_MS - 2);
    expect(admit('late')).toBe(false);
    pass(1);
    expect(admit('late')).toBe(true);
  });

  it('does not stay longer because it came again', () => {
    const { admit, pass } = windowOf(1_000);
    admit('again');
    pass(WINDOW_MS - 1);
    expect(admit('again')).toBe(false);
    pass(1);
    expect(admit('again')).toBe(true);
  });

  it('is forgotten early, the oldest first, where more ids come than may be held', () => {
    const { admit } = windowOf(8);
    const ids = Array.from({ length: 9 }, (_, number) => `id ${number}`);
    for (const id of ids) expect(admit(id)).toBe(true);
    expect(admit('id 8')).toBe(false);
    expect(admit('id 4')).toBe(false);
    expect(admit('id 0')).toBe(true);
  });
});
