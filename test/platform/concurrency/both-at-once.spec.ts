import { bothAtOnce } from '../../../src/platform/concurrency';

/** Ends when it is aborted, a moment later, and says so. */
function untilAborted(signal: AbortSignal, onEnd: () => void): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => {
      setImmediate(() => {
        onEnd();
        reject(new Error('aborted'));
      });
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}

describe('bothAtOnce', () => {
  it('answers both results in their order, whichever came first', async () => {
    let finishFirst = (): void => undefined;
    const first = new Promise<string>((resolve) => {
      finishFirst = () => resolve('first');
    });
    const both = bothAtOnce(
      new AbortController().signal,
      () => first,
      async () => {
        finishFirst();
        return 2;
      },
    );
    expect(await both).toEqual(['first', 2]);
  });

  it.each(['one', 'other'])('has the failure of %s stop the other one, and waits for its end', async (failing) => {
    let ended = false;
    const fail = (): Promise<never> => Promise.reject(new Error('failed first'));
    const wait = (signal: AbortSignal): Promise<never> =>
      untilAborted(signal, () => {
        ended = true;
      });
    const [one, other] = failing === 'one' ? [fail, wait] : [wait, fail];
    await expect(bothAtOnce(new AbortController().signal, one, other)).rejects.toThrow('failed first');
    expect(ended).toBe(true);
  });

  it.each(['before', 'during'])('stops both when it is aborted %s its work', async (when) => {
    const abort = new AbortController();
    const ended: string[] = [];
    if (when === 'before') abort.abort();
    const both = bothAtOnce(
      abort.signal,
      (signal) => untilAborted(signal, () => ended.push('one')),
      (signal) => untilAborted(signal, () => ended.push('other')),
    );
    abort.abort();
    await expect(both).rejects.toThrow('aborted');
    expect(ended).toEqual(['one', 'other']);
  });
});
