import { Module, type DynamicModule } from '@nestjs/common';
import { ActorsModule } from './engine/actors/actors.module';
import { AgentsModule } from './features/agents/agents.module';
import { AuditModule } from './features/audit/audit.module';
import { BusModule } from './engine/bus/bus.module';
import { TranscriptsModule } from './features/transcripts/transcripts.module';
import { CalibrationsModule } from './features/calibrations/calibrations.module';
import { ConfigModule } from './platform/config/config.module';
import type { Log } from './platform/config/log';
import type { Settings } from './platform/config/settings';
import { HealthModule } from './features/health/health.module';
import { IdempotencyModule } from './platform/idempotency/idempotency.module';
import { InspectionModule } from './features/inspection/inspection.module';
import { JobsModule } from './platform/jobs/jobs';
import { JudgeModule } from './examiners/judge/judge.module';
import { MeModule } from './features/me/me.module';
import { MetricsModule } from './platform/telemetry/metrics/metrics.module';
import { ScrapingModule } from './features/metrics/scraping.module';
import { ModelModule } from './examiners/model/model.module';
import { StoresModule } from './stores.module';
import { ProvidersModule } from './agents/providers.module';
import { RetentionModule } from './features/retention/retention';
import { ReviewsModule } from './features/reviews/reviews.module';
import { ReportModule } from './features/report/report.module';
import { RunLinesModule } from './engine/run-lines/run-lines';
import { RunsModule } from './features/runs/runs.module';
import { ScenariosModule } from './features/scenarios/scenarios.module';
import { SecretsModule } from './features/secrets/stored-secrets';
import { ShownMarksModule } from './features/shown-marks/shown-marks';
import { StreamModule } from './features/stream/stream.module';
import { SuitesModule } from './features/suites/suites.module';
import { TargetsModule } from './platform/targets/targets.module';
import { TesterModule } from './examiners/tester/tester.module';
import { TracingModule } from './engine/tracing/run-spans';
import { WebhooksModule } from './features/webhooks/webhooks.module';

/** The modules of the service. */
@Module({})
export class AppModule {
  static with(settings: Settings, log: Log): DynamicModule {
    return {
      module: AppModule,
      imports: [
        // What everything depends on.
        ConfigModule.with(settings, log),
        MetricsModule,
        StoresModule,
        JobsModule,
        BusModule,
        TracingModule,
        // The outside world.
        TargetsModule,
        ProvidersModule,
        ModelModule,
        TesterModule,
        JudgeModule,
        // Running examinations.
        ActorsModule,
        RunsModule,
        ReviewsModule,
        StreamModule,
        RunLinesModule,
        InspectionModule,
        IdempotencyModule,
        ShownMarksModule,
        AuditModule,
        // The resources that examinations are made of.
        AgentsModule,
        ScenariosModule,
        SuitesModule,
        CalibrationsModule,
        TranscriptsModule,
        ReportModule,
        WebhooksModule,
        RetentionModule,
        SecretsModule,
        HealthModule,
        MeModule,
        ScrapingModule,
      ],
    };
  }
}
