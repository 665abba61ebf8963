import { Global, Module } from '@nestjs/common';
import { Log } from '../config/log';
import { Settings } from '../config/settings';
import { AgentsStore } from './agents.store';
import { AuditStore } from './audit.store';
import { CalibrationMarksStore } from './calibration-marks.store';
import { CalibrationsStore } from './calibrations.store';
import { CommittedEvents } from './ledger/committed-events';
import { Database } from './database';
import { DeletedRunsStore } from './deleted-runs.store';
import { DerivationSourcesStore } from './derivation-sources.store';
import { EventLogStore } from './event-log.store';
import { FailedSupervisions } from './ledger/failed-supervisions';
import { IdempotencyKeysStore } from './idempotency-keys.store';
import { InspectionStore } from './inspection.store';
import { ModelSpendStore } from './model-spend.store';
import { OwnershipStore } from './ledger/ownership.store';
import { ProcessesStore } from './processes.store';
import { RequestBudgetStore } from './request-budget.store';
import { ReviewedConversationsStore } from './reviewed-conversations.store';
import { ClearancesStore } from './encryption/clearances.store';
import { ResealingStore } from './encryption/resealing.store';
import { ReviewsStore } from './reviews.store';
import { RunExaminersStore } from './run-examiners.store';
import { RunLimits } from './run-limits';
import { ClusterCountsStore } from './cluster-counts.store';
import { AgentHistoryStore } from './agent-history.store';
import { ScenarioHistoryStore } from './scenario-history.store';
import { RunOutlinesStore } from './run-outlines.store';
import { RunPairsStore } from './run-pairs.store';
import { RunReportStore } from './run-report.store';
import { RunStatisticsStore } from './run-statistics.store';
import { ScenarioPurgeStore } from './scenario-purge.store';
import { ScenarioRunClaims } from './ledger/scenario-run.claims';
import { ScenarioRunLedger } from './ledger/scenario-run.ledger';
import { ScenarioRunsStore } from './scenario-runs.store';
import { ScenarioSelectionStore } from './scenario-selection.store';
import { ScenarioRevisionsStore } from './scenario-revisions.store';
import { ScenariosStore } from './scenarios.store';
import { ScreenshotsStore } from './screenshots.store';
import { ShownMarksStore } from './shown-marks.store';
import { TestRunLedger } from './ledger/test-run.ledger';
import { TestRunsStore } from './test-runs.store';
import { UnfinishedRunsStore } from './unfinished-runs.store';
import { TestSuitesStore } from './test-suites.store';
import { WebhookComparisonsStore } from './webhook-comparisons.store';
import { WebhookDeliveriesStore } from './webhook-deliveries.store';
import { WebhooksStore } from './webhooks.store';

const STORES = [
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
  DeletedRunsStore,
  RunStatisticsStore,
  RunReportStore,
  RunOutlinesStore,
  RunPairsStore,
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
  OwnershipStore,
  EventLogStore,
  InspectionStore,
  CommittedEvents,
  ProcessesStore,
  RequestBudgetStore,
  ScreenshotsStore,
  IdempotencyKeysStore,
  CalibrationsStore,
  CalibrationMarksStore,
  WebhooksStore,
  WebhookDeliveriesStore,
  WebhookComparisonsStore,
  ClearancesStore,
  ResealingStore,
  UnfinishedRunsStore,
];

/**
 * The database and what reads and writes its rows. It is open before anything that asks for it is built, and closes after
 * everything else has stopped.
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
export class PersistenceModule {}
