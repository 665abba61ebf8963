import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '../../../src/engine/bus/bus';
import { DedupeWindow } from '../../../src/engine/bus/work-queue';
import { InProcessBus, type InProcessBusOptions } from '../../../src/engine/bus/in-process.bus';
import { SubjectMap } from '../../../src/engine/bus/subject-map';
import { eventually } from '../../setup/eventually';
import { whileAwake } from '../../setup/while-awake';
import { deliveryContract } from './bus.contract';

deliveryContract(
  'InProcessBus',
  async (options) => {
    const bus = new InProcessBus(options);
    return { connect: async () => bus, close: () => bus.close() };
  },
  { separateClients: false },
);

describe('InProcessBus', () => {
  const opened: InProcessBus[] = [];
  function open(options: InProcessBusOptions): InProcessBus {
    const bus = new InProcessBus(options);
    opened.push(bus);
    return bus;
  }
  afterEach(() => Promise.all(opened.splice(0).map((bus) => bus.close())));

  it('serialises nothing when nobody listens', () => {
    let serialised = 0;
    const payload = { toJSON: () => (serialised += 1) };
    const bus = open({});
    bus.subscribe('b.*', () => undefined);
    bus.publish('a.b', payload);
    expect(serialised).toBe(0);
    bus.publish('b.a', payload);
    expect(serialised).toBe(1);
  });

  it('serialises once for all who listen', () => {
    let serialised = 0;
    const bus = open({});
    for (let n = 0; n < 10; n += 1) bus.subscribe('a', () => undefined);
    bus.publish('a', { toJSON: () => (serialised += 1) });
    expect(serialised).toBe(1);
  });

  it('gives who asked what the responder threw, as the cause', async () => {
    const bus = open({});
    const thrown = new Error('no such run');
    bus.respond('picky', () => Promise.reject(thrown));
    await expect(bus.request('picky', 1, { timeoutMs: 5_000 })).rejects.toMatchObject({
      reason: 'responder_failed',
      cause: thrown,
    });
  });

  it('gives what is delivered again before what is new, as JetStream does', async () => {
    const bus = open({ ackWaitMs: 20 });
    const taken: unknown[] = [];
    const leaving = bus.consume('work', 1, ({ payload }) => taken.push(payload));
    await bus.enqueue('work', 'old', { messageId: '1' });
    await eventually(() => expect(taken).toEqual(['old']));
    leaving.unsubscribe();
    await bus.enqueue('work', 'new', { messageId: '2' });
    await sleep(60);
    bus.consume('work', 5, (delivery) => {
      taken.push([delivery.payload, delivery.deliveryCount]);
      delivery.ack();
    });
    await eventually(() => expect(taken).toEqual(['old', ['old', 2], ['new', 1]]));
  });

  it('does not put off what waits already because the old delivery of it is handed back late', async () => {
    const bus = open({ ackWaitMs: 20 });
    const taken: Delivery[] = [];
    const leaving = bus.consume('work', 1, (delivery) => taken.push(delivery));
    await bus.enqueue('work', 1, { messageId: '1' });
    await eventually(() => expect(taken.length).toBe(1));
    leaving.unsubscribe();
    await sleep(60);
    taken[0]?.nak(60_000);
    bus.consume('work', 1, (delivery) => taken.push(delivery));
    await eventually(() => expect(taken.length).toBe(2));
    taken[1]?.ack();
  });

  it('gives work to those with room in turns', async () => {
    const bus = open({});
    const taken: number[] = [];
    for (const who of [1, 2, 3]) bus.consume('work', 10, () => taken.push(who));
    for (let number = 0; number < 9; number += 1) await bus.enqueue('work', number, { messageId: `${number}` });
    await eventually(() => expect(taken.length).toBe(9));
    expect(taken.toSorted()).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
    // Whoever has no room is passed over.
    bus.consume('other', 1, () => taken.push(4));
    bus.consume('other', 3, () => taken.push(5));
    for (let number = 0; number < 4; number += 1) await bus.enqueue('other', number, { messageId: `${number}` });
    await eventually(() => expect(taken.length).toBe(13));
    expect(taken.slice(9).toSorted()).toEqual([4, 5, 5, 5]);
  });

  describe('with faults', () => {
    async function heardWith(seed: number): Promise<unknown[]> {
      const bus = open({ faults: { seed, dropMessages: 0.3, duplicateMessages: 0.3 } });
      const heard: unknown[] = [];
      bus.subscribe('a', (payload) => heard.push(payload));
      for (let n = 0; n < 200; n += 1) bus.publish('a', n);
      await sleep(20);
      return heard;
    }

    it('drops and duplicates messages, in order, the same way for the same seed', async () => {
      const heard = await heardWith(7);
      const once = new Set(heard);
      expect(once.size).toBeGreaterThan(100);
      expect(once.size).toBeLessThan(200);
      expect(heard.length).toBeGreaterThan(once.size);
      expect([...heard].sort((a, b) => Number(a) - Number(b))).toEqual(heard);
      expect(await heardWith(7)).toEqual(heard);
      expect(await heardWith(8)).not.toEqual(heard);
    });

    it('delivers again what was acked when the ack is lost', async () => {
      const bus = open({ ackWaitMs: 30, faults: { seed: 1, loseSettlements: 1 } });
      const counts: number[] = [];
      bus.consume('work', 1, (delivery) => {
        counts.push(delivery.deliveryCount);
        delivery.ack();
      });
      await bus.enqueue('work', {}, { messageId: '1' });
      await eventually(() => expect(counts.slice(0, 3)).toEqual([1, 2, 3]));
    });

    it('hands work out twice at the same time', async () => {
      const bus = open({ faults: { seed: 1, duplicateWork: 1 } });
      const counts: number[] = [];
      bus.consume('work', 5, (delivery) => counts.push(delivery.deliveryCount));
      await bus.enqueue('work', {}, { messageId: '1' });
      await eventually(() => expect(counts).toEqual([1, 2]));
    });

    it('leaves work alone that is kept alive by either of those who have it', () =>
      whileAwake(60, async (ms) => {
        const bus = open({ ackWaitMs: ms, faults: { seed: 1, duplicateWork: 1 } });
        const deliveries: Delivery[] = [];
        bus.consume('work', 5, (delivery) => deliveries.push(delivery));
        await bus.enqueue('work', {}, { messageId: '1' });
        await eventually(() => expect(deliveries.length).toBe(2));
        const keepAlive = setInterval(() => deliveries[1]?.working(), ms / 10);
        await sleep(ms * 4);
        clearInterval(keepAlive);
        expect(deliveries.length).toBe(2);
      }));
  });
});

