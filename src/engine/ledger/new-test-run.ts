import { Injectable } from '@nestjs/common';
import type { Derivation, TestRunStatus, PatientProfile, Region, RunEvent } from '../../domain';
import { Settings } from '../../platform/config';
import { ADVISORY_LOCKS, type Transaction } from '../../platform/database';
import { toStorableJson } from '../../platform/storable-text';
import type { AskedModels, ExaminerDocument } from './run-examiners.store';
import { appendEvents } from './run-log';
import type { SupervisionClaim } from './supervision';

/** One conversation of a run, before it is stored. */
export interface PlannedScenarioRun {
  readonly scenarioId: string;
  /** From 1. */
  readonly trial: number;
  readonly patient: PatientProfile;
}

/** The agent as the run finds it. */
export interface ExaminedAgent {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  /** Without its secrets; null, like its hash, when it was not kept. */
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly configHash: string | null;
  /** As the client calls it; null when it does not say. */
  readonly version: string | null;
}

/** A run without its scenario runs. */
export interface RunHead {
  readonly id: string;
  readonly label: string;
  readonly name: string | null;
  readonly agent: ExaminedAgent;
  readonly testSuiteId: string | null;
  readonly trials: number;
  readonly maxTurns: number;
  readonly concurrencyLimit: number;
  readonly passThreshold: number;
  /** Where the agent's patients are; null when the run does not say. */
  readonly region: Region | null;
  readonly askedModels: AskedModels;
  /** ISO 8601; null starts the run at once. */
  readonly scheduledAt: string | null;
  /** The process that supervises it. */
  readonly owner: string;
}

export interface NewTestRun extends RunHead {
  /** In the order in which they are to be executed. */
  readonly planned: readonly PlannedScenarioRun[];
}

/** What a run began from, if not from scenarios alone. */
export interface Lineage {
  /** The run whose rows it began from; null for conversations from elsewhere. */
  readonly derivedFrom: string | null;
  readonly derivation: Derivation | null;
  /** The judge that it calibrates, and that alone marks in it; null for a test of an agent. */
  readonly calibratedJudge: ExaminerDocument | null;
}

const FROM_SCENARIOS: Lineage = { derivedFrom: null, derivation: null, calibratedJudge: null };

/** A scenario that was chosen was purged before the run was stored. */
export class ScenarioVanished extends Error {
  override readonly name = 'ScenarioVanished';
}

/**
 * Stores a run, its scenario runs and its first event. A run that is stored already is answered as it was then: the answer to
 * an earlier try was lost.
 * @throws TooManyScheduledRuns, ScenarioVanished
 */
export async function storeNewRun(
  tx: Transaction,
  run: NewTestRun,
  mostScheduled: number,
): Promise<{ readonly events: readonly RunEvent[]; readonly result: SupervisionClaim }> {
  const status: TestRunStatus = run.scheduledAt === null ? 'running' : 'scheduled';
  const total = run.planned.length;
  if (!(await insertRun(tx, run, { status, total, lineage: FROM_SCENARIOS }))) {
    return { events: [], result: await claimOfStored(tx, run, status) };
  }
  if (status === 'scheduled') await checkScheduled(tx, mostScheduled);
  const unsettled = await insertScenarioRuns(tx, run);
  if (unsettled.length !== total) {
    throw new ScenarioVanished();
  }
  const events = await appendEvents(tx, run.id, [
    {
      type: status === 'running' ? 'test_run_started' : 'test_run_scheduled',
      total_scenarios: total,
      scenarios_launched: status === 'running' ? total : 0,
    },
  ]);
  return { events, result: firstClaim(run, status, unsettled) };
}

