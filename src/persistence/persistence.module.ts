import { Global, Module } from '@nestjs/common';
import { Log } from '../config/log';
import { Settings } from '../config/settings';
import { Database } from './database';

/** The database, open before anything that asks for it is built, and closed after everything else has stopped. */
@Global()
@Module({
  providers: [
    {
      provide: Database,
      useFactory: (settings: Settings, log: Log) => Database.open(settings, log),
      inject: [Settings, Log],
    },
  ],
  exports: [Database],
})
export class PersistenceModule {}
