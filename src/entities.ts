import { AgentEntity } from './features/agents/agent.entity';
import { AuditRecordEntity } from './features/audit/audit-record.entity';
import { CalibrationEntity, CalibrationItemEntity } from './features/calibrations/calibration.entity';
import { DeletedTestRunEntity } from './features/runs/deleted-test-run.entity';
import { IdempotencyKeyEntity } from './platform/idempotency/idempotency-key.entity';
import { ModelSpendEntity } from './examiners/model/model-spend.entity';
import { PendingTableRewriteEntity } from './features/secrets/pending-table-rewrite.entity';
import { ProcessEntity } from './engine/actors/process.entity';
import { RequestBudgetEntity } from './agents/outbound/request-budget.entity';
import { PersonEntity, SessionEntity } from './features/sign-in/session.entity';
import { ReviewEntity } from './features/reviews/review.entity';
import { RunEventEntity, TestRunEntity, RunExaminersEntity } from './engine/ledger/test-run.entity';
import { RunSetEntity } from './engine/ledger/run-set.entity';
import { ScenarioEntity, ScenarioRevisionEntity } from './features/scenarios/scenario.entity';
import {
  RecordingPieceEntity,
  ScenarioRunEntity,
  TurnEntity,
  ScreenshotEntity,
} from './engine/ledger/scenario-run.entity';
import { ScheduleEntity, ScheduleStartEntity } from './features/schedules/schedule.entity';
import { ServiceKeyEntity } from './features/keys/service-key.entity';
import { ShownMarkEntity } from './features/shown-marks/shown-mark.entity';
import { TestSuiteEntity } from './features/suites/test-suite.entity';
import { WebhookComparisonEntity, WebhookDeliveryEntity, WebhookEntity } from './features/webhooks/webhook.entity';
import { WriteProbeEntity } from './platform/database/write-probe.entity';

/** One for each table. */
export const ENTITIES = [
  AgentEntity,
  AuditRecordEntity,
  CalibrationEntity,
  CalibrationItemEntity,
  DeletedTestRunEntity,
  IdempotencyKeyEntity,
  ModelSpendEntity,
  PendingTableRewriteEntity,
  PersonEntity,
  ProcessEntity,
  RecordingPieceEntity,
  RequestBudgetEntity,
  ReviewEntity,
  RunEventEntity,
  RunExaminersEntity,
  RunSetEntity,
  ScenarioEntity,
  ScenarioRevisionEntity,
  ScenarioRunEntity,
  ScheduleEntity,
  ScheduleStartEntity,
  ScreenshotEntity,
  ServiceKeyEntity,
  SessionEntity,
  ShownMarkEntity,
  TestRunEntity,
  TestSuiteEntity,
  TurnEntity,
  WebhookComparisonEntity,
  WebhookDeliveryEntity,
  WebhookEntity,
  WriteProbeEntity,
];

const FORGETS = 'whatever deletes one empties the kept answers that tell of it';

/**
 * What the tables have and TypeORM has no words for, or does not compare: made by migrations, left alone by entities
 * (`synchronize: false`). By name, with what it is for.
 */
export const BEYOND_TYPEORM = {
  indexes: {
    idempotency_keys_about: 'a GIN index: TypeORM makes no other kind than B-trees',
    audit_records_by_resource: 'a GIN index: TypeORM makes no other kind than B-trees',
    agents_listed: 'partial: deleted agents are not listed',
    scenarios_listed: 'partial, with NULLS LAST: inactive scenarios are not listed',
    test_runs_newest: 'partial, descending: calibrations are not listed',
    test_runs_newest_by_status: 'partial, descending in its second column: calibrations are not listed',
    test_runs_calibrating: 'partial, descending: the list of calibrations',
    test_runs_live: 'partial: final runs need no supervisor',
    test_runs_by_source: 'partial: most runs have none',
    test_runs_by_set: 'partial: most runs are in none',
    test_runs_by_twin: 'partial: most runs have none',
    scenario_runs_verdicts: 'partial: what was graded',
    scenario_runs_owned: 'partial, of an expression: what a process executes, for claims alone',
    scenario_runs_live: 'partial: of a run, what is not final',
    calibrations_unfinished: 'partial: what has a result needs none',
    schedule_starts_once:
      'unique, partial: a start by time is made once, and starts that are asked for are no matter of time',
    schedule_starts_of_run: 'partial: starts that left a run',
    schedule_starts_undecided: 'partial: gates that wait for the end of their run',
    service_keys_live_name: 'partial: the name of a revoked key may be given again',
    webhook_deliveries_due: 'partial: what is delivered or given up is not due',
    recording_pieces_undecided: 'partial: what KEEP_RECORDINGS=evidence has not looked at yet',
    run_log_by_scenario_run: 'partial: events of the run itself have no scenario run',
  },
  tables: {
    model_spend: 'fillfactor: one row a day, updated in place',
    processes: 'unlogged, fillfactor: what a crash empties is there again with the next beat',
    request_budgets: 'unlogged, fillfactor: what a crash empties is one pause between two requests',
    scenario_runs:
      'fillfactor: updated in place for every turn; toast_tuple_target: long documents stand outside of the row',
    write_probe: 'fillfactor: one row, updated in place',
  },
  columns: {
    'scenario_runs.patient': 'in the row: what statistics read',
    'scenario_runs.examiners': 'in the row: what statistics read',
    'scenario_runs.findings': 'in the row: what statistics read',
    'recording_pieces.bytes': 'stored as it is: sound is compressed already',
    'screenshots.jpeg': 'stored as it is: a JPEG is compressed already',
  },
  triggers: {
    test_runs_note_deletion:
      'whatever deletes a run calls off what goes on in it, notes what is to be cleared away, forgets what was answered and is to be told of it, and removes its set with the last run of that',
    test_runs_note_end: 'whatever ends a run notes in the same transaction what webhooks are to be told',
    scenarios_forget_answers: FORGETS,
    test_suites_forget_answers: FORGETS,
    webhooks_forget_answers: FORGETS,
    schedules_forget_answers: FORGETS,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;
