import { Global, Module } from '@nestjs/common';
import { Log } from './platform/config/log';
import { Settings } from './platform/config/settings';
import { AgentsStore } from './features/agents/agents.store';
import { AuditStore } from './features/audit/audit.store';
import { CalibrationsStore } from './features/calibrations/calibrations.store';
import { CommittedEvents } from './engine/ledger/run-log';
import { Database } from './platform/database/database';
import { DerivationSourcesStore } from './features/derived/derivation-sources.store';
import { EventLogStore } from './features/stream/event-log.store';
import { FailedSupervisions } from './engine/ledger/failed-supervisions';
import { IdempotencyKeysStore } from './platform/idempotency/idempotency-keys.store';
import { InspectionStore } from './features/inspection/inspection.store';
import { ModelSpendStore } from './examiners/model/model-spend.store';
import { OwnershipStore } from './engine/ledger/ownership.store';
import { ProcessesStore } from './engine/actors/processes.store';
import { RequestBudgetStore } from './agents/outbound/request-budget.store';
import { ReviewedConversationsStore } from './features/reviews/reviewed-conversations.store';
import { TableRewritesStore } from './platform/database/encryption/table-rewrites.store';
import { ResealingStore } from './platform/database/encryption/resealing.store';
import { ReviewsStore } from './features/reviews/reviews.store';
import { RunExaminersStore } from './engine/ledger/run-examiners.store';
import { RunLimits } from './engine/ledger/new-test-run';
import { ClusterCountsStore } from './features/runs/cluster-counts.store';
import { AgentHistoryStore } from './features/statistics/history/agent-history.store';
import { ScenarioHistoryStore } from './features/statistics/history/scenario-history.store';
import { RunOutlinesStore } from './engine/ledger/run-outlines.store';
import { RunPairsStore } from './features/statistics/run-pairs.store';
import { RunReportStore } from './features/report/run-report.store';
import { RunStatisticsStore } from './features/statistics/run-statistics.store';
import { ScenarioPurgeStore } from './features/scenarios/scenario-purge.store';
import { ScenarioRunClaims } from './engine/ledger/scenario-run.claims';
import { ScenarioRunLedger } from './engine/ledger/scenario-run.ledger';
import { ScenarioRunsStore } from './features/runs/scenario-runs.store';
import { ScenarioSelectionStore } from './features/scenarios/scenario-selection.store';
import { ScenarioRevisionsStore, ScenariosStore } from './features/scenarios/scenarios.store';
import { ScreenshotsStore } from './engine/ledger/screenshots.store';
import { ShownMarksStore } from './features/shown-marks/shown-marks.store';
import { TestRunLedger } from './engine/ledger/test-run.ledger';
import { TestRunsStore } from './features/runs/test-runs.store';
import { UnfinishedRunsStore } from './engine/ledger/unfinished-runs.store';
import { TestSuitesStore } from './features/suites/test-suites.store';
import { WebhookDeliveriesStore } from './features/webhooks/webhook-deliveries.store';
import { WebhooksStore } from './features/webhooks/webhooks.store';

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
  WebhooksStore,
  WebhookDeliveriesStore,
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
