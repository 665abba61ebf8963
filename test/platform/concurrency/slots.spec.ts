import { Slots } from '../../../src/platform/concurrency/slots';

class Gone extends Error {}

const unaborted = (): AbortSignal => new AbortController().signal;

describe('Slots', () => {
  it('let so many in, and the others in the order they came', async () => {
    const slots = new Slots(1, () => new Gone());
    const leave = await slots.take(unaborted());
    const came: string[] = [];
    const abort = new AbortController();
    const gone = slots.take(abort.signal);
    const second = slots.take().then((leaveSecond) => {
      came.push('second');
      leaveSecond();
    });
    const third = slots.take(unaborted()).then(() => came.push('third'));
    abort.abort();
    await expect(gone).rejects.toBeInstanceOf(Gone);
    expect(came).toEqual([]);
    leave();
    leave();
    await Promise.all([second, third]);
    expect(came).toEqual(['second', 'third']);
  });

  it('let nobody in who is canceled already, free as they may be', async () => {
    await expect(new Slots(1, () => new Gone()).take(AbortSignal.abort())).rejects.toBeInstanceOf(Gone);
    await expect(new Slots(1).take(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('are free again for as many as have left', async () => {
    const slots = new Slots(2);
    const leaves = await Promise.all([slots.take(), slots.take()]);
    for (const leave of leaves) leave();
    await Promise.all([slots.take(), slots.take()]);
    let isIn = false;
    void slots.take().then(() => (isIn = true));
    await new Promise(setImmediate);
    expect(isIn).toBe(false);
  });
});
