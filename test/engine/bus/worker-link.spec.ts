import { InProcessBus } from '../../../src/engine/bus/in-process.bus';
import { WorkerBus } from '../../../src/engine/bus/worker.bus';
import { serveWorker } from '../../../src/engine/bus/worker-hub';
import {
  linkOver,
  type FromHub,
  type FromWorker,
  readFromHub,
  readFromWorker,
  type WorkerLink,
} from '../../../src/engine/bus/worker-link';
import { eventually, inTime } from '../../setup/eventually';

/** One end of a channel whose other end is the test: what is sent is kept, and what is heard the test says. */
function openLink<Sent>() {
  const sent: Sent[] = [];
  let hear: (message: unknown) => void = () => undefined;
  let close: () => void = () => undefined;
  const link: WorkerLink<Sent> = {
    send: (message, handedOver) => {
      sent.push(message);
      handedOver?.();
    },
    onMessage: (listener) => (hear = listener),
    onClose: (listener) => (close = listener),
  };
  return { link, sent, say: (message: unknown) => hear(message), close: () => close() };
}

describe('a worker', () => {
  const opened = () => {
    const { sent, say, link, close } = openLink<FromWorker>();
    return { bus: new WorkerBus(link), sent, say, close };
  };

  it('hands back what was on its way to a listener that has left, and says so to those who asked it', () => {
    const { bus, sent, say } = opened();
    const hear = (): never => {
      throw new Error('A listener that has left has heard something.');
    };
    bus.subscribe('a', hear).unsubscribe();
    bus.respond('b', hear).unsubscribe();
    bus.consume('work', 1, hear).unsubscribe();
    sent.splice(0);
    say({ bus: 'heard', listener: 1, subject: 'a', payload: '1' } satisfies FromHub);
    expect(sent).toEqual([]);
    say({ bus: 'asked', listener: 2, key: 7, subject: 'b', payload: '1' } satisfies FromHub);
    say({ bus: 'delivered', listener: 3, key: 8, payload: '1', sequence: 1, deliveryCount: 1 } satisfies FromHub);
    expect(sent).toEqual([
      { bus: 'no_answer', key: 7, message: 'The responder has left.' },
      { bus: 'settle', key: 8, as: 'nak', delayMs: 0 },
    ]);
  });

  it('says once that a listener has left', () => {
    const { bus, sent } = opened();
    const subscription = bus.subscribe('a', () => undefined);
    for (let time = 0; time < 2; time += 1) subscription.unsubscribe();
    expect(sent).toEqual([
      { bus: 'subscribe', key: 1, pattern: 'a' },
      { bus: 'unsubscribe', key: 1 },
    ]);
  });

  it('says nothing more once its channel has closed', async () => {
    const { bus, sent, close } = opened();
    const subscription = bus.subscribe('a', () => undefined);
    const question = expect(inTime(bus.request('b', 1, { timeoutMs: 60_000 }))).rejects.toMatchObject({
      reason: 'unavailable',
    });
    sent.splice(0);
    close();
    await question;
    subscription.unsubscribe();
    bus.publish('a', 1);
    bus.subscribe('a', () => undefined).unsubscribe();
    bus.consume('work', 1, () => undefined).unsubscribe();
    await bus.close();
    expect(sent).toEqual([]);
    expect(bus.status()).toEqual({ status: 'error', detail: 'closed' });
  });

  it('takes an answer once, and none to what it has not asked', async () => {
    const { bus, say } = opened();
    const answer = inTime(bus.request('b', 1, { timeoutMs: 60_000 }));
    const failed = { bus: 'failed', key: 1, reason: 'timeout', message: 'Too late.' } satisfies FromHub;
    say({ bus: 'done', key: 1, payload: '"first"' } satisfies FromHub);
    for (const key of [1, 99]) {
      expect(() => say({ ...failed, key })).not.toThrow();
      expect(() => say({ bus: 'done', key, payload: '"second"' } satisfies FromHub)).not.toThrow();
    }
    expect(await answer).toBe('first');
  });

  it('keeps no delivery alive that it has settled, and settles it once', () => {
    const { bus, sent, say } = opened();
    bus.consume('work', 1, (delivery) => {
      delivery.working();
      delivery.drop();
      delivery.ack();
      delivery.nak(5);
      delivery.working();
    });
    sent.splice(0);
    say({ bus: 'delivered', listener: 1, key: 8, payload: '1', sequence: 1, deliveryCount: 1 } satisfies FromHub);
    expect(sent).toEqual([
      { bus: 'settle', key: 8, as: 'working', delayMs: 0 },
      { bus: 'settle', key: 8, as: 'drop', delayMs: 0 },
    ]);
  });
});

