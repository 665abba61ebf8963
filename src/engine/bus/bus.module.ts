import cluster from 'node:cluster';
import { hostname } from 'node:os';
import { Global, Module, OnApplicationShutdown } from '@nestjs/common';
import { Log, Settings } from '../../platform/config';
import { Bus } from './bus';
import { InProcessBus } from './in-process.bus';
import { linkOver } from './worker-link';
import { WorkerBus } from './worker.bus';

/** What processes that hear each other over their bus have in common. `in_process`: this one hears no other. */
export type BusName = 'in_process' | 'nats' | `workers ${string}`;

/** Workers are of one primary, on one machine. */
export function busNameOf({ natsUrl }: Settings): BusName {
  if (natsUrl !== null) return 'nats';
  return cluster.isWorker ? `workers ${hostname()} ${process.ppid}` : 'in_process';
}

/**
 * The bus for every other module: NATS when NATS_URL is set, that of the primary in a worker process, otherwise in-process. It closes last, once no module has anything
 * left to send.
 */
@Global()
@Module({
  providers: [
    {
      provide: Bus,
      useFactory: async ({ natsUrl }: Settings, log: Log): Promise<Bus> => {
        const onHandlerError = (error: unknown, subject: string) =>
          log.error('A bus handler failed', { subject, error });
        if (natsUrl !== null) {
          // Most services have no NATS server, and all of them start.
          const { NatsBus } = await import('./nats.bus.js');
          return NatsBus.open({ url: natsUrl, log, onHandlerError });
        }
        return cluster.isWorker
          ? new WorkerBus(linkOver(process), { onHandlerError })
          : new InProcessBus({ onHandlerError });
      },
      inject: [Settings, Log],
    },
  ],
  exports: [Bus],
})
export class BusModule implements OnApplicationShutdown {
  constructor(private readonly bus: Bus) {}

  onApplicationShutdown(): Promise<void> {
    return this.bus.close();
  }
}
