import { randomUUID } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { Log } from '../../platform/config/log';
import { giveToOpenTelemetry } from '../../platform/config/open-telemetry';
import { Settings } from '../../platform/config/settings';
import { loadOpenTelemetry } from '../../platform/telemetry/tracing/load-open-telemetry';
import { OpenTelemetryTracing } from '../../platform/telemetry/tracing/open-telemetry.tracing';
import { RunSpans } from './run-spans';
import { NoTracing, Tracing } from '../../platform/telemetry/tracing/tracing';

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
