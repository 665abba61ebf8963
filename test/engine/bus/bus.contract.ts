import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus, BusErrorReason, Delivery } from '../../../src/engine/bus/bus';
import { MAX_PAYLOAD_BYTES } from '../../../src/engine/bus/wire-format';
import { busInTime } from '../../setup/bus-in-time';
import { eventually, inTime } from '../../setup/eventually';
import { whileAwake } from '../../setup/while-awake';

export interface BusContractTimes {
  readonly ackWaitMs: number;
  readonly dedupeWindowMs: number;
}

export interface BusContractOptions extends Partial<BusContractTimes> {
  readonly onHandlerError?: (error: unknown, subject: string) => void;
}

export interface BusHarness {
  /** A client of the one server of this harness; an implementation without servers answers the same bus each time. */
  connect(): Promise<Bus>;
  close(): Promise<void>;
}

type StartBus = (options: BusContractOptions) => Promise<BusHarness>;

interface BusKind {
  readonly separateClients: boolean;
}

/** The same buses, in whose tests nothing stands still. */
function inTimeOf(start: StartBus): StartBus {
  return async (options) => {
    const harness = await start(options);
    return {
      connect: async () => busInTime(await inTime(harness.connect())),
      close: () => inTime(harness.close()),
    };
  };
}

