import { eventually } from '../../setup/eventually';
import { deliveryContract } from './bus.contract';
import { machine, startMachine } from './worker-machine';

deliveryContract('WorkerBus', startMachine, { separateClients: true });

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
