import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { ActorsModule } from '../../engine/actors';
import { RunsModule } from '../runs/runs.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { GateVerdicts } from './gate-verdicts';
import { ScheduleClock } from './schedule-clock';
import { ScheduledStarts } from './scheduled-starts';
import { Scheduler } from './scheduler';
import { SchedulesController } from './schedules.controller';
import { SchedulesService } from './schedules.service';

/** Runs that start again and again, by a cron expression. */
@Module({})
export class SchedulesModule {
  /** @param clock that starts are due by */
  static with(clock: Type<ScheduleClock>): DynamicModule {
    return {
      module: SchedulesModule,
      imports: [ActorsModule, RunsModule, WebhooksModule],
      controllers: [SchedulesController],
      providers: [
        { provide: ScheduleClock, useClass: clock },
        SchedulesService,
        ScheduledStarts,
        Scheduler,
        GateVerdicts,
      ],
    };
  }
}
