import { ProviderError } from '../../../src/agents/errors';
import { RoomMail, Waiting, type Mail, type WaitFor } from '../../../src/agents/voice/waiting';
import { unaborted } from '../provider.contract';

const LATE = new ProviderError('provider_timeout', 'It was late.');

function waitFor<Found>(waiting: Waiting, look: () => Found | null, more: Partial<WaitFor<Found>> = {}) {
  return waiting.for<Found>({
    look,
    deadline: Number.POSITIVE_INFINITY,
    late: () => LATE,
    lookAgainIn: () => 10_000,
    signal: unaborted(),
    ...more,
  });
}

/** Something that is not there yet, and how often it was looked for. */
function missing() {
  const thing: { found: string | null; looks: number } = { found: null, looks: 0 };
  const look = (): string | null => {
    thing.looks += 1;
    return thing.found;
  };
  return { thing, look };
}

describe('A wait', () => {
  it('ends at once where the thing is there', async () => {
    expect(await waitFor(new Waiting(), () => 0)).toBe(0);
  });

  it('looks again when something changed, and no more once it has found it', async () => {
    const waiting = new Waiting();
    const { thing, look } = missing();
    const found = waitFor(waiting, look);
    waiting.changed();
    thing.found = 'it';
    waiting.changed();
    waiting.changed();
    expect(await found).toBe('it');
    expect(thing.looks).toBe(3);
  });

  it('looks again after a time even if nothing changes', async () => {
    const { thing, look } = missing();
    const found = waitFor(new Waiting(), look, { lookAgainIn: () => 1 });
    thing.found = 'it';
    expect(await found).toBe('it');
    expect(thing.looks).toBe(2);
  });

  it('ends at its deadline, in what is said of that', async () => {
    const { look } = missing();
    const deadline = performance.now() + 20;
    const wait = waitFor(new Waiting(), look, { deadline, lookAgainIn: () => null });
    await expect(wait).rejects.toBe(LATE);
    expect(performance.now()).toBeGreaterThanOrEqual(deadline);
    await expect(waitFor(new Waiting(), look, { deadline: performance.now() })).rejects.toBe(LATE);
    expect(await waitFor(new Waiting(), () => 'there', { deadline: 0 })).toBe('there');
  });

  it('ends in what the look throws', async () => {
    const gone = new Error('Gone.');
    const throwing = (error: unknown) => () => {
      throw error;
    };
    await expect(waitFor(new Waiting(), throwing(gone))).rejects.toBe(gone);
    await expect(waitFor(new Waiting(), throwing('gone'))).rejects.toThrow('something that is not an error');
  });

  it('ends when the caller gives up, before it looks or while it waits', async () => {
    const canceled = { disposition: { kind: 'canceled' } };
    const { thing, look } = missing();
    await expect(waitFor(new Waiting(), look, { signal: AbortSignal.abort() })).rejects.toMatchObject(canceled);
    expect(thing.looks).toBe(0);
    const ending = new AbortController();
    const waiting = new Waiting();
    const wait = waitFor(waiting, look, { signal: ending.signal });
    ending.abort();
    await expect(wait).rejects.toMatchObject(canceled);
    waiting.changed();
    expect(thing.looks).toBe(1);
  });
});

test('mail of a room comes to all who asked for it, until they ask for no more', () => {
  const channel = new RoomMail();
  const mails: Mail[] = [];
  const stop = channel.on((mail) => mails.push(mail));
  channel.on((mail) => mails.push(mail));
  channel.hand({ payload: 'aGk=', topic: null, sender: 'agent' });
  expect(mails).toEqual([1, 2].map(() => ({ payload: Buffer.from('hi'), topic: null, sender: 'agent' })));
  stop();
  channel.hand({ payload: '', topic: 'chat', sender: '' });
  expect(mails).toHaveLength(3);
});
