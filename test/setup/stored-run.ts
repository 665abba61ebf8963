import { randomUUID } from 'node:crypto';
import type { Turn } from '../../src/domain/conversation';
import type { RubricCriterion, Verdict } from '../../src/domain/rubric';
import type { RunEvent } from '../../src/domain/run-events';
import { silentLog } from '../../src/platform/config/log';
import { settingsFrom } from '../../src/platform/config/settings';
import { CommittedEvents } from '../../src/engine/ledger/run-log';
import { Database } from '../../src/platform/database/database';
import { OwnershipStore } from '../../src/engine/ledger/ownership.store';
import { IN_TEXT, type NewTestRun, RunLimits } from '../../src/engine/ledger/new-test-run';
import { ScenarioRunClaims, type Claim } from '../../src/engine/ledger/scenario-run.claims';
import { ScenarioRunLedger } from '../../src/engine/ledger/scenario-run.ledger';
import { ScenarioRunsStore } from '../../src/features/runs/scenario-runs.store';
import type { SupervisionClaim } from '../../src/engine/ledger/supervision';
import { TestRunLedger } from '../../src/engine/ledger/test-run.ledger';
import { TestRunsStore } from '../../src/features/runs/test-runs.store';
import { USUAL_PATIENT } from '../../src/domain/patient';
import { expand } from '../../src/features/runs/run-plans';
import type { SpokenView } from '../../contract/spoken';
import { createTestDatabase, type TestDatabase } from './database';

/** The stores of one process on a database of its own, and what its actors would ask of them. */
export interface StoredRuns {
  readonly testDatabase: TestDatabase;
  readonly database: Database;
  readonly told: RunEvent[];
  readonly testRuns: TestRunLedger;
  readonly reads: TestRunsStore;
  readonly scenarioRuns: ScenarioRunLedger;
  readonly scenarioRunReads: ScenarioRunsStore;
  readonly claims: ScenarioRunClaims;
  readonly ownership: OwnershipStore;
  /** A run of an agent and scenarios of its own, before it is stored. */
  readonly newRun: (options?: RunOptions) => Promise<NewTestRun>;
  readonly createRun: (options?: RunOptions) => Promise<SupervisionClaim>;
  readonly claim: (scenarioRunId: string, testRunId: string, owner: string) => Promise<Claim>;
  readonly close: () => Promise<void>;
}

export interface RunOptions {
  readonly scenarios?: number;
  readonly trials?: number;
  readonly concurrencyLimit?: number;
  readonly provider?: string;
  /** Null: in text. */
  readonly spoken?: SpokenView | null;
  readonly owner?: string;
  /** Of each scenario; by default none, so that no conversation begins. */
  readonly rubric?: readonly RubricCriterion[];
  /** ISO 8601; by default the run has started. */
  readonly scheduledAt?: string | null;
}

/** @param shared the database of another process; by default one of its own, dropped at the end */
export async function openStoredRuns(shared?: TestDatabase): Promise<StoredRuns> {
  const testDatabase = shared ?? (await createTestDatabase());
  const database = await Database.open(settingsFrom({ DATABASE_URL: testDatabase.url }), silentLog);
  const committed = new CommittedEvents();
  const told: RunEvent[] = [];
  committed.stream.subscribe((event) => told.push(event));
  const testRuns = new TestRunLedger(database, committed, new RunLimits(settingsFrom({})));
  const claims = new ScenarioRunClaims(database, committed);
  const newRun: StoredRuns['newRun'] = async ({
    scenarios = 1,
    trials = 1,
    concurrencyLimit = 100,
    provider = 'openai',
    spoken = null,
    owner = randomUUID(),
    rubric = [],
    scheduledAt = null,
  } = {}) => {
    const [agent] = await database.query<{ id: string }>(
      `INSERT INTO agents (provider, name, config) VALUES ($1, 'Agent', '{}') RETURNING id`,
      [provider],
    );
    const rows = await database.query<{ id: string }>(
      `INSERT INTO scenarios (name, category, scenario_type, content, content_hash, rubric_criteria)
       SELECT 'Scenario ' || n, 'emergency', 'full', '{"script":"","demographics":{},"chief_complaint":""}', repeat('0', 64), $2
       FROM generate_series(1, $1) n RETURNING id`,
      [scenarios, JSON.stringify(rubric)],
    );
    const id = randomUUID();
    return {
      id,
      test_run_id: `run_${id}`,
      name: null,
      agent_id: agent?.id ?? '',
      agent_name: 'Agent',
      agent_provider: provider,
      agent_version: null,
      agent_config: {},
      agent_config_hash: 'hash',
      test_suite_id: null,
      planned: expand({ scenarioIds: rows.map((row) => row.id), patients: [USUAL_PATIENT], trials }),
      trials,
      max_turns: 5,
      concurrency_limit: concurrencyLimit,
      pass_threshold: 50,
      region: 'US',
      ...(spoken === null ? IN_TEXT : { modality: 'spoken', spoken }),
      twin: null,
      tester_model: null,
      judge_model: null,
      scheduled_at: scheduledAt,
      owner,
    };
  };
  return {
    testDatabase,
    database,
    told,
    testRuns,
    reads: new TestRunsStore(database),
    scenarioRuns: new ScenarioRunLedger(database, committed),
    scenarioRunReads: new ScenarioRunsStore(database),
    claims,
    ownership: new OwnershipStore(database),
    newRun,
    createRun: async (options) => testRuns.create(await newRun(options)),
    claim: (scenarioRunId, testRunId, owner) =>
      claims.claim({ scenarioRunId, testRunId, owner, restartingProviders: ['livekit'], metadata: {} }),
    close: async () => {
      await database.close();
      if (shared === undefined) await testDatabase.drop();
    },
  };
}

export function exchange(turn: number, agentMessage = `Reply ${turn}`): Turn {
  return {
    turn,
    patientMessage: `Message ${turn}`,
    patientAt: '2026-01-01T00:00:00.000Z',
    agentMessage,
    agentAt: '2026-01-01T00:00:01.000Z',
    latencyMs: 12.5,
  };
}

export const PASSED: Verdict = {
  passed: true,
  scorePercent: 100,
  totalPoints: 1,
  maxPoints: 1,
  summary: 'All met.',
  criteria: [
    {
      criterion: 'Greets',
      tags: [],
      decision: 'MET',
      points: 1,
      maxPoints: 1,
      rationale: 'It did.',
      evidence: [{ turn: 1, quote: 'Reply' }],
      absence: false,
      disputed: false,
    },
  ],
};