/** What every bus must do and what takes no longer than messages travel; the rest is in `waitingContract`. */
export function deliveryContract(name: string, startBus: StartBus, { separateClients }: BusKind): void {
  const start = inTimeOf(startBus);
  describe(`${name} keeps the bus contract`, () => {
    let harness: BusHarness;
    let bus: Bus;

    beforeEach(async () => {
      harness = await start({});
      bus = await harness.connect();
    });
    afterEach(() => harness.close());

    /** Everything sent on this bus before has been delivered to it when this resolves. */
    async function delivered(): Promise<void> {
      const arrived = new Promise<void>((resolve) => {
        const fence = bus.subscribe('fence', () => {
          fence.unsubscribe();
          resolve();
        });
      });
      bus.publish('fence', null);
      await inTime(arrived);
    }

    describe('publish and subscribe', () => {
      it('delivers the messages of a subject in the order they were published', async () => {
        const heard: unknown[] = [];
        bus.subscribe('osce.order', (payload) => heard.push(payload));
        const sent = Array.from({ length: 1_000 }, (_, index) => index);
        for (const index of sent) bus.publish('osce.order', index);
        await delivered();
        expect(heard).toEqual(sent);
      });

      it.each([
        ['a.b', 'a.b', true],
        ['a.b', 'a.c', false],
        ['a.b', 'a.b.c', false],
        ['a.b', 'a', false],
        ['a.b', 'A.b', false],
        ['*', 'a', true],
        ['*', 'a.b', false],
        ['a.*', 'a.b', true],
        ['a.*', 'a', false],
        ['a.*', 'a.b.c', false],
        ['*.b', 'a.b', true],
        ['a.*.c', 'a.b.c', true],
        ['a.*.c', 'a.b.d', false],
        ['*.*', 'a.b', true],
        ['>', 'a', true],
        ['>', 'a.b.c', true],
        ['a.>', 'a.b', true],
        ['a.>', 'a.b.c.d', true],
        ['a.>', 'a', false],
        ['a.>', 'b.c', false],
        ['a.*.>', 'a.b.c', true],
        ['a.*.>', 'a.b', false],
      ])('a subscription to %s, a message on %s: heard is %s', async (pattern, subject, heard) => {
        const subjects: string[] = [];
        bus.subscribe(pattern, (_payload, on) => subjects.push(on));
        bus.publish(subject, {});
        await delivered();
        expect(subjects.filter((on) => on !== 'fence')).toEqual(heard ? [subject] : []);
      });

      it('gives every subscriber the message, one for each subscription', async () => {
        const heard: string[] = [];
        bus.subscribe('a.b', () => heard.push('exact'));
        bus.subscribe('a.b', () => heard.push('exact too'));
        bus.subscribe('a.*', () => heard.push('star'));
        bus.subscribe('a.>', () => heard.push('rest'));
        bus.publish('a.b', {});
        await delivered();
        expect(heard.sort()).toEqual(['exact', 'exact too', 'rest', 'star']);
      });

      it('gives receivers their own copy, taken when it was published', async () => {
        const heard: { list: number[] }[] = [];
        const change = (payload: unknown): void => {
          const copy = payload as { list: number[] };
          copy.list.push(99);
          heard.push(copy);
        };
        bus.subscribe('a', change);
        bus.subscribe('a', change);
        const sent = { list: [1] };
        bus.publish('a', sent);
        sent.list.push(2);
        await delivered();
        expect(heard).toEqual([{ list: [1, 99] }, { list: [1, 99] }]);
        expect(sent.list).toEqual([1, 2]);
      });

      it('carries what JSON carries, and nothing more', async () => {
        const heard: unknown[] = [];
        bus.subscribe('a', (payload) => heard.push(payload));
        bus.publish('a', { at: new Date(0), missing: undefined, map: new Map([[1, 2]]), text: 'zażółć \u0000 🩺' });
        bus.publish('a', null);
        await delivered();
        expect(heard).toEqual([{ at: '1970-01-01T00:00:00.000Z', map: {}, text: 'zażółć \u0000 🩺' }, null]);
      });

      const circular: Record<string, unknown> = {};
      circular.self = circular;
      it.each<[string, unknown, BusErrorReason]>([
        ['undefined', undefined, 'invalid_payload'],
        ['a function', () => undefined, 'invalid_payload'],
        ['a bigint', { n: 1n }, 'invalid_payload'],
        ['a circle', circular, 'invalid_payload'],
        ['more than a server takes', 'é'.repeat(MAX_PAYLOAD_BYTES / 2), 'payload_too_large'],
      ])('refuses %s as a payload', async (_what, payload, reason) => {
        const heard: unknown[] = [];
        bus.subscribe('a', (message) => heard.push(message));
        expect(() => bus.publish('a', payload)).toThrow(expect.objectContaining({ name: 'BusError', reason }));
        await expect(bus.request('a', payload, { timeoutMs: 1_000 })).rejects.toMatchObject({ reason });
        await expect(bus.enqueue('work', payload, { messageId: '1' })).rejects.toMatchObject({ reason });
        await delivered();
        expect(heard).toEqual([]);
      });

      it('carries a payload of exactly the allowed size', async () => {
        const largest = 'x'.repeat(MAX_PAYLOAD_BYTES - '""'.length);
        const heard: unknown[] = [];
        bus.subscribe('a', (payload) => heard.push(payload));
        bus.publish('a', largest);
        await delivered();
        expect(heard).toEqual([largest]);
      });

      it.each(['', '.', 'a.', '.a', 'a..b', 'a b', 'a.*', 'a.>'])('refuses to publish on %j', (subject) => {
        expect(() => bus.publish(subject, {})).toThrow(expect.objectContaining({ reason: 'invalid_subject' }));
      });

      it.each(['', '.', 'a.', 'a..b', 'a b', 'a.>.b', '>.a'])('refuses to subscribe to %j', (pattern) => {
        expect(() => bus.subscribe(pattern, () => undefined)).toThrow(
          expect.objectContaining({ reason: 'invalid_subject' }),
        );
      });

      it('never delivers inside the call that publishes', async () => {
        let heard = 0;
        bus.subscribe('a', () => {
          heard += 1;
        });
        bus.publish('a', {});
        expect(heard).toBe(0);
        await Promise.resolve();
        expect(heard).toBe(0);
        await delivered();
        expect(heard).toBe(1);
      });

      it('keeps delivering when a handler throws', async () => {
        const heard: unknown[] = [];
        bus.subscribe('a', () => {
          throw new Error('a broken handler');
        });
        bus.subscribe('a', (payload) => heard.push(payload));
        bus.publish('a', 1);
        bus.publish('a', 2);
        await delivered();
        expect(heard).toEqual([1, 2]);
      });

      it('reports what handlers throw, with where they were called', async () => {
        await harness.close();
        const reported: string[] = [];
        const report = (error: unknown, subject: string) => reported.push(`${subject}: ${String(error)}`);
        harness = await start({ onHandlerError: report });
        bus = await harness.connect();
        bus.subscribe('a', () => {
          throw new Error('in a subscriber');
        });
        bus.respond('b', async () => {
          throw new Error('in a responder nobody asked');
        });
        bus.consume('osce.work', 1, () => {
          throw new Error('in a consumer');
        });
        bus.publish('a', {});
        bus.publish('b', {});
        await bus.enqueue('osce.work', {}, { messageId: '1' });
        await eventually(() =>
          expect(reported.sort()).toEqual([
            'a: Error: in a subscriber',
            'b: Error: in a responder nobody asked',
            'osce.work: Error: in a consumer',
          ]),
        );
      });

      it('lets a handler publish, subscribe and unsubscribe', async () => {
        const heard: unknown[] = [];
        const first = bus.subscribe('a', (payload) => {
          first.unsubscribe();
          bus.subscribe('b', (echo) => heard.push(echo));
          bus.publish('b', payload);
        });
        bus.publish('a', 1);
        bus.publish('a', 2);
        await eventually(() => expect(heard).toEqual([1]));
      });

      it('delivers nothing after unsubscribe, not even what was published before', async () => {
        const heard: unknown[] = [];
        const subscription = bus.subscribe('a', (payload) => heard.push(payload));
        bus.publish('a', 1);
        subscription.unsubscribe();
        subscription.unsubscribe();
        bus.publish('a', 2);
        await delivered();
        expect(heard).toEqual([]);
      });

      it('is heard by other clients', async () => {
        const other = await harness.connect();
        const heard: unknown[] = [];
        other.subscribe('osce.test-run.event.*', (payload) => heard.push(payload));
        await reachable(other, bus);
        bus.publish('osce.test-run.event.1', { seq: 1 });
        await eventually(() => expect(heard).toEqual([{ seq: 1 }]));
      });
    });

    describe('request and respond', () => {
      it('answers each request with its own answer', async () => {
        const other = await harness.connect();
        other.respond('double.*', async (payload, subject) => ({ twice: Number(payload) * 2, subject }));
        await reachable(other, bus);
        const numbers = Array.from({ length: 100 }, (_, index) => index);
        const answers = await Promise.all(numbers.map((n) => bus.request(`double.${n}`, n, { timeoutMs: 5_000 })));
        expect(answers).toEqual(numbers.map((n) => ({ twice: n * 2, subject: `double.${n}` })));
      });

      it('says at once when nobody is there to answer', async () => {
        await expect(bus.request('nobody', {}, { timeoutMs: 20_000 })).rejects.toMatchObject({
          reason: 'no_responder',
        });
      });

      it('gives up when no answer comes in time', async () => {
        bus.respond('silent', () => new Promise(() => undefined));
        await expect(bus.request('silent', {}, { timeoutMs: 50 })).rejects.toMatchObject({ reason: 'timeout' });
      });

      it('waits for each answer as long as it was told to', async () => {
        bus.respond('silent', () => new Promise(() => undefined));
        const ended = async (timeoutMs: number): Promise<unknown> => {
          const reason: unknown = await bus.request('silent', {}, { timeoutMs }).catch((error: unknown) => error);
          return [timeoutMs, reason];
        };
        const first = await Promise.race([ended(900), ended(20)]);
        expect(first).toEqual([20, expect.objectContaining({ reason: 'timeout' })]);
      });

      it('tells the requester what the responder threw, and goes on answering', async () => {
        bus.respond('picky', async (payload) => {
          if (payload === 'bad') throw new Error('no such run');
          return 'fine';
        });
        await expect(bus.request('picky', 'bad', { timeoutMs: 5_000 })).rejects.toMatchObject({
          reason: 'responder_failed',
          message: 'no such run',
        });
        await expect(bus.request('picky', 'good', { timeoutMs: 5_000 })).resolves.toBe('fine');
      });

      it.each<[string, () => Promise<unknown>, RegExp]>([
        ['no error', async () => AbortSignal.abort('just text').throwIfAborted(), /./],
        ['a mebibyte', () => Promise.reject(new Error('x'.repeat(MAX_PAYLOAD_BYTES))), /^x{1000}/],
      ])('tells the requester also when the responder threw %s', async (_what, handler, message) => {
        bus.respond('odd', handler);
        await expect(bus.request('odd', {}, { timeoutMs: 5_000 })).rejects.toMatchObject({
          reason: 'responder_failed',
          message: expect.stringMatching(message),
        });
      });

      it('fails a request whose answer cannot travel', async () => {
        bus.respond('odd', async () => 1n);
        await expect(bus.request('odd', {}, { timeoutMs: 5_000 })).rejects.toMatchObject({
          reason: 'responder_failed',
        });
      });

      it('answers no value as null', async () => {
        bus.respond('quiet', async () => undefined);
        await expect(bus.request('quiet', {}, { timeoutMs: 5_000 })).resolves.toBeNull();
      });

      it('takes the first of several answers', async () => {
        bus.respond('several', () => new Promise(() => undefined));
        bus.respond('several', async () => 'first');
        await expect(bus.request('several', {}, { timeoutMs: 5_000 })).resolves.toBe('first');
      });

      it('lets subscribers hear requests and responders hear messages', async () => {
        const heard: string[] = [];
        bus.subscribe('mixed', () => heard.push('subscriber'));
        const responder = bus.respond('mixed', async () => {
          heard.push('responder');
        });
        bus.publish('mixed', {});
        await delivered();
        expect(heard.sort()).toEqual(['responder', 'subscriber']);
        responder.unsubscribe();
        await expect(bus.request('mixed', {}, { timeoutMs: 50 })).rejects.toMatchObject({ reason: 'timeout' });
        expect(heard).toHaveLength(3);
      });

      it('gives responder and requester copies of their own', async () => {
        const answer = { list: [1] };
        bus.respond('copy', async () => answer);
        const received = await bus.request('copy', {}, { timeoutMs: 5_000 });
        expect(received).toEqual(answer);
        expect(received).not.toBe(answer);
      });
    });

    describe('work queue', () => {
      let nextId = 0;
      const put = (payload: unknown, to = bus): Promise<void> =>
        to.enqueue('osce.work', payload, { messageId: `m${(nextId += 1)}` });

      it('keeps work until somebody consumes it, and delivers it in order', async () => {
        for (let n = 1; n <= 20; n += 1) await put({ n });
        const done: unknown[] = [];
        bus.consume('osce.work', 5, (delivery) => {
          done.push([delivery.payload, delivery.deliveryCount]);
          delivery.ack();
        });
        await eventually(() => expect(done).toEqual(Array.from({ length: 20 }, (_, index) => [{ n: index + 1 }, 1])));
      });

      it('numbers the messages of a queue from 1, each the same whenever it is delivered', async () => {
        for (const payload of ['one', 'two']) await put(payload);
        const taken: unknown[] = [];
        bus.consume('osce.work', 1, (delivery) => {
          taken.push([delivery.payload, delivery.sequence, delivery.deliveryCount]);
          if (delivery.deliveryCount === 1) delivery.nak(0);
          else delivery.ack();
        });
        await eventually(() => expect(taken).toHaveLength(4));
        expect(taken.toSorted()).toEqual([
          ['one', 1, 1],
          ['one', 1, 2],
          ['two', 2, 1],
          ['two', 2, 2],
        ]);
      });

      it('has no more than the capacity open, and goes on as deliveries are settled', async () => {
        const open: Delivery[] = [];
        let most = 0;
        bus.consume('osce.work', 3, (delivery) => {
          open.push(delivery);
          most = Math.max(most, open.length);
        });
        for (let n = 1; n <= 10; n += 1) await put(n);
        await eventually(() => expect(open.length).toBe(3));
        const done: unknown[] = [];
        while (done.length < 10) {
          await eventually(() => expect(open.length).toBeGreaterThan(0));
          const delivery = open.shift();
          done.push(delivery?.payload);
          delivery?.ack();
        }
        expect(done).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        expect(most).toBe(3);
      });

      it('shares the work among consumers', async () => {
        const other = await harness.connect();
        const taken: [string, unknown][] = [];
        bus.consume('osce.work', 1, ({ payload }) => taken.push(['one', payload]));
        bus.consume('osce.work', 1, ({ payload }) => taken.push(['two', payload]));
        other.consume('osce.work', 1, ({ payload }) => taken.push(['three', payload]));
        for (const n of [1, 2, 3]) await put(n);
        await eventually(() => expect(taken.length).toBe(3));
        expect(taken.map(([who]) => who).sort()).toEqual(['one', 'three', 'two']);
        expect(taken.map(([, payload]) => payload).sort()).toEqual([1, 2, 3]);
      });

      it('gives each receiver its own copy', async () => {
        const payload = { list: [1] };
        await put(payload);
        payload.list.push(2);
        const received: unknown[] = [];
        bus.consume('osce.work', 1, (delivery) => received.push(delivery.payload));
        await eventually(() => expect(received).toEqual([{ list: [1] }]));
      });

      it('takes a repeated messageId for the same message, also when that one is done', async () => {
        const done: unknown[] = [];
        bus.consume('osce.work', 10, (delivery) => {
          done.push(delivery.payload);
          delivery.ack();
        });
        await bus.enqueue('osce.work', 'first', { messageId: 'same' });
        await bus.enqueue('osce.work', 'repeated', { messageId: 'same' });
        await eventually(() => expect(done).toEqual(['first']));
        await bus.enqueue('osce.work', 'repeated again', { messageId: 'same' });
        await bus.enqueue('osce.work', 'other', { messageId: 'other' });
        await eventually(() => expect(done).toEqual(['first', 'other']));
      });

      it('ignores the second settlement of a delivery', async () => {
        const taken: unknown[] = [];
        bus.consume('osce.work', 10, (delivery) => {
          taken.push(delivery.payload);
          delivery.ack();
          delivery.nak(0);
          delivery.working();
        });
        await put('once');
        await eventually(() => expect(taken).toEqual(['once']));
        await put('sentinel');
        await eventually(() => expect(taken).toEqual(['once', 'sentinel']));
      });

      it('delivers again what was handed back first, whatever is said of that delivery afterwards', async () => {
        const taken: unknown[] = [];
        bus.consume('osce.work', 1, (delivery) => {
          taken.push(delivery.deliveryCount);
          if (delivery.deliveryCount === 1) delivery.nak(0);
          delivery.ack();
          delivery.drop();
        });
        await put('handed back');
        await eventually(() => expect(taken).toEqual([1, 2]));
      });

      it('never delivers again what is dropped, and frees its slot', async () => {
        const taken: unknown[] = [];
        bus.consume('osce.work', 1, (delivery) => {
          taken.push(delivery.payload);
          delivery.drop();
          delivery.nak(0);
        });
        await put('nobody can do this');
        await put('nor this');
        await eventually(() => expect(taken).toEqual(['nobody can do this', 'nor this']));
        await put('sentinel');
        await eventually(() => expect(taken).toEqual(['nobody can do this', 'nor this', 'sentinel']));
      });

      it('hands back what is not wanted now, after the delay', async () => {
        const delayMs = 200;
        const taken: { count: number; at: number }[] = [];
        bus.consume('osce.work', 1, (delivery) => {
          taken.push({ count: delivery.deliveryCount, at: performance.now() });
          if (delivery.deliveryCount === 1) delivery.nak(delayMs);
          else delivery.ack();
        });
        await put('later');
        await eventually(() => expect(taken.map(({ count }) => count)).toEqual([1, 2]));
        const [first, second] = taken;
        // Timers count whole milliseconds.
        expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(delayMs - 2);
      });

      it('frees the slot of what was handed back', async () => {
        const taken: unknown[] = [];
        bus.consume('osce.work', 1, (delivery) => {
          taken.push(delivery.payload);
          if (delivery.payload === 'not now') delivery.nak(60_000);
          else delivery.ack();
        });
        await put('not now');
        await put('next');
        await eventually(() => expect(taken).toEqual(['not now', 'next']));
      });

      it('stops at unsubscribe; what is open can be settled, what waits goes to others', async () => {
        const open: Delivery[] = [];
        const leaving = bus.consume('osce.work', 1, (delivery) => open.push(delivery));
        await put(1);
        await put(2);
        await eventually(() => expect(open.length).toBe(1));
        leaving.unsubscribe();
        leaving.unsubscribe();
        open[0]?.ack();
        const taken: unknown[] = [];
        bus.consume('osce.work', 5, ({ payload }) => taken.push(payload));
        await eventually(() => expect(taken).toEqual([2]));
        expect(open).toHaveLength(1);
      });
    });

    describe('close', () => {
      it('delivers nothing more and says so', async () => {
        const heard: unknown[] = [];
        bus.subscribe('a', (payload) => heard.push(payload));
        bus.consume('osce.work', 1, ({ payload }) => heard.push(payload));
        expect(bus.status().status).toBe('ok');
        await bus.close();
        await bus.close();
        expect(bus.status().status).toBe('error');
        bus.publish('a', 1);
        // Also what nothing that is open would take.
        expect(() => bus.publish('no subject', 1n)).not.toThrow();
        bus.subscribe('a', (payload) => heard.push(payload)).unsubscribe();
        bus.consume('osce.work', 1, ({ payload }) => heard.push(payload)).unsubscribe();
        await expect(bus.enqueue('osce.work', 1, { messageId: '1' })).rejects.toMatchObject({ reason: 'unavailable' });
        await expect(bus.request('a', 1, { timeoutMs: 1_000 })).rejects.toMatchObject({ reason: 'unavailable' });
        await sleep(50);
        expect(heard).toEqual([]);
      });

      it('delivers nothing of what was published before, not even when a handler closes it', async () => {
        const heard: unknown[] = [];
        bus.subscribe('a', (payload) => {
          heard.push(payload);
          void bus.close();
        });
        for (const number of [1, 2, 3]) bus.publish('a', number);
        await eventually(() => expect(heard).toEqual([1]));
        await bus.close();
        await sleep(50);
        expect(heard).toEqual([1]);
      });

      it('refuses at once what it is asked while it closes', async () => {
        bus.respond('ready', async () => true);
        const closed = bus.close();
        const refused = { reason: 'unavailable', message: 'The bus is closed.' };
        await expect(bus.request('ready', 1, { timeoutMs: 1_000 })).rejects.toMatchObject(refused);
        await expect(bus.enqueue('osce.work', 1, { messageId: '1' })).rejects.toMatchObject(refused);
        expect(bus.status().status).toBe('error');
        await closed;
      });

      it('says nothing of an answer that comes after it', async () => {
        const asking = await harness.connect();
        const answers: ((value: unknown) => void)[] = [];
        bus.respond('slow', () => new Promise((resolve) => answers.push(resolve)));
        await reachable(bus, asking);
        const asked = asking.request('slow', 1, { timeoutMs: 60_000 }).catch(() => 'none');
        await eventually(() => expect(answers.length).toBe(1));
        await bus.close();
        answers[0]?.('too late');
        // An answer on its way arrives before this.
        await sleep(20);
        await asking.close();
        expect(await asked).toBe('none');
      });

      it('fails requests that wait for an answer', async () => {
        bus.respond('silent', () => new Promise(() => undefined));
        const answer = bus.request('silent', {}, { timeoutMs: 20_000 });
        const failed = expect(answer).rejects.toMatchObject({ reason: 'unavailable' });
        await bus.close();
        await failed;
      });

      if (separateClients) {
        it('lets what was said last still out: others hear it', async () => {
          const other = await harness.connect();
          const heard: unknown[] = [];
          other.subscribe('a', (payload) => heard.push(payload));
          await reachable(other, bus);
          for (let number = 1; number <= 100; number += 1) bus.publish('a', number);
          await bus.close();
          await eventually(() => expect(heard.length).toBe(100));
        });
      }
    });
  });
}

