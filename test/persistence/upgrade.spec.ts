import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { runEventFields } from '../../machines/run-events';
import { silentLog } from '../../src/config/log';
import { Connections } from '../../src/persistence/connections';
import type { Queryable } from '../../src/persistence/database';
import { EventLogStore } from '../../src/persistence/event-log.store';
import type { AttemptRef } from '../../src/persistence/ledger/scenario-run.changes';
import { migrate } from '../../src/persistence/migrate';
import { createEmptyDatabase, type TestDatabase } from '../setup/database';
import { claimAsBefore, migrateAsBefore, recordAsBefore } from '../setup/earlier-release';
import { exchange, openStoredRuns, PASSED, type StoredRuns } from '../setup/stored-run';

const TURNS = 5;
const ALL = { events: 10_000, bytes: 100_000_000 };

type Row = Omit<AttemptRef, 'attempt' | 'owner'>;

/** A run of the release before, with its scenario runs. */
async function createRunAsBefore(database: Queryable, scenarios: number): Promise<readonly Row[]> {
  const testRunId = randomUUID();
  const [agent] = await database.query<{ id: string }>(
    `INSERT INTO agents (provider, name, config) VALUES ('openai', 'Agent', '{}') RETURNING id`,
  );
  await database.query(
    `INSERT INTO test_runs (id, label, status, agent_id, agent_name, agent_provider, total_scenarios, max_turns,
                            concurrency_limit, pass_threshold, attempt, owner, heartbeat_at)
     VALUES ($1, $2, 'running', $3, 'Agent', 'openai', $4, $5, 100, 50, 1, $6, now())`,
    [testRunId, `run_${testRunId}`, agent?.id, scenarios, TURNS, randomUUID()],
  );
  const rows = await database.query<{ id: string }>(
    `INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, scenario_name, scenario)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), n, 'Scenario ' || n,
            '{"name":"Scenario","content":{"script":"","demographics":{},"chief_complaint":""},"rubric_criteria":[]}'
     FROM generate_series(1, $2) n RETURNING id`,
    [testRunId, scenarios],
  );
  return rows.map(({ id }) => ({ testRunId, scenarioRunId: id }));
}

/** A scenario run from its claim to its verdict, as the release before writes it. */
async function examineAsBefore(
  database: Queryable,
  row: Row,
  atTurn: (turn: number) => Promise<unknown>,
): Promise<void> {
  const owner = randomUUID();
  const claim = await claimAsBefore(database, { ...row, owner });
  expect(claim).toEqual({ kind: 'claimed', attempt: 1 });
  const ref: AttemptRef = { ...row, owner, attempt: 1 };
  const scenario_run_id = row.scenarioRunId;
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await atTurn(turn);
    const spoken = exchange(turn);
    const said = {
      patient_message: spoken.patientMessage,
      agent_message: spoken.agentMessage,
      latency_ms: spoken.latencyMs,
    };
    const event = { type: 'transcript_update', scenario_run_id, turn, ...said };
    const change = { allowed_from: ['running'], turn, exchange: spoken };
    expect(await recordAsBefore(database, ref, change, [event])).toBe(true);
  }
  const grading = [{ type: 'grading_started', scenario_run_id }];
  expect(await recordAsBefore(database, ref, { allowed_from: ['running'], status: 'grading' }, grading)).toBe(true);
  const verdict = { allowed_from: ['grading'], status: 'passed', is_final: true, releases: true };
  const complete = [{ type: 'scenario_complete', scenario_run_id, status: 'passed' }];
  expect(await recordAsBefore(database, ref, verdict, complete)).toBe(true);
}

/** The one process of this release. */
const owner = randomUUID();

