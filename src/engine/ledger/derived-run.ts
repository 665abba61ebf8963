import type { RunEvent } from '../../domain';
import type { Transaction } from '../../platform/database';
import { toStorableJson } from '../../platform/storable-text';
import { claimOfStored, firstClaim, insertRun, OF_NO_SET, type RunHead } from './new-test-run';
import { rubricKindsOf } from './rubric-kinds';
import { appendEvents } from './run-log';
import type { SupervisionClaim } from './supervision';

/** How a scenario run of a derived run begins. */
export type Birth =
  /** Final: with everything that its source has. */
  | 'carried'
  /** With nothing but its scenario. */
  | 'anew'
  /** With the first of its source's turns; the conversation goes on from there. */
  | 'continued'
  /** With all turns of its source: only the judge is still to come. */
  | 'whole';

export interface BornScenarioRun {
  readonly sourceId: string;
  /** From 1. */
  readonly trial: number;
  readonly birth: Birth;
  /** How many of its source's turns a continued conversation keeps. */
  readonly keptTurns: number;
  /** What its patient says after them; null when its tester writes that too. */
  readonly givenMessage: string | null;
}

/** The rubric that conversations with a scenario are marked with in place of the one of their copy. */
export interface OtherRubric {
  readonly scenario_id: string;
  /** The hash of the copy that they have; null in runs that did not keep it. */
  readonly was: string | null;
  /** The revision of the scenario that has the rubric. */
  readonly rubric_of: number;
  /** The revision that has it together with the content that was played; null when none has. */
  readonly revision: number | null;
  /** The hash of both together. */
  readonly content_hash: string;
}

export interface NewDerivedRun extends RunHead {
  readonly derived_from: string;
  readonly derivation: 'retry' | 'regrade' | 'fork';
  /** In the order in which they are to be executed. */
  readonly born: readonly BornScenarioRun[];
  readonly otherRubrics: readonly OtherRubric[];
}

/** The source, or a part of it, was deleted after it had been read. */
export class SourceGone extends Error {
  override readonly name = 'SourceGone';
}

/**
 * Stores a run that begins from the rows of another, which are read and never written. One that is stored already is answered as it
 * was then.
 * @throws SourceGone
 */
export async function storeDerivedRun(
  tx: Transaction,
  run: NewDerivedRun,
): Promise<{ readonly events: readonly RunEvent[]; readonly result: SupervisionClaim }> {
  // A deletion of the source waits until its rows are copied.
  const source = await tx.query('SELECT id FROM test_runs WHERE id = $1 FOR KEY SHARE', [run.derived_from]);
  const total = run.born.length;
  if (
    !(await insertRun(tx, { ...run, ...OF_NO_SET, calibrated_judge: null, status: 'running', total_scenarios: total }))
  ) {
    return { events: [], result: await claimOfStored(tx, run, 'running') };
  }
  const places = run.born.map(({ sourceId, trial, birth, keptTurns, givenMessage }, place) => ({
    position: place + 1,
    source_id: sourceId,
    trial,
    birth,
    kept: keptTurns,
    given: givenMessage,
  }));
  const born = [run.id, toStorableJson(places)];
  const rows = await tx.query<{ id: string; position: number; carried: boolean }>(INSERT_ROWS, [
    ...born,
    toStorableJson(run.otherRubrics),
  ]);
  if (source.length === 0 || rows.length !== total) throw new SourceGone('The source of a derived run was deleted.');
  await tx.query(COPY_TURNS, born);
  await tx.query(COPY_SCREENSHOTS, born);
  await tx.query(NOTE_EXAMINERS, [run.id]);
  await tx.query(KEEP_COUNTS, [run.id]);
  const unsettled = rows
    .filter(({ carried }) => !carried)
    .sort((one, other) => one.position - other.position)
    .map(({ id }) => id);
  const events = await appendEvents(tx, run.id, [
    { type: 'test_run_started', total_scenarios: total, scenarios_launched: unsettled.length },
  ]);
  return { events, result: firstClaim(run, 'running', unsettled) };
}

const BORN = `json_to_recordset($2) AS b(position int, source_id uuid, trial int, birth text, kept int, given text)`;

/** Columns that say how a scenario run ended, and what was found. */
const OUTCOME = [
  'attempt',
  'passed',
  'score_percent',
  'total_points',
  'max_points',
  'grade_summary',
  'criteria_results',
  'decisions',
  'error_code',
  'error_message',
  'examiners',
  'findings',
  'started_at',
  'completed_at',
  'canceled_at',
  'clean_release_attempt',
] as const;

/**
 * A carried row of a carried row names the row in which the verdict was given: one verdict has one name, however often it is carried.
 * The tester that played a conversation is known from its metadata, and is named with every verdict on it.
 */
