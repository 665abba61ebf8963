import { Injectable } from '@nestjs/common';
import type { TestRunView } from '../../../contract/test-runs';
import type { Derivation, TestRunStatus, PatientProfile, RunEvent } from '../../domain';
import { Settings } from '../../platform/config';
import { ADVISORY_LOCKS, type Transaction } from '../../platform/database';
import { toStorableJson } from '../../platform/storable-text';
import type { GivenExamination } from './execution-record';
import type { AskedModels, ExaminerDocument } from './run-examiners.store';
import { rubricKindsOf } from './rubric-kinds';
import { appendEvents } from './run-log';
import type { SupervisionClaim } from './supervision';

/** One conversation of a run, before it is stored. */
export interface PlannedScenarioRun {
  readonly scenarioId: string;
  /** From 1. */
  readonly trial: number;
  readonly patient: PatientProfile;
  /** Determines the order in which the judge reads the criteria. 0 ≤ seed < 2³². */
  readonly seed: number;
}

/** The agent as the run finds it; its config, without secrets, and the hash are null when they were not kept. */
export type ExaminedAgent = Pick<
  TestRunView,
  'agent_id' | 'agent_name' | 'agent_provider' | 'agent_version' | 'agent_config' | 'agent_config_hash'
>;

type GivenAtStart =
  | 'id'
  | 'test_run_id'
  | 'name'
  | 'test_suite_id'
  | 'trials'
  | 'max_turns'
  | 'concurrency_limit'
  | 'pass_threshold'
  | 'region'
  | 'modality'
  | 'spoken'
  | 'scheduled_at';

/** A run without its scenario runs, as the API names it. */
export interface RunHead extends Readonly<Pick<TestRunView, GivenAtStart>>, ExaminedAgent, AskedModels {
  /** The process that supervises it. */
  readonly owner: string;
}

/** Of a run whose conversations are written. */
export const IN_TEXT = { modality: 'text', spoken: null } as const satisfies Partial<RunHead>;

/** The set that a run is started in, and its place there. */
export interface Membership {
  readonly run_set_id: string | null;
  /** From 1. */
  readonly run_set_place: number | null;
}

/** Of a run that is started alone, or that begins from another. */
export const OF_NO_SET: Membership = { run_set_id: null, run_set_place: null };

/** The run that another one examines the same as. */
export interface TwinOf {
  /** Its scenario runs stand in the order of `planned`, and their copies of the scenarios are taken over. */
  readonly id: string;
  /** The first run of their family, which may be deleted. */
  readonly first: string;
}

/** The run that a twin was to be of was deleted after it had been read. */
export class TwinGone extends Error {
  override readonly name = 'TwinGone';
}

export interface NewTestRun extends RunHead {
  /** Null for a run that takes its scenarios as they are now. */
  readonly twin: TwinOf | null;
  /** In the order in which they are to be executed. */
  readonly planned: readonly PlannedScenarioRun[];
}

/** What a run began from, if not from scenarios alone. */
export interface Lineage {
  /** The run whose rows it began from; null for conversations from elsewhere. */
  readonly derived_from: string | null;
  readonly derivation: Derivation | null;
  /** The judge that it calibrates, and that alone marks in it; null for a test of an agent. */
  readonly calibrated_judge: ExaminerDocument | null;
}

const FROM_SCENARIOS: Lineage = { derived_from: null, derivation: null, calibrated_judge: null };

/** Where each field is kept. */
const COLUMNS = {
  id: 'id',
  test_run_id: 'label',
  name: 'name',
  agent_id: 'agent_id',
  agent_name: 'agent_name',
  agent_provider: 'agent_provider',
  agent_version: 'agent_version',
  agent_config: 'agent_config',
  agent_config_hash: 'agent_config_hash',
  test_suite_id: 'test_suite_id',
  trials: 'trials',
  max_turns: 'max_turns',
  concurrency_limit: 'concurrency_limit',
  pass_threshold: 'pass_threshold',
  region: 'region',
  modality: 'modality',
  spoken: 'spoken',
  scheduled_at: 'scheduled_at',
  tester_model: 'tester_model',
  judge_model: 'judge_model',
  owner: 'owner',
  derived_from: 'derived_from',
  derivation: 'derivation',
  twin_of: 'twin_of',
  run_set_id: 'run_set_id',
  run_set_place: 'run_set_place',
  calibrated_judge: 'calibrated_judge',
  status: 'status',
  total_scenarios: 'total_scenarios',
} as const satisfies Readonly<Record<keyof StoredHead, string>>;

type StoredHead = RunHead &
  Lineage &
  Membership &
  Pick<TestRunView, 'status' | 'total_scenarios'> &
  Partial<Pick<TestRunView, 'twin_of'>>;

/** A scenario that was chosen was purged before the run was stored. */
export class ScenarioVanished extends Error {
  override readonly name = 'ScenarioVanished';
}

