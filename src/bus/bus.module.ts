import { Global, Module, OnApplicationShutdown } from '@nestjs/common';
import { Log } from '../config/log';
import { Bus } from './bus';
import { InProcessBus } from './in-process.bus';

/** The bus for every other module. It closes last, when nobody has anything left to say. */
@Global()
@Module({
  providers: [
    {
      provide: Bus,
      useFactory: (log: Log) =>
        new InProcessBus({
          onHandlerError: (error, subject) => log.error('A bus handler failed', { subject, error }),
        }),
      inject: [Log],
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
