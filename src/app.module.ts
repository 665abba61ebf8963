import { Module, type DynamicModule } from '@nestjs/common';
import { ActorsModule } from './actors/actors.module';
import { AgentsModule } from './agents/agents.module';
import { AuditModule } from './audit/audit.module';
import { BusModule } from './bus/bus.module';
import { TranscriptsModule } from './transcripts/transcripts.module';
import { CalibrationsModule } from './calibrations/calibrations.module';
import { ConfigModule } from './config/config.module';
import type { Log } from './config/log';
import type { Settings } from './config/settings';
import { HealthModule } from './health/health.module';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { InspectionModule } from './inspection/inspection.module';
import { JudgeModule } from './judge/judge.module';
import { MeModule } from './me/me.module';
import { MetricsModule } from './metrics/metrics.module';
import { ScrapingModule } from './metrics/scraping.module';
import { ModelModule } from './model/model.module';
import { PersistenceModule } from './persistence/persistence.module';
import { ProvidersModule } from './providers/providers.module';
import { RetentionModule } from './retention/retention.module';
import { ReviewsModule } from './reviews/reviews.module';
import { ReportModule } from './report/report.module';
import { RunLinesModule } from './run-lines/run-lines.module';
import { RunsModule } from './runs/runs.module';
import { ScenariosModule } from './scenarios/scenarios.module';
import { SecretsModule } from './secrets/secrets.module';
import { ShownMarksModule } from './shown-marks/shown-marks';
import { StreamModule } from './stream/stream.module';
import { SuitesModule } from './suites/suites.module';
import { TargetsModule } from './targets/targets.module';
import { TesterModule } from './tester/tester.module';
import { TracingModule } from './tracing/tracing.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** The table of contents. */
@Module({})
export class AppModule {
  static with(settings: Settings, log: Log): DynamicModule {
    return {
      module: AppModule,
      imports: [
        // What everything depends on.
        ConfigModule.with(settings, log),
        MetricsModule,
        PersistenceModule,
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
