import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { InitialSchema1732000000000 } from '../../migrations/1732000000000-initial-schema';
import { SharedRequestBudgets1732100000000 } from '../../migrations/1732100000000-shared-request-budgets';
import { RecordScenarioChanges1732150000000 } from '../../migrations/1732150000000-record-scenario-changes';
import { ClaimScenarioRuns1732160000000 } from '../../migrations/1732160000000-claim-scenario-runs';
import { Screenshots1732200000000 } from '../../migrations/1732200000000-screenshots';
import { IndexEventsOfScenarioRuns1732250000000 } from '../../migrations/1732250000000-index-events-of-scenario-runs';
import { ModelSpend1732500000000 } from '../../migrations/1732500000000-model-spend';
import { LimitAttemptsInClaims1732600000000 } from '../../migrations/1732600000000-limit-attempts-in-claims';
import { WriteProbe1732310000000 } from '../../migrations/1732310000000-write-probe';
import { ReleaseCleanly1732610000000 } from '../../migrations/1732610000000-release-cleanly';
import { EventsReferToTurns1732700000000 } from '../../migrations/1732700000000-events-refer-to-turns';
import { IndexEventsByScenarioRun1732710000000 } from '../../migrations/1732710000000-index-events-by-scenario-run';
import { InstallLedgerFunctions1732720000000 } from '../../migrations/1732720000000-install-ledger-functions';
import { Trials1732800000000 } from '../../migrations/1732800000000-trials';
import { Findings1732810000000 } from '../../migrations/1732810000000-findings';
import { RunExaminers1732820000000 } from '../../migrations/1732820000000-run-examiners';
import { Patients1732825000000 } from '../../migrations/1732825000000-patients';
import { ConversationsEndedByAgents1732830000000 } from '../../migrations/1732830000000-conversations-ended-by-agents';
import { WhatWasExamined1732840000000 } from '../../migrations/1732840000000-what-was-examined';
import { ScenarioRevisions1732841000000 } from '../../migrations/1732841000000-scenario-revisions';
import { SealScenarios1732842000000 } from '../../migrations/1732842000000-seal-scenarios';
import { Baselines1732850000000 } from '../../migrations/1732850000000-baselines';
import { NarrowScenarioRuns1732855000000 } from '../../migrations/1732855000000-narrow-scenario-runs';
import { IndexVerdicts1732856000000 } from '../../migrations/1732856000000-index-verdicts';
import { IdempotencyKeys1732900000000 } from '../../migrations/1732900000000-idempotency-keys';
import { Webhooks1732901000000 } from '../../migrations/1732901000000-webhooks';
import { DerivedRuns1733000000000 } from '../../migrations/1733000000000-derived-runs';
import { IndexDerivedRuns1733001000000 } from '../../migrations/1733001000000-index-derived-runs';
import { Calibrations1733200000000 } from '../../migrations/1733200000000-calibrations';
import { Reviews1733100000000 } from '../../migrations/1733100000000-reviews';
import { RotatedWebhookSecrets1733201000000 } from '../../migrations/1733201000000-rotated-webhook-secrets';
import { Regions1733300000000 } from '../../migrations/1733300000000-regions';
import { AuditRecords1733400000000 } from '../../migrations/1733400000000-audit-records';
import { OwedClearances1733500000000 } from '../../migrations/1733500000000-owed-clearances';
import { DeleteRunsInPieces1733600000000 } from '../../migrations/1733600000000-delete-runs-in-pieces';
import { CountWhatIsOwned1734000000000 } from '../../migrations/1734000000000-count-what-is-owned';
import { Processes1734050000000 } from '../../migrations/1734050000000-processes';
import { RegionsOfLabels1733800000000 } from '../../migrations/1733800000000-regions-of-labels';
import { ShownMarks1733900000000 } from '../../migrations/1733900000000-shown-marks';
import { ForgetDeletedRuns1734060000000 } from '../../migrations/1734060000000-forget-deleted-runs';
import { ENTITIES } from './entities/entities';

