import { randomUUID } from 'node:crypto';
import { USUAL_PATIENT, type PatientProfile } from '../../src/domain/patient';
import { DECISIONS, decisionLetters, type Decision } from '../../src/domain/rubric';
import type { Region } from '../../src/domain/region';
import { FINAL_TEST_RUN_STATUSES } from '../../src/domain/statuses';
import type { Database } from '../../src/platform/database/database';
import { examinersOf, findingsOf } from '../../src/engine/ledger/findings';
import { rubricKindsOf } from '../../src/engine/ledger/rubric-kinds';
import { RULES_VERSION } from '../../src/examiners/judge/offline.judge';

export interface GradedScenario {
  readonly id: string;
  readonly name: string;
  /** Of each trial: passed, failed, or an error code. */
  readonly outcomes: readonly string[];
  readonly content?: object;
  readonly rubric?: readonly object[];
}

export interface GradedRunOptions {
  readonly status?: string;
  readonly agentId?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The criteria results of a scenario run. */
  readonly criteria?: (scenario: GradedScenario, trial: number, patient: PatientProfile) => readonly Mark[];
  /** Percent; without it what is graded has no score, which no release has stored. */
  readonly score?: (scenario: GradedScenario, trial: number, patient: PatientProfile) => number;
  /** Each trial is held with each of them. */
  readonly patients?: readonly PatientProfile[];
  readonly maxTurns?: number;
  /** Null: the run did not say. */
  readonly region?: Region | null;
}

interface Mark {
  readonly criterion: string;
  readonly tags: readonly string[];
  readonly decision: string;
  readonly max_points: number;
  readonly disputed?: boolean;
  /** Without it 0 is stored. */
  readonly points?: number;
}

export const OFFLINE = {
  tester: { name: 'offline', model: null, prompt_version: null },
  judge: { name: 'offline', model: null, prompt_version: RULES_VERSION },
};

/** Scenarios of one category each, as many as names; answers their ids. */
export async function storeScenarios(
  database: Database,
  names: readonly string[],
  category = 'emergency',
): Promise<string[]> {
  const rows = await database.query<{ id: string; name: string }>(
    `INSERT INTO scenarios (name, category, scenario_type, content, content_hash, rubric_criteria, approved, tags)
     SELECT name, $2, 'full', '{"script":"","demographics":{},"chief_complaint":""}', repeat('0', 64), '[]', true, '{stored}'
     FROM unnest($1::text[]) AS given(name) RETURNING id, name`,
    [names, category],
  );
  return names.map((name) => rows.find((row) => row.name === name)?.id ?? '');
}

function decisionIn({ decision }: { readonly decision: string }): Decision {
  const known = DECISIONS.find((one) => one === decision);
  if (known === undefined) throw new Error(`${decision} is no decision.`);
  return known;
}

