import { Module, type DynamicModule } from '@nestjs/common';
import { Log } from './log';
import { Settings } from './settings';

/** Settings and log, made before the application is, for every other module. */
@Module({})
export class ConfigModule {
  static with(settings: Settings, log: Log): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: Log, useValue: log },
      ],
      exports: [Settings, Log],
    };
  }
}
