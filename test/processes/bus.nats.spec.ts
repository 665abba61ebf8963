import { jetstreamManager } from '@nats-io/jetstream';
import { headers, millis, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { NatsBus } from '../../src/engine/bus/nats.bus';
import { streamName } from '../../src/engine/bus/nats-work-stream';
import { MAX_PAYLOAD_BYTES } from '../../src/engine/bus/wire-format';
import { silentLog } from '../../src/platform/config/log';
import { LEASE_SECONDS } from '../../src/engine/ledger/lease';
import { describeWithNats } from '../setup/describe-with-nats';
import { eventually } from '../setup/eventually';
import { startNatsFilter } from '../setup/nats-filter';
import { connectTo, deleteStreams, keptLog, SHORT_TIMES, startNatsBuses } from '../setup/nats-harness';
import { NatsServer } from '../setup/nats-server';
import { deliveryContract } from '../engine/bus/bus.contract';

/** Short, so that work which is left unsettled comes back while a test still looks. */
const ACK_WAIT_MS = 300;

describeWithNats('NatsBus', (binary) => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await NatsServer.start(binary);
  });
  afterAll(() => server.close());

  deliveryContract('NatsBus', (options) => startNatsBuses(server, options), { separateClients: true });

  test('what was delivered into a void comes again before the lease of a dead process ends', async () => {
    await deleteStreams(server);
    const bus = await NatsBus.open({ url: server.url, log: silentLog });
    const connection = await connectTo(server);
    try {
      bus.consume('osce.work.lost', 1, (delivery) => delivery.ack());
      const manager = await jetstreamManager(connection);
      await eventually(async () => void (await manager.consumers.info(streamName('osce.work.lost'), 'processes')));
      const { config } = await manager.consumers.info(streamName('osce.work.lost'), 'processes');
      expect(millis(config.ack_wait ?? Infinity)).toBeLessThan(LEASE_SECONDS * 1_000);
    } finally {
      await connection.close();
      await bus.close();
    }
  });

  describe('what is not JSON', () => {
    async function withConnection(run: (connection: NatsConnection) => Promise<void>): Promise<void> {
      await deleteStreams(server);
      const connection = await connectTo(server);
      try {
        await run(connection);
      } finally {
        await connection.close();
      }
    }

    test('is removed from the queue, said once, and takes no place from the work behind it', async () => {
      await withConnection(async (connection) => {
        const { lines, log } = keptLog();
        const bus = await NatsBus.open({ url: server.url, log, ackWaitMs: ACK_WAIT_MS });
        try {
          const taken: unknown[] = [];
          bus.consume('osce.work', 1, (delivery) => {
            taken.push(delivery.payload);
            delivery.ack();
          });
          await bus.enqueue('osce.work', 'first', { messageId: '1' });
          await eventually(() => expect(taken).toEqual(['first']));
          for (const text of ['the word secret-of-a-patient', '', '{"a":']) connection.publish('osce.work', text);
          await connection.flush();
          await bus.enqueue('osce.work', 'second', { messageId: '2' });
          await eventually(() => expect(taken).toEqual(['first', 'second']));
          const manager = await jetstreamManager(connection);
          await eventually(async () => {
            const { state } = await manager.streams.info(streamName('osce.work'));
            expect(state.messages).toBe(0);
          });
          // Past the wait after which the server delivers again what nobody settled.
          await sleep(ACK_WAIT_MS * 3);
          expect(
            lines.map(({ msg, queue, sequence, bytes, deliveryCount }) => [msg, queue, sequence, bytes, deliveryCount]),
          ).toEqual(
            [28, 0, 5].map((bytes, at) => [
              'A message of a work queue is not JSON and is removed',
              'osce.work',
              at + 2,
              bytes,
              1,
            ]),
          );
          expect(JSON.stringify(lines)).not.toContain('secret');
        } finally {
          await bus.close();
        }
      });
    });

    test('is said and heard by no subscriber, and a request of it is refused at once', async () => {
      await withConnection(async (connection) => {
        const { lines, log } = keptLog();
        const blamed: string[] = [];
        const bus = await NatsBus.open({ url: server.url, log, onHandlerError: (_, subject) => blamed.push(subject) });
        try {
          const heard: unknown[] = [];
          bus.subscribe('osce.event', (payload) => heard.push(payload));
          bus.respond('osce.question', async (payload) => heard.push(payload));
          await bus.request('osce.question', 'whole', { timeoutMs: 5_000 });
          connection.publish('osce.event', 'the word secret-of-a-patient');
          connection.publish('osce.event', '"after it"');
          const refused = await connection.request('osce.question', 'secret no JSON', { timeout: 5_000 });
          expect([refused.string(), refused.headers?.has('Osce-Responder-Failed')]).toEqual([
            '"The message is not JSON."',
            true,
          ]);
          await eventually(() => expect(heard).toEqual(['whole', 'after it']));
          expect(lines.map(({ msg, subject, bytes }) => [msg, subject, bytes])).toEqual([
            ['A message is not JSON and is ignored', 'osce.event', 28],
            ['A message is not JSON and is ignored', 'osce.question', 14],
          ]);
          expect(JSON.stringify(lines)).not.toContain('secret');
          expect(blamed).toEqual([]);
        } finally {
          await bus.close();
        }
      });
    });

    test('is no answer to a request', async () => {
      await withConnection(async (connection) => {
        const bus = await NatsBus.open({ url: server.url, log: silentLog });
        try {
          connection.subscribe('osce.question', {
            callback: (_error, message) => void message.respond('secret no JSON'),
          });
          await connection.flush();
          await expect(bus.request('osce.question', 1, { timeoutMs: 5_000 })).rejects.toMatchObject({
            reason: 'responder_failed',
            message: 'The answer on osce.question is not JSON.',
          });
        } finally {
          await bus.close();
        }
      });
    });

    test.each([
      ['its error', '"No such run."', 'No such run.'],
      ['anything else', '{"secret":"of a patient"}', 'The responder failed.'],
    ])('or says that it failed with %s: the requester is told a sentence', async (_what, body, message) => {
      await withConnection(async (connection) => {
        const bus = await NatsBus.open({ url: server.url, log: silentLog });
        try {
          const failed = headers();
          failed.set('Osce-Responder-Failed', '1');
          connection.subscribe('osce.question', {
            callback: (_error, asked) => void asked.respond(body, { headers: failed }),
          });
          await connection.flush();
          await expect(bus.request('osce.question', 1, { timeoutMs: 5_000 })).rejects.toMatchObject({
            reason: 'responder_failed',
            message,
          });
        } finally {
          await bus.close();
        }
      });
    });
  });

  test('why a request has no answer is said with what the client says of it', async () => {
    const bus = await NatsBus.open({ url: server.url, log: silentLog });
    try {
      bus.respond('silent', () => new Promise(() => undefined));
      await expect(bus.request('silent', 1, { timeoutMs: 20 })).rejects.toMatchObject({
        reason: 'timeout',
        message: 'No answer on silent within 20 ms.',
        cause: expect.objectContaining({ name: 'TimeoutError' }),
      });
      await expect(bus.request('nobody', 1, { timeoutMs: 20_000 })).rejects.toMatchObject({
        reason: 'no_responder',
        message: 'No one listens on nobody.',
        cause: expect.objectContaining({ name: 'RequestError' }),
      });
    } finally {
      await bus.close();
    }
  });

  test('work that does not fit into a message together with its id is refused as too large', async () => {
    await deleteStreams(server);
    const bus = await NatsBus.open({ url: server.url, log: silentLog });
    try {
      const largest = 'x'.repeat(MAX_PAYLOAD_BYTES - '""'.length);
      const refused = bus.enqueue('osce.work', largest, { messageId: 'one' });
      await expect(refused).rejects.toMatchObject({ reason: 'payload_too_large', cause: expect.any(Error) });
      await bus.enqueue('osce.work', largest.slice(200), { messageId: 'one' });
    } finally {
      await bus.close();
    }
  });

  describe('a consumer that another process is just making', () => {
    const PULL = /^\$JS\.API\.CONSUMER\.MSG\.NEXT\./;
    const DELETION = /^\$JS\.API\.CONSUMER\.DELETE\./;
    /** Far below the 5 s after which a pull that was lost counts as dead. */
    const SOON_MS = 4_000;

    async function takenThrough(isHeard: (subject: string) => boolean): Promise<number> {
      await deleteStreams(server);
      const filter = await startNatsFilter(server.url, isHeard);
      const bus = await NatsBus.open({ url: filter.url, log: silentLog, times: SHORT_TIMES });
      const began = performance.now();
      try {
        const taken: unknown[] = [];
        bus.consume('osce.work', 2, (delivery) => {
          taken.push(delivery.payload);
          delivery.ack();
        });
        // Enqueuing is refused while there is no whole queue, and whoever enqueues tries again.
        await eventually(() => bus.enqueue('osce.work', 'work', { messageId: 'one' }));
        await eventually(() => expect(taken).toEqual(['work']));
        return performance.now() - began;
      } finally {
        await bus.close();
        await filter.close();
      }
    }

    test('is pulled from only when it listens for pulls, so that no pull is lost', async () => {
      let pulls = 0;
      const took = await takenThrough((subject) => !PULL.test(subject) || (pulls += 1) > 2);
      expect(pulls).toBeGreaterThan(2);
      expect(took).toBeLessThan(SOON_MS);
    });

    test('is made anew when it never answers: nats-server 2.9 makes one so together with its stream', async () => {
      let deletions = 0;
      await takenThrough((subject) => {
        if (DELETION.test(subject)) deletions += 1;
        return !PULL.test(subject) || deletions > 0;
      });
      expect(deletions).toBe(1);
    });

    test('is not made anew when the server answers nothing at all, and is found once it answers', async () => {
      await deleteStreams(server);
      let isMute = false;
      let deletions = 0;
      const filter = await startNatsFilter(server.url, (subject) => {
        if (DELETION.test(subject)) deletions += 1;
        return !isMute || !subject.startsWith('$JS.');
      });
      const bus = await NatsBus.open({
        url: filter.url,
        log: silentLog,
        times: { ...SHORT_TIMES, answerWithinMs: 500 },
      });
      try {
        isMute = true;
        const refused = bus.enqueue('osce.work', 'work', { messageId: 'one' });
        await expect(refused).rejects.toMatchObject({ reason: 'unavailable' });
        isMute = false;
        await eventually(() => bus.enqueue('osce.work', 'work', { messageId: 'one' }));
        expect(deletions).toBe(0);
      } finally {
        await bus.close();
        await filter.close();
      }
    });
  });

  test('processes that start together on a server without streams all take work', async () => {
    await deleteStreams(server);
    const buses = await Promise.all(
      Array.from({ length: 4 }, () => NatsBus.open({ url: server.url, log: silentLog, ackWaitMs: 60_000 })),
    );
    try {
      for (let round = 1; round <= 20; round += 1) {
        const queue = `osce.together.${round}`;
        const taken = new Set<number>();
        for (const [at, bus] of buses.entries()) bus.consume(queue, 1, () => taken.add(at));
        await Promise.all(
          buses.map((bus, at) => eventually(() => bus.enqueue(queue, at, { messageId: `${queue} ${at}` }))),
        );
        await eventually(() => expect(taken.size).toBe(buses.length));
      }
    } finally {
      await Promise.all(buses.map((bus) => bus.close()));
    }
  });
});