/** Every migration, named as every entity is: nothing is found by a glob. */
const MIGRATIONS = [
  InitialSchema1732000000000,
  SharedRequestBudgets1732100000000,
  RecordScenarioChanges1732150000000,
  ClaimScenarioRuns1732160000000,
  Screenshots1732200000000,
  IndexEventsOfScenarioRuns1732250000000,
  ModelSpend1732500000000,
  LimitAttemptsInClaims1732600000000,
  WriteProbe1732310000000,
  ReleaseCleanly1732610000000,
  EventsReferToTurns1732700000000,
  IndexEventsByScenarioRun1732710000000,
  InstallLedgerFunctions1732720000000,
  Trials1732800000000,
  Findings1732810000000,
  RunExaminers1732820000000,
  Patients1732825000000,
  ConversationsEndedByAgents1732830000000,
  WhatWasExamined1732840000000,
  ScenarioRevisions1732841000000,
  SealScenarios1732842000000,
  Baselines1732850000000,
  NarrowScenarioRuns1732855000000,
  IndexVerdicts1732856000000,
  IdempotencyKeys1732900000000,
  Webhooks1732901000000,
  DerivedRuns1733000000000,
  IndexDerivedRuns1733001000000,
  Calibrations1733200000000,
  Reviews1733100000000,
  RotatedWebhookSecrets1733201000000,
  Regions1733300000000,
  AuditRecords1733400000000,
  OwedClearances1733500000000,
  DeleteRunsInPieces1733600000000,
  RegionsOfLabels1733800000000,
  ShownMarks1733900000000,
  CountWhatIsOwned1734000000000,
  Processes1734050000000,
  ForgetDeletedRuns1734060000000,
];

/** Of every migration that this version knows. */
export function migrationNames(): string[] {
  return MIGRATIONS.map(({ name }) => name);
}

export interface DataSourceOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Called when an idle connection breaks (server stopped); without a listener that would end the process. */
  readonly onPoolError: (error: Error) => void;
  /** The migrations that it knows, by name; all, when left out. */
  readonly only?: ReadonlySet<string>;
}

/**
 * Of every connection but those that migrate. The server's own time limits do not help when it vanished from the network:
 * `query_timeout` is ours, and later.
 */
const LIMITS = {
  statement_timeout: 30_000,
  query_timeout: 35_000,
  idle_in_transaction_session_timeout: 60_000,
  // A session holds the plans of the statements it has seen; the driver's 10 s would have them made again and again.
  idleTimeoutMillis: 600_000,
};
const APPLICATION = 'agent-osce';
const CONNECT_WITHIN_MS = 5_000;

/** A data source that is not yet connected; `initialize()` connects. */
export function createDataSource(options: DataSourceOptions): DataSource {
  return dataSource(options, LIMITS);
}

/** The same for work that takes as long as it takes, whatever limits the address asks for. */
export function createPatientDataSource({ url, ...options }: DataSourceOptions): DataSource {
  const patient = new URL(url);
  for (const limit of TIME_LIMITS) patient.searchParams.delete(limit);
  return dataSource({ url: patient.toString(), ...options }, { idleTimeoutMillis: 0 });
}

/** Parameters of an address that the driver takes over its other settings. */
const TIME_LIMITS = ['statement_timeout', 'query_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

function dataSource({ url, poolSize, onPoolError, only }: DataSourceOptions, limits: object): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    applicationName: APPLICATION,
    entities: ENTITIES,
    migrations: only === undefined ? MIGRATIONS : MIGRATIONS.filter(({ name }) => only.has(name)),
    installExtensions: false,
    // Only what it calls the function that makes ids: PostgreSQL has gen_random_uuid() without an extension.
    uuidExtension: 'pgcrypto',
    synchronize: false,
    logging: false,
    poolSize,
    connectTimeoutMS: CONNECT_WITHIN_MS,
    poolErrorHandler: onPoolError,
    extra: { keepAlive: true, ...limits },
  });
}

/** Connections beside those of the data source, opened when they are first needed. */
export function createPool({ url, poolSize, onPoolError }: DataSourceOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: APPLICATION,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    ...LIMITS,
  });
  pool.on('error', onPoolError);
  return pool;
}
