import { EventEmitter } from 'node:events';
import { InProcessBus } from '../../../src/engine/bus/in-process.bus';
import { serveWorker } from '../../../src/engine/bus/worker-hub';
import { linkOver } from '../../../src/engine/bus/worker-link';
import { WorkerBus } from '../../../src/engine/bus/worker.bus';
import type { BusContractOptions, BusHarness } from './bus.contract';

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

/** A primary with the workers that connect to it, all of them in this process. */
export function machine(options: ConstructorParameters<typeof InProcessBus>[0]): Machine {
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

/** For the contract. */
export async function startMachine(options: BusContractOptions): Promise<BusHarness> {
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
}