/** The same, as this release writes it. */
async function examine(runs: StoredRuns, { testRunId, scenarioRunId }: Row): Promise<void> {
  const claim = await runs.claim(scenarioRunId, testRunId, owner);
  expect(claim).toMatchObject({ kind: 'claimed', attempt: 1 });
  const ref: AttemptRef = { testRunId, scenarioRunId, owner, attempt: 1 };
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const startsGrading = turn === TURNS;
    const change = { kind: 'turn', exchange: exchange(turn), continuation: null, metadata: {}, startsGrading } as const;
    expect(await runs.scenarioRuns.record({ ...ref, ...change })).toBe('committed');
  }
  const verdict = { kind: 'verdict', verdict: PASSED, metadata: {} } as const;
  expect(await runs.scenarioRuns.record({ ...ref, ...verdict })).toBe('committed');
}

/** The log of a run as its subscribers read it: whole, without gaps, with counts that rise by one. */
async function expectWholeLog(runs: StoredRuns, testRunId: string, examined: number, total: number): Promise<void> {
  const log = await new EventLogStore(runs.database).readAfter(testRunId, 0, ALL);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, at) => at + 1));
  const events = log.map(({ json }) => runEventFields.parse(JSON.parse(json)));
  const of = (type: string) => events.filter((event) => event.type === type).length;
  expect({
    started: of('scenario_started'),
    turns: of('transcript_update'),
    graded: of('grading_started'),
    complete: of('scenario_complete'),
  }).toEqual({ started: examined, turns: examined * TURNS, graded: examined, complete: examined });
  expect(events.flatMap((event) => (event.type === 'scenario_complete' ? [event.counts] : []))).toEqual(
    Array.from({ length: examined }, (_, at) => ({ passed: at + 1, failed: 0, error: 0, canceled: 0, total })),
  );
  const said = events.flatMap((event) => (event.type === 'transcript_update' ? [event] : []));
  for (const { turn, patient_message, agent_message } of said) {
    expect({ patient_message, agent_message }).toEqual({
      patient_message: exchange(turn).patientMessage,
      agent_message: exchange(turn).agentMessage,
    });
  }
}

describe('an upgrade', () => {
  let testDatabase: TestDatabase;
  let pool: Pool;
  let runs: StoredRuns | null = null;
  beforeEach(async () => {
    testDatabase = await createEmptyDatabase();
    pool = new Pool({ connectionString: testDatabase.url, max: 6 });
  });
  afterEach(async () => {
    await pool.end();
    await runs?.close();
    await testDatabase.drop();
  });

  test('takes nothing from processes of the release before that write meanwhile, and both go on beside each other', async () => {
    await migrateAsBefore(testDatabase.url);
    const before = new Connections(pool);
    const [EARLIER, LATER, WRITERS] = [8, 4, 2];
    const rows = [await createRunAsBefore(before, EARLIER + LATER), await createRunAsBefore(before, EARLIER + LATER)];
    let firstTurn: () => void = () => undefined;
    const writing = new Promise<void>((resolve) => (firstTurn = resolve));
    const migrated = writing.then(() => migrate({ url: testDatabase.url, log: silentLog }));
    // Each writer has a conversation under way when the tables change, and goes on with it afterwards.
    const write = async (mine: readonly Row[]): Promise<void> => {
      for (const row of mine) {
        await examineAsBefore(before, row, async (turn) => {
          if (turn === 2) firstTurn();
          if (turn === 3 && row === mine.at(-1)) await migrated;
        });
      }
    };
    const shares = rows.flatMap((run) =>
      Array.from({ length: WRITERS }, (_, writer) =>
        run.slice(0, EARLIER).filter((_row, at) => at % WRITERS === writer),
      ),
    );
    await Promise.all([migrated, ...shares.map(write)]);

    runs = await openStoredRuns(testDatabase);
    for (const run of rows) await expectWholeLog(runs, run[0]?.testRunId ?? '', EARLIER, EARLIER + LATER);
    const [here, others] = [runs, rows.map((run) => run.slice(EARLIER))];
    await Promise.all(
      others.flatMap((run) =>
        run.map((row, at) => (at % 2 === 0 ? examine(here, row) : examineAsBefore(before, row, async () => undefined))),
      ),
    );
    for (const run of rows) await expectWholeLog(runs, run[0]?.testRunId ?? '', EARLIER + LATER, EARLIER + LATER);
  });
});