describe('the hub of the workers', () => {
  const hubs: InProcessBus[] = [];
  afterEach(() => Promise.all(hubs.splice(0).map((hub) => hub.close())));

  const opened = () => {
    const hub = new InProcessBus({ ackWaitMs: 60_000 });
    hubs.push(hub);
    const { sent, say, link, close } = openLink<FromHub>();
    serveWorker(hub, link);
    return { hub, sent, close, say: (message: FromWorker) => say(message) };
  };

  it('settles a delivery once, as its worker said first', async () => {
    const { hub, sent, say } = opened();
    say({ bus: 'consume', key: 1, queue: 'work', capacity: 2 });
    await hub.enqueue('work', 'later', { messageId: '1' });
    await eventually(() => expect(sent).toMatchObject([{ bus: 'delivered', listener: 1, key: 1, deliveryCount: 1 }]));
    say({ bus: 'settle', key: 1, as: 'nak', delayMs: 0 });
    await eventually(() => expect(sent).toMatchObject([{}, { bus: 'delivered', key: 2, deliveryCount: 2 }]));
    // Of a delivery that is settled nothing counts any more.
    for (const as of ['ack', 'working', 'drop'] as const) say({ bus: 'settle', key: 1, as, delayMs: 0 });
    say({ bus: 'settle', key: 2, as: 'nak', delayMs: 0 });
    await eventually(() => expect(sent.at(-1)).toMatchObject({ bus: 'delivered', key: 3, deliveryCount: 3 }));
  });

  it('gives the work of a worker that leaves to others, and hears nothing more of it', async () => {
    const { hub, sent, say, close } = opened();
    const heard: unknown[] = [];
    hub.subscribe('a', (payload) => heard.push(payload));
    say({ bus: 'consume', key: 1, queue: 'work', capacity: 1 });
    await hub.enqueue('work', 'left behind', { messageId: '1' });
    await eventually(() => expect(sent).toHaveLength(1));
    say({ bus: 'close' });
    close();
    say({ bus: 'publish', subject: 'a', payload: '"after its end"' });
    const taken: unknown[] = [];
    hub.consume('work', 1, ({ payload, deliveryCount }) => taken.push([payload, deliveryCount]));
    await eventually(() => expect(taken).toEqual([['left behind', 2]]));
    expect(heard).toEqual([]);
  });

  it('takes no harm from what is said of listeners, questions and deliveries that it does not know', async () => {
    const { sent, say } = opened();
    say({ bus: 'unsubscribe', key: 9 });
    say({ bus: 'answer', key: 9, payload: '1' });
    say({ bus: 'no_answer', key: 9, message: 'No.' });
    say({ bus: 'settle', key: 9, as: 'ack', delayMs: 0 });
    say({ bus: 'request', key: 1, subject: 'b', payload: '1', timeoutMs: 1_000 });
    await eventually(() => expect(sent).toMatchObject([{ bus: 'failed', key: 1, reason: 'no_responder' }]));
  });

  it('says why a request of a worker failed', async () => {
    const { hub, sent, say } = opened();
    say({ bus: 'request', key: 5, subject: 'b', payload: '1', timeoutMs: 1_000 });
    await eventually(() =>
      expect(sent).toEqual([{ bus: 'failed', key: 5, reason: 'no_responder', message: expect.stringContaining('b') }]),
    );
    await hub.close();
    say({ bus: 'enqueue', key: 6, queue: 'work', payload: '1', messageId: '1' });
    await eventually(() => expect(sent.at(-1)).toMatchObject({ bus: 'failed', key: 6, reason: 'unavailable' }));
  });

  it('answers a request as its responder in a worker does, once', async () => {
    const { hub, sent, say } = opened();
    say({ bus: 'respond', key: 1, pattern: 'b.*' });
    const answers = [1, 2].map((number) => hub.request(`b.${number}`, number, { timeoutMs: 60_000 }));
    const refused = expect(answers[1]).rejects.toMatchObject({ reason: 'responder_failed', message: 'No.' });
    await eventually(() =>
      expect(sent).toEqual([
        { bus: 'asked', listener: 1, key: 1, subject: 'b.1', payload: '1' },
        { bus: 'asked', listener: 1, key: 2, subject: 'b.2', payload: '2' },
      ]),
    );
    say({ bus: 'answer', key: 1, payload: '"first"' });
    say({ bus: 'no_answer', key: 1, message: 'Too late.' });
    say({ bus: 'no_answer', key: 2, message: 'No.' });
    expect(await answers[0]).toBe('first');
    await refused;
  });
});

describe('what travels between them', () => {
  it.each([
    [{ bus: 'settle', key: 1, as: 'lose', delayMs: 0 }],
    [{ bus: 'consume', key: 1.5, queue: 'work', capacity: 1 }],
    [undefined],
  ])('is no message of a worker: %j', (message) => {
    expect(readFromWorker(message)).toBeNull();
  });

  it.each([[{ bus: 'failed', key: 1, reason: 'weather', message: 'It rains.' }], [{ bus: 'done', key: 1 }], [null]])(
    'is no message of the hub: %j',
    (message) => {
      expect(readFromHub(message)).toBeNull();
    },
  );

  it('is lost where the channel has closed, and its sender does not wait', async () => {
    const link = linkOver<FromWorker>({ on: () => undefined, once: () => undefined });
    await new Promise<void>((resolve) => link.send({ bus: 'close' }, resolve));
    expect(() => link.send({ bus: 'close' })).not.toThrow();
  });
});
