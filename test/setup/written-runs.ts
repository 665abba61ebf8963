import { randomUUID } from 'node:crypto';
import type { RunEvent, RunEventFields } from '../../src/domain/run-events';
import type { Queryable } from '../../src/platform/database';

/** Runs without actors, and events of theirs that are committed and told to nobody. */
export function writtenRuns(database: Queryable) {
  return {
    /** A running test run without events. */
    createRun: async (id: string = randomUUID()): Promise<{ id: string; label: string }> => {
      const label = `run_20260314092653_${id.slice(0, 8)}`;
      await database.query(
        `INSERT INTO test_runs (id, label, status, agent_id, agent_name, agent_provider, total_scenarios, max_turns,
           concurrency_limit, pass_threshold)
         VALUES ($1, $2, 'running', $1, 'Agent under test', 'openai', 1, 6, 6, 50)`,
        [id, label],
      );
      return { id, label };
    },

    /** Commits events of a run that refer to no turn. */
    write: async (runId: string, ...fields: RunEventFields[]): Promise<RunEvent[]> => {
      const rows = await database.query<{ seq: number; at: Date }>(
        `WITH run AS (
           UPDATE test_runs SET last_seq = last_seq + json_array_length($2::json) WHERE id = $1 RETURNING last_seq
         )
         INSERT INTO run_log (test_run_id, seq, type, fields)
         SELECT $1, run.last_seq - json_array_length($2::json) + e.place, e.fields->>'type', e.fields
         FROM run, json_array_elements($2::json) WITH ORDINALITY AS e(fields, place)
         RETURNING seq::float8 AS seq, at`,
        [runId, JSON.stringify(fields)],
      );
      return rows.flatMap(({ seq, at }, place) => {
        const told = fields[place];
        return told === undefined ? [] : [{ ...told, run_id: runId, seq, at: at.toISOString() }];
      });
    },
  };
}

const scenarioRunId = '00000000-0000-4000-8000-000000000001';

export const started: RunEventFields = { type: 'test_run_started', total_scenarios: 1, scenarios_launched: 1 };

export const finished: RunEventFields = {
  type: 'test_run_complete',
  passed_count: 1,
  failed_count: 0,
  error_count: 0,
  canceled_count: 0,
  pass_rate: 100,
};

export function said(turn: number, agentMessage = `answer ${turn}`): RunEventFields {
  return {
    type: 'transcript_update',
    scenario_run_id: scenarioRunId,
    turn,
    patient_message: `question ${turn}`,
    agent_message: agentMessage,
    latency_ms: 1.5,
  };
}

/** The numbers of the events of a run after one of them. */
export function upTo(count: number, after = 0): number[] {
  return Array.from({ length: count - after }, (_, at) => after + at + 1);
}
