import type { RunEvent } from '../../domain';
import type { Transaction } from '../../platform/database';
import { toStorableJson } from '../../platform/storable-text';
import { ELSEWHERE, type ExaminerDocument } from './run-examiners.store';
import type { GivenExamination, ScenarioSnapshot } from './execution-record';
import { claimOfStored, firstClaim, insertRun, OF_NO_SET, ScenarioVanished, type RunHead } from './new-test-run';
import { rubricKindsOf } from './rubric-kinds';
import { appendEvents } from './run-log';
import type { SupervisionClaim } from './supervision';

/** Stands in for the kind of an agent that the service does not call. */
export const IMPORTED = 'import';

/** A conversation that was held elsewhere. */
export interface ImportedConversation {
  readonly scenarioId: string;
  /** A scenario that the library does not have, which is marked by a rubric of its own; null for a scenario of the library. */
  readonly adHoc: { readonly scenario: ScenarioSnapshot; readonly contentHash: string } | null;
  /** From 1. */
  readonly trial: number;
  /** Null: a random seed, and the region of the run. */
  readonly examination: GivenExamination | null;
  /** At least one. */
  readonly turns: readonly { readonly turn: number; readonly patientMessage: string; readonly agentMessage: string }[];
}

export interface NewImportedRun extends RunHead {
  /** The judge that the run calibrates; null where it tests an agent. */
  readonly calibrated_judge: ExaminerDocument | null;
  readonly conversations: readonly ImportedConversation[];
}

/** Stores a run of conversations that are only to be marked. One that is stored already is answered as it was then. */
export async function storeImportedRun(
  tx: Transaction,
  run: NewImportedRun,
): Promise<{ readonly events: readonly RunEvent[]; readonly result: SupervisionClaim }> {
  const total = run.conversations.length;
  if (
    !(await insertRun(tx, {
      ...run,
      ...OF_NO_SET,
      derived_from: null,
      derivation: 'import',
      status: 'running',
      total_scenarios: total,
    }))
  ) {
    return { events: [], result: await claimOfStored(tx, run, 'running') };
  }
  const items = run.conversations.map(({ scenarioId, adHoc, trial, examination, turns }, place) => ({
    position: place + 1,
    scenario_id: scenarioId,
    scenario: adHoc?.scenario,
    content_hash: adHoc?.contentHash,
    trial,
    examination,
    number: turns.length,
    turns: turns.map(({ turn, patientMessage, agentMessage }) => ({
      turn,
      patient: patientMessage,
      agent: agentMessage,
    })),
  }));
  const given = toStorableJson(items);
  const rows = await tx.query<{ id: string; position: number }>(INSERT_ROWS, [
    run.id,
    given,
    toStorableJson(ELSEWHERE),
  ]);
  if (rows.length !== total) throw new ScenarioVanished();
  await tx.query(INSERT_TURNS, [run.id, given]);
  const events = await appendEvents(tx, run.id, [
    { type: 'test_run_started', total_scenarios: total, scenarios_launched: total },
  ]);
  const unsettled = rows.sort((one, other) => one.position - other.position).map(({ id }) => id);
  return { events, result: firstClaim(run, 'running', unsettled) };
}

const ITEMS = `json_to_recordset($2) AS i(
  position int, scenario_id uuid, scenario json, content_hash text, trial int, examination json, number int, turns json)`;

const INSERT_ROWS = `
  INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, trial, scenario_name, scenario, rubric_kinds,
    scenario_revision, scenario_content_hash, kept_turns, played_by, examination, turns, status)
  SELECT gen_random_uuid(), $1, i.scenario_id, i.position, i.trial, COALESCE(i.scenario->>'name', c.name),
         COALESCE(i.scenario, json_build_object('name', c.name, 'content', c.content, 'rubric_criteria', c.rubric_criteria)),
         ${rubricKindsOf("COALESCE(i.scenario->'rubric_criteria', c.rubric_criteria)")},
         c.revision, COALESCE(i.content_hash, c.content_hash), i.number, $3::json, i.examination, i.number, 'grading'
  FROM ${ITEMS} LEFT JOIN scenarios c ON c.id = i.scenario_id AND i.scenario IS NULL
  WHERE i.scenario IS NOT NULL OR c.id IS NOT NULL
  RETURNING id, position`;

/** The time of each message is that of the import, and how long the agent took is not known: conversations from elsewhere have no times. */
const INSERT_TURNS = `
  INSERT INTO turns (scenario_run_id, conversation, turn, patient_message, patient_at, agent_message, agent_at)
  SELECT n.id, n.conversation, u.turn, u.patient, now(), u.agent, now()
  FROM ${ITEMS} JOIN scenario_runs n ON n.test_run_id = $1 AND n.position = i.position
  CROSS JOIN LATERAL json_to_recordset(i.turns) AS u(turn int, patient text, agent text)`;
