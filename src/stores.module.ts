import { Global, Module } from '@nestjs/common';
import { Log, Settings } from './platform/config';
import { AgentsStore } from './features/agents';
import { AuditStore } from './features/audit';
import { CalibrationsStore } from './features/calibrations';
import {
  CommittedEvents,
  FailedSupervisions,
  OwnershipStore,
  RecordingPieces,
  RunExaminersStore,
  RunLimits,
  RunOutlinesStore,
  ScenarioRunClaims,
  ScenarioRunLedger,
  ScreenshotsStore,
  TestRunLedger,
  UnfinishedRunsStore,
} from './engine/ledger';
import { Database, TableRewritesStore, ResealingStore } from './platform/database';
import { DerivationSourcesStore } from './features/derived';
import { EventLogStore } from './features/stream';
import { IdempotencyKeysStore } from './platform/idempotency';
import { InspectionStore } from './features/inspection';
import { ModelSpendStore } from './examiners/model';
import { NamedKeysStore } from './features/keys';
import { ProcessesStore } from './engine/actors';
import { RequestBudgetStore } from './agents/outbound';
import { ReviewedConversationsStore, ReviewsStore } from './features/reviews';
import { ClusterCountsStore, ScenarioRunsStore, TestRunsStore } from './features/runs';
import {
  AgentHistoryStore,
  GridStore,
  ScenarioHistoryStore,
  RunPairsStore,
  RunStatisticsStore,
  TwinPairsStore,
} from './features/statistics';
import { RunReportStore } from './features/report';
import { RunSetsStore } from './features/run-sets';
import {
  ScenarioPurgeStore,
  ScenarioSelectionStore,
  ScenarioRevisionsStore,
  ScenariosStore,
} from './features/scenarios';
import { ScheduleStartsStore, SchedulesStore } from './features/schedules';
import { SessionsStore } from './features/sign-in';
import { RecordingsStore, SpokenConversationsStore } from './features/speech';
import { ShownMarksStore } from './features/shown-marks';
import { TestSuitesStore } from './features/suites';
import { WebhookDeliveriesStore, WebhooksStore } from './features/webhooks';

const STORES = [
  RecordingPieces,
  ModelSpendStore,
  RunExaminersStore,
  RunLimits,
  AgentsStore,
  AuditStore,
  ScenarioRevisionsStore,
  ScenariosStore,
  ScenarioPurgeStore,
  TestSuitesStore,
  ScenarioSelectionStore,
  TestRunLedger,
  FailedSupervisions,
  TestRunsStore,
  RunStatisticsStore,
  RunReportStore,
  RunOutlinesStore,
  RunPairsStore,
  TwinPairsStore,
  GridStore,
  RunSetsStore,
  AgentHistoryStore,
  ScenarioHistoryStore,
  DerivationSourcesStore,
  ClusterCountsStore,
  ScenarioRunClaims,
  ScenarioRunLedger,
  ScenarioRunsStore,
  ReviewsStore,
  ReviewedConversationsStore,
  ShownMarksStore,
  RecordingsStore,
  SpokenConversationsStore,
  OwnershipStore,
  EventLogStore,
  InspectionStore,
  CommittedEvents,
  ProcessesStore,
  RequestBudgetStore,
  ScreenshotsStore,
  IdempotencyKeysStore,
  NamedKeysStore,
  SessionsStore,
  CalibrationsStore,
  WebhooksStore,
  WebhookDeliveriesStore,
  SchedulesStore,
  ScheduleStartsStore,
  TableRewritesStore,
  ResealingStore,
  UnfinishedRunsStore,
];

/**
 * The database, and every store: the classes that read and write rows, in every folder. The database is open before anything that
 * asks for it is built, and closes after everything else has stopped.
 */
@Global()
@Module({
  providers: [
    {
      provide: Database,
      useFactory: (settings: Settings, log: Log) => Database.open(settings, log),
      inject: [Settings, Log],
    },
    ...STORES,
  ],
  exports: [Database, ...STORES],
})
export class StoresModule {}