/** False when it is stored already. */
export async function insertRun(
  tx: Transaction,
  run: RunHead,
  { status, total, lineage }: Readonly<{ status: TestRunStatus; total: number; lineage: Lineage }>,
): Promise<boolean> {
  const stored = await tx.query(
    `INSERT INTO test_runs (id, label, name, status, agent_id, agent_name, agent_provider, test_suite_id,
       total_scenarios, trials, max_turns, concurrency_limit, pass_threshold, scheduled_at, started_at, attempt, owner,
       heartbeat_at, tester_model, judge_model, agent_config, agent_config_hash, agent_version,
       derived_from, derivation, region, calibrated_judge)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
             CASE WHEN $4 = 'running' THEN now() END, 1, $15, now(), $16, $17, $18, $19, $20, $21, $22, $23,
             $24)
     ON CONFLICT (id) DO NOTHING RETURNING id`,
    [
      run.id,
      run.label,
      run.name,
      status,
      run.agent.id,
      run.agent.name,
      run.agent.provider,
      run.testSuiteId,
      total,
      run.trials,
      run.maxTurns,
      run.concurrencyLimit,
      run.passThreshold,
      run.scheduledAt,
      run.owner,
      run.askedModels.tester,
      run.askedModels.judge,
      run.agent.config === null ? null : toStorableJson(run.agent.config),
      run.agent.configHash,
      run.agent.version,
      lineage.derivedFrom,
      lineage.derivation,
      run.region,
      lineage.calibratedJudge === null ? null : JSON.stringify(lineage.calibratedJudge),
    ],
  );
  return stored.length > 0;
}

/** Each with a copy of its scenario; answers their ids in order. */
async function insertScenarioRuns(tx: Transaction, run: NewTestRun): Promise<string[]> {
  const rows = await tx.query<{ id: string; position: number }>(
    `INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, trial, patient, scenario_name, scenario,
                                scenario_revision, scenario_content_hash)
     SELECT gen_random_uuid(), $1, s.id, planned.position, planned.trial, planned.patient::json, s.name,
            json_build_object('name', s.name, 'content', s.content, 'rubric_criteria', s.rubric_criteria),
            s.revision, s.content_hash
     FROM unnest($2::uuid[], $3::int[], $4::text[]) WITH ORDINALITY AS planned(scenario_id, trial, patient, position)
     JOIN scenarios s ON s.id = planned.scenario_id
     RETURNING id, position`,
    [
      run.id,
      run.planned.map(({ scenarioId }) => scenarioId),
      run.planned.map(({ trial }) => trial),
      run.planned.map(({ patient }) => JSON.stringify(patient)),
    ],
  );
  return rows.sort((a, b) => a.position - b.position).map((row) => row.id);
}

/** One transaction at a time, so that runs that are stored together do not all see the same count. */
async function checkScheduled(tx: Transaction, most: number): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.scheduledRuns]);
  const [row] = await tx.query<{ scheduled: number }>(
    `SELECT count(*)::int AS scheduled FROM test_runs WHERE status = 'scheduled'`,
  );
  if ((row?.scheduled ?? 0) > most) throw new TooManyScheduledRuns(most);
}

/** The claim on a run that was just stored. */
export function firstClaim(run: RunHead, status: TestRunStatus, unsettled: readonly string[]): SupervisionClaim {
  const { id: testRunId, scheduledAt, concurrencyLimit } = run;
  return { testRunId, attempt: 1, status, scheduledAt, concurrencyLimit, unsettled };
}

/** The claim on a run that an earlier try has stored after all, moments ago: no other process knows the run yet. */
export async function claimOfStored(tx: Transaction, run: RunHead, status: TestRunStatus): Promise<SupervisionClaim> {
  const rows = await tx.query<{ id: string }>(
    'SELECT id FROM scenario_runs WHERE test_run_id = $1 AND NOT carried ORDER BY position',
    [run.id],
  );
  return firstClaim(
    run,
    status,
    rows.map(({ id }) => id),
  );
}

/** What bounds the runs that wait for their time. */
@Injectable()
export class RunLimits {
  /** How many may wait, over all processes. */
  readonly mostScheduled: number;
  /** One that is found later than this after its time is not started any more. */
  readonly graceSeconds: number;

  constructor({ maxScheduledRuns, scheduleGraceMs }: Settings) {
    this.mostScheduled = maxScheduledRuns;
    this.graceSeconds = scheduleGraceMs / 1_000;
  }
}

/** No further run may wait for its time: their limit is reached. */
export class TooManyScheduledRuns extends Error {
  override readonly name = 'TooManyScheduledRuns';

  constructor(readonly most: number) {
    super(`${most} runs are scheduled already.`);
  }
}
