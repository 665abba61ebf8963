import { randomUUID } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { Log } from '../config/log';
import { giveToOpenTelemetry } from '../config/open-telemetry';
import { Settings } from '../config/settings';
import { loadOpenTelemetry } from './load-open-telemetry';
import { OpenTelemetryTracing } from './open-telemetry.tracing';
import { RunSpans } from './run-spans';
import { NoTracing, Tracing } from './tracing';

/** Traces: nothing of them is loaded unless somebody collects them. */
@Global()
@Module({
  providers: [
    {
      provide: Tracing,
      useFactory: ({ tracing }: Settings, log: Log): Tracing => {
        if (!tracing.isOn) return new NoTracing();
        giveToOpenTelemetry(tracing);
        return OpenTelemetryTracing.start(loadOpenTelemetry(), randomUUID(), log);
      },
      inject: [Settings, Log],
    },
    RunSpans,
  ],
  exports: [Tracing],
})
export class TracingModule {}
