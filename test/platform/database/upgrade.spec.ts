import { randomUUID } from 'node:crypto';
import { runEventFields } from '../../../src/domain/run-events';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { Database } from '../../../src/platform/database/database';
import { EventLogStore } from '../../../src/features/stream/event-log.store';
import { CommittedEvents } from '../../../src/engine/ledger/run-log';
import { RECORD } from '../../../src/engine/ledger/functions';
import type { AttemptRef } from '../../../src/engine/ledger/scenario-run.changes';
import { ScenarioRunLedger } from '../../../src/engine/ledger/scenario-run.ledger';
import { migrate } from '../../../src/platform/database/migrate';
import { createTestDatabase, type TestDatabase } from '../../setup/database';
import { NEXT_RECORD, NEXT_VERSION } from '../../setup/next-version';
import { exchange, openStoredRuns, PASSED, type StoredRuns } from '../../setup/stored-run';

const TURNS = 5;
const ALL = { events: 10_000, bytes: 100_000_000 };

type Row = Omit<AttemptRef, 'attempt' | 'owner'>;
type Ledger = Pick<ScenarioRunLedger, 'record'>;

/** The one process that claims. */
const owner = randomUUID();

/** A scenario run from its claim to its verdict. */
async function examine(
  { runs, ledger }: { readonly runs: StoredRuns; readonly ledger: Ledger },
  row: Row,
  atTurn: (turn: number) => Promise<unknown> = async () => undefined,
): Promise<void> {
  expect(await runs.claim(row.scenarioRunId, row.testRunId, owner)).toMatchObject({ kind: 'claimed', attempt: 1 });
  const ref: AttemptRef = { ...row, owner, attempt: 1 };
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await atTurn(turn);
    const startsGrading = turn === TURNS;
    const change = { kind: 'turn', exchange: exchange(turn), continuation: null, metadata: {}, startsGrading } as const;
    expect(await ledger.record({ ...ref, ...change })).toBe('committed');
  }
  const verdict = { kind: 'verdict', verdict: PASSED, metadata: {} } as const;
  expect(await ledger.record({ ...ref, ...verdict })).toBe('committed');
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

/** The database as the next version's ledger uses it: its own function records. */
async function openNext(url: string): Promise<Database> {
  const database = await Database.open(settingsFrom({ DATABASE_URL: url }), silentLog);
  const { engine } = database;
  const query: typeof engine.query = engine.query.bind(engine);
  engine.query = (sql, params) => query(sql.replace(`${RECORD.name}(`, `${NEXT_RECORD}(`), params);
  return database;
}

describe('an upgrade to a made-up next version', () => {
  let testDatabase: TestDatabase;
  let runs: StoredRuns;
  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    runs = await openStoredRuns(testDatabase);
  });
  afterEach(async () => {
    await runs.close();
    await testDatabase.drop();
  });

  test('takes nothing from processes of this version that write meanwhile, and both go on beside each other', async () => {
    const [EARLIER, LATER, WRITERS] = [8, 4, 2];
    const started = [0, 1].map(() => runs.createRun({ scenarios: EARLIER + LATER }));
    const rows = (await Promise.all(started)).map(({ testRunId, unsettled }) =>
      unsettled.map((scenarioRunId): Row => ({ testRunId, scenarioRunId })),
    );
    const now = { runs, ledger: runs.scenarioRuns };
    let firstTurn: () => void = () => undefined;
    const writing = new Promise<void>((resolve) => (firstTurn = resolve));
    const migrated = writing.then(() => migrate({ url: testDatabase.url, log: silentLog, migrations: NEXT_VERSION }));
    // Each writer has a conversation under way when the tables change, and goes on with it afterwards.
    const write = async (mine: readonly Row[]): Promise<void> => {
      for (const row of mine) {
        await examine(now, row, async (turn) => {
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
    for (const run of rows) await expectWholeLog(runs, run[0]?.testRunId ?? '', EARLIER, EARLIER + LATER);

    const database = await openNext(testDatabase.url);
    const next = { runs, ledger: new ScenarioRunLedger(database, new CommittedEvents()) };
    try {
      await Promise.all(
        rows.flatMap((run) => run.slice(EARLIER).map((row, at) => examine(at % 2 === 0 ? next : now, row))),
      );
    } finally {
      await database.close();
    }
    for (const run of rows) await expectWholeLog(runs, run[0]?.testRunId ?? '', EARLIER + LATER, EARLIER + LATER);
    const [noted] = await runs.database.query<{ all: boolean }>(
      'SELECT bool_and(noted_changes > 0) AS all FROM test_runs',
    );
    expect(noted).toEqual({ all: true });
  });
});
