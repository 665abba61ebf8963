import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { ActorsModule } from './engine/actors';
import { AgentsModule } from './features/agents';
import { AuditModule } from './features/audit';
import { BusModule } from './engine/bus';
import { TranscriptsModule } from './features/transcripts';
import { CalibrationsModule } from './features/calibrations';
import { ConfigModule, type Log, type Settings } from './platform/config';
import { EgressModule } from './platform/egress';
import { HealthModule } from './features/health';
import { IdempotencyModule } from './platform/idempotency';
import { InspectionModule } from './features/inspection';
import { JobsModule } from './platform/jobs';
import { JudgeModule } from './examiners/judge';
import { KeysModule } from './features/keys';
import { MeModule } from './features/me';
import { MetricsModule } from './platform/telemetry';
import { ScrapingModule } from './features/metrics';
import { ModelModule } from './examiners/model';
import { StoresModule } from './stores.module';
import { ProvidersModule } from './agents';
import { RetentionModule } from './features/retention';
import { ReviewsModule } from './features/reviews';
import { ReportModule } from './features/report';
import { RunLinesModule } from './engine/run-lines';
import { RunsModule } from './features/runs';
import { ScenariosModule, type TrialAgent } from './features/scenarios';
import { SchedulesModule, type ScheduleClock } from './features/schedules';
import { SecretsModule } from './features/secrets';
import { ShownMarksModule } from './features/shown-marks';
import { SignInModule } from './features/sign-in';
import { SpeechModule } from './features/speech';
import { StreamModule } from './features/stream';
import { SuitesModule } from './features/suites';
import { TargetsModule } from './platform/targets';
import { TesterModule } from './examiners/tester';
import { TracingModule } from './engine/tracing';
import { WebhooksModule } from './features/webhooks';

/** The modules of the service. */
@Module({})
export class AppModule {
  /**
   * @param trialAgent that scenarios are tried against before they are stored
   * @param scheduleClock that the starts of schedules are due by
   */
  static with(settings: Settings, log: Log, trialAgent: TrialAgent, scheduleClock: Type<ScheduleClock>): DynamicModule {
    return {
      module: AppModule,
      imports: [
        // What everything depends on.
        ConfigModule.with(settings, log),
        MetricsModule,
        EgressModule,
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
        SpeechModule,
        ReviewsModule,
        StreamModule,
        RunLinesModule,
        InspectionModule,
        IdempotencyModule,
        ShownMarksModule,
        AuditModule,
        // The resources that examinations are made of.
        AgentsModule,
        ScenariosModule.with(trialAgent),
        SuitesModule,
        CalibrationsModule,
        TranscriptsModule,
        ReportModule,
        WebhooksModule,
        SchedulesModule.with(scheduleClock),
        RetentionModule,
        SecretsModule,
        HealthModule,
        MeModule,
        KeysModule,
        SignInModule,
        ScrapingModule,
      ],
    };
  }
}
