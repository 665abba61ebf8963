import { EventEmitter } from 'node:events';
import { InProcessBus } from '../../../src/engine/bus/in-process.bus';
import { serveWorker } from '../../../src/engine/bus/worker-hub';
import { linkOver } from '../../../src/engine/bus/worker-link';
import { WorkerBus } from '../../../src/engine/bus/worker.bus';
import { eventually } from '../../setup/eventually';
import { busContract } from './bus.contract';

/** Two ends of a channel as Node has it between processes: in order, as JSON, never in the sender’s turn of the event loop. */
class ChannelEnd extends EventEmitter {
  other: ChannelEnd | null = null;

  static pair(): readonly [ChannelEnd, ChannelEnd] {
    const [one, other] = [new ChannelEnd(), new ChannelEnd()];
    one.other = other;
    other.other = one;
    return [one, other];
  }

  send(message: unknown, _handle: undefined, _options: object, handedOver: () => void): boolean {
    const text = JSON.stringify(message);
    setImmediate(() => {
      handedOver();
      this.other?.emit('message', JSON.parse(text));
    });
    return true;
  }

  disconnect(): void {
    for (const end of [this, this.other]) end?.emit('disconnect');
  }
}

interface Machine {
  readonly connect: (options?: ConstructorParameters<typeof WorkerBus>[1]) => {
    readonly bus: WorkerBus;
    readonly channel: ChannelEnd;
  };
  readonly close: () => Promise<void>;
}

function machine(options: ConstructorParameters<typeof InProcessBus>[0]): Machine {
  const hub = new InProcessBus(options);
  return {
    connect: (workerOptions) => {
      const [worker, primary] = ChannelEnd.pair();
      serveWorker(hub, linkOver(primary));
      return { bus: new WorkerBus(linkOver(worker), workerOptions), channel: worker };
    },
    close: () => hub.close(),
  };
}

busContract(
  'WorkerBus',
  async (options) => {
    const { connect, close } = machine(options);
    const opened: WorkerBus[] = [];
    return {
      connect: async () => {
        const { bus } = connect(options);
        opened.push(bus);
        return bus;
      },
      close: async () => {
        await Promise.all(opened.map((bus) => bus.close()));
        await close();
      },
    };
  },
  { ackWaitMs: 300, dedupeWindowMs: 300 },
  { separateClients: true },
);

describe('a worker that is killed', () => {
  it('leaves its work to others at once, and those who asked it are told', async () => {
    const { connect, close } = machine({ ackWaitMs: 60_000 });
    const [dying, other] = [connect(), connect()];
    const taken: unknown[] = [];
    dying.bus.consume('work', 1, ({ payload }) => taken.push(['dying', payload]));
    dying.bus.respond('question', () => new Promise(() => undefined));
    await other.bus.enqueue('work', 1, { messageId: '1' });
    await eventually(() => expect(taken).toEqual([['dying', 1]]));
    other.bus.consume('work', 1, ({ payload, deliveryCount }) => taken.push(['other', payload, deliveryCount]));
    const question = other.bus.request('question', {}, { timeoutMs: 60_000 });
    const refused = expect(question).rejects.toMatchObject({ reason: 'responder_failed' });
    // Heard by the hub, since it is asked before the channel closes.
    await new Promise((resolve) => setTimeout(resolve, 20));
    dying.channel.disconnect();
    await refused;
    await eventually(() =>
      expect(taken).toEqual([
        ['dying', 1],
        ['other', 1, 2],
      ]),
    );
    expect(dying.bus.status()).toEqual({ status: 'error', detail: 'closed' });
    await close();
  });
});

describe('messages of others on the channel', () => {
  it.each([null, 'text', { cmd: 'NODE_CLUSTER' }, { bus: 'unknown' }, { bus: 'publish', subject: 3 }])(
    'such as %j are none of the bus',
    async (message) => {
      const { connect, close } = machine({});
      const { bus, channel } = connect();
      const heard: unknown[] = [];
      bus.subscribe('a', (payload) => heard.push(payload));
      channel.send(message, undefined, {}, () => undefined);
      channel.other?.send(message, undefined, {}, () => undefined);
      bus.publish('a', 'after it');
      await eventually(() => expect(heard).toEqual(['after it']));
      await close();
    },
  );
});
