import { Global, Module } from '@nestjs/common';
import { createLog, Log } from './log';
import { readSettings, Settings } from './settings';

/** Settings and log for every other module. */
@Global()
@Module({
  providers: [
    { provide: Settings, useFactory: readSettings },
    { provide: Log, useFactory: (settings: Settings) => createLog(settings.logLevel), inject: [Settings] },
  ],
  exports: [Settings, Log],
})
export class ConfigModule {}