/**
 * Stores a run, its scenario runs and its first event. A run that is stored already is answered as it was then: the answer to
 * an earlier try was lost.
 * @throws TooManyScheduledRuns, ScenarioVanished, TwinGone
 */
export async function storeNewRun(
  tx: Transaction,
  run: NewTestRun,
  mostScheduled: number,
  membership = OF_NO_SET,
): Promise<{ readonly events: readonly RunEvent[]; readonly result: SupervisionClaim }> {
  const status: TestRunStatus = run.scheduled_at === null ? 'running' : 'scheduled';
  const total = run.planned.length;
  const head = { ...run, ...FROM_SCENARIOS, ...membership, twin_of: run.twin?.first ?? null };
  if (!(await insertRun(tx, { ...head, status, total_scenarios: total }))) {
    return { events: [], result: await claimOfStored(tx, run, status) };
  }
  if (status === 'scheduled') await checkScheduled(tx, mostScheduled);
  const unsettled = await insertScenarioRuns(tx, run);
  if (unsettled.length !== total) throw run.twin === null ? new ScenarioVanished() : new TwinGone();
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
export async function insertRun(tx: Transaction, head: StoredHead): Promise<boolean> {
  const columns = Object.values(COLUMNS).join(', ');
  const given = new Map<string, unknown>(Object.entries(head));
  const row = Object.fromEntries(Object.entries(COLUMNS).map(([field, column]) => [column, given.get(field)]));
  const stored = await tx.query(
    `INSERT INTO test_runs (${columns}, started_at, attempt, heartbeat_at)
     SELECT ${columns}, CASE WHEN status = 'running' THEN now() END, 1, now()
     FROM json_populate_record(NULL::test_runs, $1)
     ON CONFLICT (id) DO NOTHING RETURNING id`,
    [toStorableJson(row)],
  );
  return stored.length > 0;
}

/** Each with a copy of its scenario; answers their ids in order. */
async function insertScenarioRuns(tx: Transaction, run: NewTestRun): Promise<string[]> {
  const { twin } = run;
  // A deletion of the twin waits until its copies are taken over.
  const isThere =
    twin === null || (await tx.query('SELECT id FROM test_runs WHERE id = $1 FOR KEY SHARE', [twin.id])).length > 0;
  if (!isThere) throw new TwinGone();
  const rows = await tx.query<{ id: string; position: number }>(
    `INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, trial, patient, scenario_name, scenario, rubric_kinds,
                                scenario_revision, scenario_content_hash, examination)
     SELECT gen_random_uuid(), $1, planned.scenario_id, planned.position, planned.trial, planned.patient::json,
            ${twin === null ? FROM_LIBRARY.columns : FROM_TWIN.columns}, planned.examination::json
     FROM unnest($2::uuid[], $3::int[], $4::text[], $5::text[])
       WITH ORDINALITY AS planned(scenario_id, trial, patient, examination, position)
     JOIN ${twin === null ? FROM_LIBRARY.table : FROM_TWIN.table}
     RETURNING id, position`,
    [
      run.id,
      run.planned.map(({ scenarioId }) => scenarioId),
      run.planned.map(({ trial }) => trial),
      run.planned.map(({ patient }) => JSON.stringify(patient)),
      run.planned.map(({ seed }) => JSON.stringify(examinationOf(run, seed))),
      ...(twin === null ? [] : [twin.id]),
    ],
  );
  return rows.sort((a, b) => a.position - b.position).map((row) => row.id);
}

/** Where the copies of scenarios come from: their name, the copy, the kinds of its criteria, its revision and its hash. */
interface Copies {
  readonly columns: string;
  /** Joined to `planned`. */
  readonly table: string;
}

const FROM_LIBRARY: Copies = {
  columns: `s.name, json_build_object('name', s.name, 'content', s.content, 'rubric_criteria', s.rubric_criteria),
            s.rubric_kinds, s.revision, s.content_hash`,
  // Their kinds once for each scenario, and not for each of its trials.
  table: `(
       SELECT *, ${rubricKindsOf('rubric_criteria')} AS rubric_kinds FROM scenarios WHERE id = ANY($2::uuid[]) OFFSET 0
     ) s ON s.id = planned.scenario_id`,
};

/** Its id is the sixth value. */
const FROM_TWIN: Copies = {
  columns: 's.scenario_name, s.scenario, s.rubric_kinds, s.scenario_revision, s.scenario_content_hash',
  table: 'scenario_runs s ON s.test_run_id = $6 AND s.position = planned.position',
};

function examinationOf({ region }: RunHead, seed: number): GivenExamination {
  return { seed, region };
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
  const { id: testRunId, scheduled_at: scheduledAt, concurrency_limit: concurrencyLimit } = run;
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