describe('SubjectMap', () => {
  it('forgets a pattern entirely once nothing listens to it', () => {
    const map = new SubjectMap<number>();
    const empty = JSON.stringify(map, replacer);
    const removals = ['a', 'a.b', 'a.*', 'a.>', 'a.*.c.>', '*', '>'].map((pattern, index) => map.add(pattern, index));
    expect(map.match('a.b').sort()).toEqual([1, 2, 3, 6]);
    for (let time = 0; time < 2; time += 1) {
      for (const remove of removals) remove();
      expect(map.match('a.b')).toEqual([]);
      expect(JSON.stringify(map, replacer)).toBe(empty);
    }
  });

  it('gives a value once for each of its patterns that covers the subject', () => {
    const map = new SubjectMap<string>();
    const value = 'listener';
    for (const pattern of ['a.b.c', 'a.*.c', 'a.>', '*.*.*', '>', 'a.b', 'a.b.c.d', 'a.b.c.>', '*'])
      map.add(pattern, value);
    expect(map.match('a.b.c')).toHaveLength(5);
    expect(map.match('a')).toHaveLength(2);
    expect(map.match('b.b')).toHaveLength(1);
  });

  it('keeps the pattern of one when another of the same pattern leaves', () => {
    const map = new SubjectMap<number>();
    const removals = ['a.b', 'a.*.c'].flatMap((pattern) => [map.add(pattern, 1), map.add(pattern, 2)]);
    map.add('a.*.c.d', 3);
    removals[0]?.();
    removals[0]?.();
    removals[2]?.();
    expect([map.match('a.b'), map.match('a.x.c'), map.match('a.x.c.d')]).toEqual([[2], [2], [3]]);
  });

  it.each(['', '.', 'a.', '.a', 'a..b', 'a b', 'a.>.b', 'a*', '>a', 'a.b>'])('refuses the pattern %j', (pattern) => {
    expect(() => new SubjectMap<number>().add(pattern, 1)).toThrow('Not a subject pattern');
  });

  const replacer = (_key: string, value: unknown): unknown =>
    value instanceof Map || value instanceof Set ? [...value] : value;
});

describe('DedupeWindow', () => {
  it('keeps an id for the window, not longer, and does not lengthen it by repeats', () => {
    let now = 0;
    const window = new DedupeWindow(100, 1_000, () => now);
    expect(window.admit('a')).toBe(true);
    for (now = 10; now < 100; now += 10) expect(window.admit('a')).toBe(false);
    expect(window.admit('a')).toBe(true);
    now = 199;
    expect(window.admit('a')).toBe(false);
  });

  it('holds no more ids than it may', () => {
    const window = new DedupeWindow(1_000_000, 100, () => 0);
    for (let n = 0; n < 10_000; n += 1) window.admit(`id ${n}`);
    const held = Array.from({ length: 10_000 }, (_, n) => n).filter((n) => n >= 9_900 && !window.admit(`id ${n}`));
    expect(held.length).toBeLessThanOrEqual(100);
    expect(held).toContain(9_999);
  });

  it('keeps an id for its whole window, whenever it came', () => {
    for (let arrival = 0; arrival < 250; arrival += 10) {
      let now = 0;
      const window = new DedupeWindow(100, 1_000, () => now);
      window.admit('first');
      now = arrival;
      window.admit('a');
      for (; now < arrival + 100; now += 10) {
        expect(window.admit('a')).toBe(false);
        window.admit(`other ${now}`);
      }
      expect(window.admit('a')).toBe(true);
    }
  });

  it('remembers at least half as many as it may hold', () => {
    const window = new DedupeWindow(1_000_000, 100, () => 0);
    const forgotten: string[] = [];
    for (let n = 0; n < 1_000; n += 1) {
      expect(window.admit(`id ${n}`)).toBe(true);
      for (let back = 0; back < 50 && back <= n; back += 1) {
        if (window.admit(`id ${n - back}`)) forgotten.push(`id ${n - back} after ${back} others`);
      }
    }
    expect(forgotten).toEqual([]);
  });
});
