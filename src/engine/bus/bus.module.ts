import { Global, Module, OnApplicationShutdown } from '@nestjs/common';
import { Log, Settings } from '../../platform/config';
import { Bus } from './bus';
import { InProcessBus } from './in-process.bus';
import { NatsBus } from './nats.bus';

/**
 * The bus for every other module: NATS when NATS_URL is set, otherwise in-process. It closes last, once no module has anything
 * left to send.
 */
@Global()
@Module({
  providers: [
    {
      provide: Bus,
      useFactory: ({ natsUrl }: Settings, log: Log): Bus | Promise<Bus> => {
        const onHandlerError = (error: unknown, subject: string) =>
          log.error('A bus handler failed', { subject, error });
        return natsUrl === null
          ? new InProcessBus({ onHandlerError })
          : NatsBus.open({ url: natsUrl, log, onHandlerError });
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
