import type { Exchange } from '../../machines/conversation';
import type { Database } from '../../src/persistence/database';
import type { AttemptRef } from '../../src/persistence/ledger/scenario-run.changes';

interface Change {
  readonly allowed_from: readonly string[];
  readonly status?: string;
  readonly is_final?: boolean;
  readonly turn?: number;
  readonly exchange?: Exchange;
}

/** Records a change as processes of the release before do, which run beside newer ones during an upgrade. */
export async function recordAsBefore(
  database: Database,
  ref: AttemptRef,
  { exchange, ...change }: Change,
  events: readonly { readonly type: string }[],
): Promise<void> {
  const spoken = exchange && {
    patient_message: exchange.patientMessage,
    patient_at: exchange.patientAt,
    agent_message: exchange.agentMessage,
    agent_at: exchange.agentAt,
    latency_ms: exchange.latencyMs,
    turn_metadata: {},
  };
  const { scenarioRunId: id, testRunId: test_run_id, owner, attempt } = ref;
  const record = {
    ...{ ord: 0, id, test_run_id, owner, attempt, is_final: false, releases: false },
    ...change,
    ...spoken,
    events: events.map((fields, place) => ({ place, type: fields.type, counted: change.is_final === true, fields })),
  };
  await database.query('SELECT * FROM record_scenario_changes_2($1, 0)', [JSON.stringify([record])]);
}
