import { setTimeout as sleep } from 'node:timers/promises';
import { Remembered } from '../../../src/platform/concurrency/remembered';

describe('a remembered answer', () => {
  it('is asked for once by all who ask while it is under way or fresh', async () => {
    let asked = 0;
    const answers = new Remembered(async () => {
      await sleep(1);
      return (asked += 1);
    }, 60_000);
    expect(await Promise.all([answers.get(), answers.get(), answers.get()])).toEqual([1, 1, 1]);
    expect(await answers.get()).toBe(1);
  });

  it('is asked for again when it is too old', async () => {
    let asked = 0;
    const answers = new Remembered(async () => (asked += 1), 0);
    expect(await answers.get()).toBe(1);
    await sleep(5);
    expect(await answers.get()).toBe(2);
  });

  it('is remembered when it is a failure, too: a server in trouble is not asked all the more', async () => {
    let asked = 0;
    const answers = new Remembered(async () => {
      asked += 1;
      throw new Error('away');
    }, 60_000);
    await expect(answers.get()).rejects.toThrow('away');
    await expect(answers.get()).rejects.toThrow('away');
    expect(asked).toBe(1);
  });
});