/** Stores a run that has ended, as the service would have, or one that another process executes; answers its id. */
export async function storeGradedRun(
  database: Database,
  scenarios: readonly GradedScenario[],
  {
    status = 'completed',
    agentId = randomUUID(),
    metadata = OFFLINE,
    criteria,
    score,
    patients = [USUAL_PATIENT],
    maxTurns = 6,
    region = null,
  }: GradedRunOptions = {},
): Promise<string> {
  const id = randomUUID();
  const trials = Math.max(...scenarios.map(({ outcomes }) => outcomes.length));
  await database.query(
    `INSERT INTO test_runs (id, label, status, agent_id, agent_name, agent_provider, total_scenarios, trials, max_turns,
       concurrency_limit, pass_threshold, started_at, completed_at, region, owner, heartbeat_at)
     VALUES ($1, $2, $3, $4, 'Stored agent', 'openai', $5, $6, $7, 6, 50, now(), now(), $8, $9, now() + interval '1 day')`,
    [
      id,
      `run_${id}`,
      status,
      agentId,
      scenarios.length * patients.length * trials,
      trials,
      maxTurns,
      region,
      // The service of a test would execute one that no process has.
      FINAL_TEST_RUN_STATUSES.some((final) => final === status) ? null : randomUUID(),
    ],
  );
  const rows = scenarios.flatMap((scenario) =>
    scenario.outcomes.flatMap((outcome, place) =>
      patients.map((patient) => {
        const trial = place + 1;
        const isGraded = outcome === 'passed' || outcome === 'failed';
        const marks = criteria?.(scenario, trial, patient) ?? [];
        const counted = marks.map(({ max_points, disputed = false, ...mark }) => ({
          ...mark,
          disputed,
          points: max_points,
        }));
        return {
          scenario_id: scenario.id,
          scenario_name: scenario.name,
          trial,
          patient,
          status: isGraded || outcome === 'canceled' ? outcome : 'error',
          error_code: isGraded || outcome === 'canceled' ? null : outcome,
          scenario: { name: scenario.name, content: scenario.content ?? {}, rubric_criteria: scenario.rubric ?? [] },
          score_percent: isGraded ? (score?.(scenario, trial, patient) ?? null) : null,
          criteria_results: isGraded
            ? marks.map((mark) => ({ points: 0, rationale: '', evidence: [], ...mark }))
            : null,
          decisions: isGraded ? decisionLetters(marks.map(decisionIn)) : null,
          metadata,
          examiners: examinersOf(metadata),
          findings: findingsOf(isGraded ? counted : [], metadata),
        };
      }),
    ),
  );
  const inOrder = rows
    .sort((one, other) => one.trial - other.trial)
    .map((row, place) => ({ ...row, position: place + 1 }));
  await database.query(
    `INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, trial, patient, scenario_name, scenario, rubric_kinds, status, error_code,
       attempt, turns, passed, score_percent, criteria_results, decisions, metadata, examiners, findings, started_at,
       completed_at)
     SELECT gen_random_uuid(), $1, r.scenario_id, r.position, r.trial, r.patient, r.scenario_name, r.scenario,
            ${rubricKindsOf("r.scenario->'rubric_criteria'")}, r.status, r.error_code, 1, 6,
            CASE r.status WHEN 'passed' THEN true WHEN 'failed' THEN false END, r.score_percent, r.criteria_results, r.decisions,
            r.metadata, r.examiners, r.findings, now(), now()
     FROM json_to_recordset($2) AS r(
       scenario_id uuid, position int, trial int, patient json, scenario_name text, scenario json, status text, error_code text,
       score_percent float8, criteria_results json, decisions text, metadata json, examiners json, findings json)`,
    [id, JSON.stringify(inOrder)],
  );
  await keepCounts(database, id);
  return id;
}

/** Counts beside a stored run what its rows say, as every change of them does. */
export async function keepCounts(database: Database, testRunId: string): Promise<void> {
  await database.query(
    `UPDATE test_runs SET passed_count = r.passed, failed_count = r.failed, error_count = r.error, canceled_count = r.canceled
     FROM (SELECT count(*) FILTER (WHERE status = 'passed') AS passed, count(*) FILTER (WHERE status = 'failed') AS failed,
                  count(*) FILTER (WHERE status = 'error') AS error, count(*) FILTER (WHERE status = 'canceled') AS canceled
           FROM scenario_runs WHERE test_run_id = $1) r WHERE id = $1`,
    [testRunId],
  );
}

/** Stores scenarios of these names, and then runs of them. */
export async function scenariosToRun(database: Database, names: readonly string[]) {
  const ids = await storeScenarios(database, names);
  return {
    ids,
    /** @param outcomes of each scenario, in their order */
    run: (outcomes: readonly (readonly string[])[], options: GradedRunOptions = {}): Promise<string> =>
      storeGradedRun(
        database,
        outcomes.map((of, at): GradedScenario => ({ id: ids[at] ?? '', name: names[at] ?? '', outcomes: of })),
        options,
      ),
  };
}