const INSERT_ROWS = `
  INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, trial, patient, scenario_name, scenario, rubric_kinds,
    scenario_revision, scenario_content_hash, source_scenario_run_id, carried, kept_turns, given_message, played_by, turns, ended_by,
    unanswered_message, closing_acts, status, metadata, ${OUTCOME.join(', ')})
  SELECT gen_random_uuid(), $1, s.scenario_id, b.position, b.trial, s.patient, s.scenario_name,
         CASE WHEN r.scenario_id IS NULL THEN s.scenario ELSE json_build_object(
           'name', s.scenario->'name', 'content', s.scenario->'content', 'rubric_criteria', v.rubric_criteria) END,
         CASE WHEN r.scenario_id IS NULL THEN s.rubric_kinds ELSE ${rubricKindsOf('v.rubric_criteria')} END,
         CASE WHEN r.scenario_id IS NULL THEN s.scenario_revision ELSE r.revision END,
         CASE WHEN r.scenario_id IS NULL THEN s.scenario_content_hash ELSE r.content_hash END,
         CASE WHEN f.is_carried AND s.carried THEN s.source_scenario_run_id ELSE s.id END,
         f.is_carried,
         CASE b.birth WHEN 'carried' THEN s.kept_turns WHEN 'whole' THEN s.turns WHEN 'continued' THEN b.kept END,
         CASE b.birth WHEN 'carried' THEN s.given_message WHEN 'continued' THEN b.given END,
         CASE b.birth WHEN 'carried' THEN s.played_by WHEN 'whole' THEN COALESCE(
           s.played_by, s.metadata->'tester', '{"name":"unknown","model":null,"prompt_version":null}') END,
         CASE b.birth WHEN 'anew' THEN 0 WHEN 'continued' THEN b.kept ELSE s.turns END,
         CASE WHEN f.has_end THEN s.ended_by END,
         CASE WHEN f.has_end THEN s.unanswered_message END,
         CASE WHEN f.has_end THEN s.closing_acts END,
         CASE b.birth WHEN 'carried' THEN s.status WHEN 'whole' THEN 'grading' ELSE 'pending' END,
         CASE WHEN f.is_carried THEN s.metadata ELSE '{}' END,
         ${OUTCOME.map((column) => `CASE WHEN f.is_carried THEN s.${column} ${column === 'attempt' ? 'ELSE 0 ' : ''}END`).join(', ')}
  FROM ${BORN}
  JOIN scenario_runs s ON s.id = b.source_id
  CROSS JOIN LATERAL (SELECT b.birth = 'carried' AS is_carried, b.birth IN ('carried', 'whole') AS has_end) f
  LEFT JOIN json_to_recordset($3) AS r(scenario_id uuid, was text, rubric_of int, revision int, content_hash text)
    ON b.birth = 'whole' AND r.scenario_id = s.scenario_id AND r.was IS NOT DISTINCT FROM s.scenario_content_hash
  LEFT JOIN scenario_revisions v ON v.scenario_id = r.scenario_id AND v.revision = r.rubric_of
  RETURNING id, position, carried`;

/** What a kept turn cost was spent in the source, and is not counted again; checks read it under another name. */
const KEPT_NOTES = `(CASE WHEN u.metadata::jsonb #> '{agent,usage}' IS NULL THEN u.metadata::jsonb - 'tester_usage'
         ELSE jsonb_set(u.metadata::jsonb - 'tester_usage' #- '{agent,usage}', '{agent,usage_in_source}',
           u.metadata::jsonb #> '{agent,usage}') END)::json`;

/** Only a carried scenario run tells what its turns cost, with the rest of its story. */
const COPY_TURNS = `
  INSERT INTO turns (scenario_run_id, conversation, turn, patient_message, patient_at, agent_message, agent_at, latency_ms,
                     continuation, metadata)
  SELECT n.id, n.conversation, u.turn, u.patient_message, u.patient_at, u.agent_message, u.agent_at, u.latency_ms, u.continuation,
         CASE WHEN n.carried THEN u.metadata ELSE ${KEPT_NOTES} END
  FROM ${BORN}
  JOIN scenario_runs n ON n.test_run_id = $1 AND n.position = b.position AND n.turns > 0
  JOIN scenario_runs s ON s.id = b.source_id
  JOIN turns u ON u.scenario_run_id = s.id AND u.conversation = s.conversation AND u.turn <= n.turns`;

const COPY_SCREENSHOTS = `
  INSERT INTO screenshots (scenario_run_id, attempt, jpeg, taken_at)
  SELECT n.id, p.attempt, p.jpeg, p.taken_at
  FROM ${BORN}
  JOIN scenario_runs n ON n.test_run_id = $1 AND n.position = b.position AND n.carried
  JOIN screenshots p ON p.scenario_run_id = b.source_id`;

/** Notes the examiners of the verdicts that were carried. */
const NOTE_EXAMINERS = `
  INSERT INTO run_examiners (test_run_id, tester, judge)
  SELECT DISTINCT $1::uuid, (examiners->'tester')::jsonb, (examiners->'judge')::jsonb FROM scenario_runs
  WHERE test_run_id = $1 AND carried AND examiners IS NOT NULL ON CONFLICT DO NOTHING`;

/** Counts the carried scenario runs: events tell these counts from the first one on. */
const KEEP_COUNTS = `
  UPDATE test_runs t SET passed_count = c.passed, failed_count = c.failed, error_count = c.error, canceled_count = c.canceled
  FROM (
    SELECT count(*) FILTER (WHERE status = 'passed') AS passed, count(*) FILTER (WHERE status = 'failed') AS failed,
           count(*) FILTER (WHERE status = 'error') AS error, count(*) FILTER (WHERE status = 'canceled') AS canceled
    FROM scenario_runs WHERE test_run_id = $1
  ) c WHERE t.id = $1`;
