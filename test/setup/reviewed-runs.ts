import type { Database } from '../../src/platform/database/database';
import type { Answer, ApiClient } from './api-client';

export type Decided = 'MET' | 'PARTIALLY MET' | 'NOT MET';

/** What was said in every conversation of a stored run, turn by turn. */
export async function storeTurns(
  database: Database,
  testRunId: string,
  said: readonly (readonly [patient: string, agent: string])[],
): Promise<void> {
  await database.query(
    `INSERT INTO turns (scenario_run_id, conversation, turn, patient_message, patient_at, agent_message, agent_at, latency_ms)
     SELECT s.id, s.conversation, t.turn, t.patient, now(), t.agent, now(), 5
     FROM scenario_runs s CROSS JOIN json_to_recordset($2) AS t(turn int, patient text, agent text) WHERE s.test_run_id = $1`,
    [testRunId, JSON.stringify(said.map(([patient, agent], place) => ({ turn: place + 1, patient, agent })))],
  );
}

/** The scenario runs of a run in its order, read from its rows: whoever asks the service for them is shown their marks. */
export async function conversationsOf(database: Database, testRunId: string): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    'SELECT id FROM scenario_runs WHERE test_run_id = $1 ORDER BY position',
    [testRunId],
  );
  return rows.map(({ id }) => id);
}

/** A review with these decisions, in the rubric's order. */
export function aReview(decisions: readonly Decided[], fields: object = {}): object {
  return {
    reviewer: 'Dr. Osei',
    blind: true,
    criteria: decisions.map((decision, index) => ({ index, decision })),
    ...fields,
  };
}

/** @throws Error when it is refused */
export async function review(
  api: ApiClient,
  scenarioRunId: string,
  decisions: readonly Decided[],
  fields: object = {},
): Promise<Answer['body']> {
  const { status, body } = await api.post(`/api/v1/scenario-runs/${scenarioRunId}/reviews`, aReview(decisions, fields));
  if (status !== 201) throw new Error(`The review was refused: ${status} ${JSON.stringify(body)}`);
  return body;
}