/**
 * What every bus must do and what shows only once an ack wait or the window of known message ids has passed, which are as short as
 * the implementation can keep them exactly.
 */
export function waitingContract(
  name: string,
  startBus: StartBus,
  { ackWaitMs, dedupeWindowMs }: BusContractTimes,
  { separateClients }: BusKind,
): void {
  const start = inTimeOf(startBus);
  describe(`${name} keeps the bus contract: waits`, () => {
    let harness: BusHarness;
    let bus: Bus;

    beforeEach(async () => {
      harness = await start({ ackWaitMs });
      bus = await harness.connect();
    });
    afterEach(() => harness.close());

    it('delivers again what was neither settled nor kept alive, also after a handler that threw', async () => {
      const counts: number[] = [];
      bus.consume('osce.work', 1, (delivery) => {
        counts.push(delivery.deliveryCount);
        if (delivery.deliveryCount === 1) return;
        if (delivery.deliveryCount === 2) throw new Error('a broken handler');
        delivery.ack();
      });
      await bus.enqueue('osce.work', {}, { messageId: '1' });
      await eventually(() => expect(counts).toEqual([1, 2, 3]));
      await sleep(ackWaitMs * 2);
      expect(counts).toEqual([1, 2, 3]);
    });

    describe('while it is kept alive', () => {
      /** Opens the bus anew for each try: a process that stands still keeps nothing alive. */
      const keptAlive = (
        check: (deliveries: Delivery[], keep: KeepAlive, ms: number) => Promise<void>,
      ): Promise<void> =>
        whileAwake(ackWaitMs, async (ms) => {
          await harness.close();
          harness = await start({ ackWaitMs: ms });
          bus = await harness.connect();
          const keep = new KeepAlive(ms / 10);
          await check([], keep, ms).finally(() => keep.end());
        });

      it('leaves work alone', () =>
        keptAlive(async (deliveries, keep, ms) => {
          bus.consume('osce.work', 2, (delivery) => deliveries.push(delivery));
          await bus.enqueue('osce.work', {}, { messageId: '1' });
          await eventually(() => expect(deliveries.length).toBe(1));
          keep.begin(deliveries[0]);
          await sleep(ms * 3);
          expect(deliveries).toHaveLength(1);
          keep.end();
          await eventually(() => expect(deliveries.map((delivery) => delivery.deliveryCount)).toEqual([1, 2]));
        }));

      it('keeps the slot of work', () =>
        keptAlive(async (deliveries, keep, ms) => {
          bus.consume('osce.work', 1, (delivery) => deliveries.push(delivery));
          for (const number of [1, 2]) await bus.enqueue('osce.work', number, { messageId: `${number}` });
          await eventually(() => expect(deliveries.length).toBe(1));
          keep.begin(deliveries[0]);
          await sleep(ms * 3);
          expect(deliveries.map(({ payload }) => payload)).toEqual([1]);
          keep.end();
          deliveries[0]?.ack();
          await eventually(() => expect(deliveries.map(({ payload }) => payload)).toEqual([1, 2]));
        }));

      it('leaves work alone that the holder of an old delivery keeps', () =>
        keptAlive(async (deliveries, keep, ms) => {
          bus.consume('osce.work', 5, (delivery) => deliveries.push(delivery));
          await bus.enqueue('osce.work', {}, { messageId: '1' });
          await eventually(() => expect(deliveries.length).toBe(2));
          keep.begin(deliveries[0]);
          await sleep(ms * 3);
          expect(deliveries).toHaveLength(2);
          keep.end();
          await eventually(() => expect(deliveries.length).toBe(3));
        }));
    });

    it('gets one slot back for a delivery, also where it is settled after its ack wait', async () => {
      const deliveries: Delivery[] = [];
      const atOnce: number[] = [];
      let open = 0;
      bus.consume('osce.work', 1, (delivery) => {
        deliveries.push(delivery);
        open += 1;
        atOnce.push(open);
        // What else comes in the same breath is open together with it.
        setImmediate(() => (open -= 1));
      });
      await bus.enqueue('osce.work', 'first', { messageId: '1' });
      await eventually(() => expect(deliveries.length).toBe(2));
      for (const late of deliveries.splice(0)) late.ack();
      await Promise.all([2, 3, 4].map((number) => bus.enqueue('osce.work', number, { messageId: `${number}` })));
      await eventually(() => expect(deliveries.length).toBe(3));
      expect(Math.max(...atOnce)).toBe(1);
    });

    it('lets nobody keep alive what they have given back', async () => {
      const deliveries: Delivery[] = [];
      bus.consume('osce.work', 5, (delivery) => deliveries.push(delivery));
      await bus.enqueue('osce.work', {}, { messageId: '1' });
      await eventually(() => expect(deliveries.length).toBe(1));
      deliveries[0]?.nak(0);
      await eventually(() => expect(deliveries.length).toBe(2));
      const keepAlive = setInterval(() => deliveries[0]?.working(), ackWaitMs / 10);
      await eventually(() => expect(deliveries.length).toBe(3));
      clearInterval(keepAlive);
    });

    it('lets the late ack of an old delivery remove the work: an ack is no fence', async () => {
      const deliveries: Delivery[] = [];
      bus.consume('osce.work', 5, (delivery) => deliveries.push(delivery));
      await bus.enqueue('osce.work', {}, { messageId: '1' });
      await eventually(() => expect(deliveries.length).toBe(2));
      deliveries[0]?.ack();
      await sleep(ackWaitMs * 3);
      expect(deliveries).toHaveLength(2);
    });

    it('lets the late ack remove the work also while it waits, for its delay or for a consumer', async () => {
      const deliveries: Delivery[] = [];
      const leaving = bus.consume('osce.work', 5, (delivery) => deliveries.push(delivery));
      await bus.enqueue('osce.work', {}, { messageId: '1' });
      await eventually(() => expect(deliveries.length).toBe(2));
      deliveries[1]?.nak(ackWaitMs);
      deliveries[0]?.ack();
      await bus.enqueue('osce.work', {}, { messageId: '2' });
      await eventually(() => expect(deliveries.length).toBe(3));
      leaving.unsubscribe();
      await sleep(ackWaitMs * 2);
      deliveries[2]?.ack();
      await sleep(ackWaitMs / 2);
      bus.consume('osce.work', 5, (delivery) => deliveries.push(delivery));
      await sleep(ackWaitMs * 2);
      expect(deliveries).toHaveLength(3);
    });

    it('takes a messageId again after its window', async () => {
      await harness.close();
      harness = await start({ dedupeWindowMs });
      bus = await harness.connect();
      const taken: unknown[] = [];
      bus.consume('osce.work', 5, (delivery) => {
        taken.push(delivery.payload);
        delivery.ack();
      });
      await bus.enqueue('osce.work', 1, { messageId: 'same' });
      await eventually(async () => {
        await bus.enqueue('osce.work', 2, { messageId: 'same' });
        expect(taken).toEqual([1, 2]);
      });
    });

    if (separateClients) {
      it('gives the open work of a closed client to another', async () => {
        const leaving = await harness.connect();
        const open: Delivery[] = [];
        leaving.consume('osce.work', 1, (delivery) => open.push(delivery));
        await bus.enqueue('osce.work', 'left behind', { messageId: '1' });
        await eventually(() => expect(open.length).toBe(1));
        await leaving.close();
        const taken: unknown[] = [];
        bus.consume('osce.work', 1, ({ payload }) => taken.push(payload));
        await eventually(() => expect(taken).toContain('left behind'));
      });
    }

    it('leaves a delivery that is settled after a close without effect', async () => {
      const open: Delivery[] = [];
      bus.consume('osce.work', 1, (delivery) => open.push(delivery));
      await bus.enqueue('osce.work', 1, { messageId: '1' });
      await eventually(() => expect(open.length).toBe(1));
      await bus.close();
      expect(() => {
        open[0]?.working();
        open[0]?.nak(0);
        open[0]?.ack();
      }).not.toThrow();
      // The queue outlives a client that is closed, and was told nothing.
      const again: number[] = [];
      const other = await harness.connect();
      other.consume('osce.work', 1, ({ deliveryCount }) => again.push(deliveryCount));
      if (separateClients) await eventually(() => expect(again[0]).toBe(2));
      else await sleep(ackWaitMs * 3);
      expect(open).toHaveLength(1);
    });
  });
}

/** Says again and again of a delivery that it is worked on. */
class KeepAlive {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly everyMs: number) {}

  begin(delivery: Delivery | undefined): void {
    this.timer = setInterval(() => delivery?.working(), this.everyMs);
  }

  end(): void {
    clearInterval(this.timer);
  }
}

/** Resolves when everything `listener` subscribed to so far is known to whoever `sender` sends through. */
async function reachable(listener: Bus, sender: Bus): Promise<void> {
  const ready = listener.respond('ready', async () => true);
  await eventually(async () => expect(await sender.request('ready', {}, { timeoutMs: 1_000 })).toBe(true));
  ready.unsubscribe();
}
