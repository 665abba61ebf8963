import { Afterwork } from '../../src/agents/afterwork';
import { OneAtATime } from '../../src/agents/one-at-a-time';
import { unaborted } from './provider.contract';

const CANCELED = { disposition: { kind: 'canceled' } };

/** A message that lasts until a test ends it, or its signal is aborted. */
function slow() {
  const sent: { signal: AbortSignal | null; end: () => void } = { signal: null, end: () => undefined };
  const send = (signal: AbortSignal): Promise<string> => {
    sent.signal = signal;
    return new Promise((resolve, reject) => {
      sent.end = () => resolve('answered');
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  };
  return { sent, send };
}

describe('Messages one at a time', () => {
  it('follow one another, and none is sent while another is in flight', async () => {
    const messages = new OneAtATime();
    const { sent, send } = slow();
    const first = messages.pass(unaborted(), send);
    await expect(messages.pass(unaborted(), () => Promise.resolve('second'))).rejects.toMatchObject({
      code: 'internal',
      disposition: { kind: 'terminal' },
    });
    sent.end();
    expect(await first).toBe('answered');
    expect(await messages.pass(unaborted(), () => Promise.resolve('third'))).toBe('third');
    await expect(messages.pass(unaborted(), () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await messages.pass(unaborted(), () => Promise.resolve('fifth'))).toBe('fifth');
  });

  it('are given up with their caller, and the next is not', async () => {
    const messages = new OneAtATime();
    const ending = new AbortController();
    const passing = messages.pass(ending.signal, slow().send);
    ending.abort();
    await expect(passing).rejects.toThrow('aborted');
    const { sent, send } = slow();
    const next = messages.pass(unaborted(), send);
    expect(sent.signal?.aborted).toBe(false);
    sent.end();
    expect(await next).toBe('answered');
  });

  it('are not given up by a caller whose message has been answered', async () => {
    const messages = new OneAtATime();
    const earlier = new AbortController();
    await messages.pass(earlier.signal, () => Promise.resolve('answered'));
    const { sent, send } = slow();
    const next = messages.pass(unaborted(), send);
    earlier.abort();
    expect(sent.signal?.aborted).toBe(false);
    sent.end();
    await next;
  });

  it('end with the session, the one in flight too', async () => {
    const messages = new OneAtATime();
    const passing = messages.pass(unaborted(), slow().send);
    messages.close();
    await expect(passing).rejects.toThrow('aborted');
    let isSent = false;
    const send = async (): Promise<void> => void (isSent = true);
    await expect(messages.pass(unaborted(), send)).rejects.toMatchObject(CANCELED);
    await expect(new OneAtATime().pass(AbortSignal.abort(), send)).rejects.toMatchObject(CANCELED);
    expect(isSent).toBe(false);
  });
});

it('Work that nobody waits for any more is waited for at the end, however it ends', async () => {
  const afterwork = new Afterwork();
  const ends: (() => void)[] = [];
  const work = new Promise<string>((resolve) => ends.push(() => resolve('done')));
  expect(afterwork.keep(work)).toBe(work);
  const failing = new Promise<string>((_, reject) => ends.push(() => reject(new Error('failed'))));
  afterwork.keep(failing).catch(() => undefined);
  let isSettled = false;
  const settled = afterwork.settled().then(() => (isSettled = true));
  ends[0]?.();
  await new Promise(setImmediate);
  expect(isSettled).toBe(false);
  ends[1]?.();
  await settled;
  await afterwork.settled();
});
