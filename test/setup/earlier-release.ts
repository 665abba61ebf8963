import type { Exchange } from '../../machines/conversation';
import { createPatientDataSource } from '../../src/persistence/data-source';
import type { Queryable } from '../../src/persistence/database';
import { MAX_ATTEMPTS } from '../../src/persistence/ledger/attempt-limit';
import { LEASE_SECONDS } from '../../src/persistence/ledger/lease';
import type { AttemptRef } from '../../src/persistence/ledger/scenario-run.changes';

/** The first step that the release before does not know. */
const FIRST_NEW_STEP = 1_732_700_000_000;

/** Brings an empty database to where the release before left it. */
export async function migrateAsBefore(url: string): Promise<void> {
  const dataSource = createPatientDataSource({ url, poolSize: 2, onPoolError: () => undefined });
  await dataSource.initialize();
  try {
    const { migrations } = dataSource;
    const known = migrations.filter(({ name = '' }) => Number(name.slice(-13)) < FIRST_NEW_STEP);
    migrations.splice(0, migrations.length, ...known);
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}

/** Claims a scenario run as processes of the release before do; answers what came of it, and the attempt if it is theirs. */
export async function claimAsBefore(
  database: Queryable,
  { scenarioRunId: id, testRunId: test_run_id, owner }: Omit<AttemptRef, 'attempt'>,
): Promise<{ readonly kind: string; readonly attempt: number | null }> {
  const surrender = { code: 'internal', message: 'Too many attempts.' };
  const [claim] = await database.query<{ kind: string; attempt: number | null }>(
    'SELECT kind, attempt FROM claim_scenario_runs_2($1, $2, $3, $4, $5, $6, $7, 0)',
    [
      JSON.stringify([{ ord: 0, id, test_run_id }]),
      owner,
      LEASE_SECONDS,
      ['livekit'],
      '{}',
      MAX_ATTEMPTS,
      JSON.stringify(surrender),
    ],
  );
  if (claim === undefined) throw new Error('The claim was not answered.');
  return claim;
}

interface Change {
  readonly allowed_from: readonly string[];
  readonly status?: string;
  readonly is_final?: boolean;
  readonly releases?: boolean;
  readonly turn?: number;
  readonly exchange?: Exchange;
}

/**
 * Records a change as processes of the release before do, which run beside newer ones during an upgrade. Answers whether the row took
 * it.
 */
export async function recordAsBefore(
  database: Queryable,
  ref: AttemptRef,
  { exchange, ...change }: Change,
  events: readonly { readonly type: string }[],
): Promise<boolean> {
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
  const [row] = await database.query<{ scenario_id: string | null }>(
    'SELECT scenario_id FROM record_scenario_changes_2($1, 0)',
    [JSON.stringify([record])],
  );
  if (row === undefined) throw new Error('The change was not answered.');
  return row.scenario_id !== null;
}
