import { randomUUID } from 'node:crypto';
import { EventLogStore, PAGE_OF_LOG } from '../../../src/features/stream/event-log.store';
import type { AttemptRef } from '../../../src/engine/ledger/scenario-run.changes';
import { mostRowsRead, type QueryPlan } from '../../setup/query-plan';
import { exchange, openStoredRuns, PASSED, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let log: EventLogStore;
beforeAll(async () => {
  runs = await openStoredRuns();
  log = new EventLogStore(runs.database);
});
afterAll(() => runs.close());

const ALL = { events: 1_000, bytes: 100_000_000 };

async function claimedRun(provider = 'openai') {
  const owner = randomUUID();
  const { testRunId, unsettled } = await runs.createRun({ provider });
  const [scenarioRunId = ''] = unsettled;
  await runs.claim(scenarioRunId, testRunId, owner);
  const ref: AttemptRef = { scenarioRunId, testRunId, owner, attempt: 1 };
  return ref;
}

const turn = (ref: AttemptRef, number: number, agentMessage?: string, latencyMs = 12.5) =>
  runs.scenarioRuns.record({
    ...ref,
    kind: 'turn',
    exchange: { ...exchange(number, agentMessage), latencyMs },
    continuation: null,
    metadata: {},
  });
const toldOf = ({ testRunId }: AttemptRef) => runs.told.filter(({ run_id }) => run_id === testRunId);
const readOf = async ({ testRunId }: AttemptRef) => (await log.readAfter(testRunId, 0, ALL)).map(({ json }) => json);

const HOSTILE = 'line\r\nnext\u2028 "quoted" \\u0000 \\ \u0000 \ud800 \u0007 \u007f é 🚑 {"type":"x"}';

describe('what was said', () => {
  test('is stored once: the event of a turn refers to it', async () => {
    const ref = await claimedRun();
    await turn(ref, 1, 'Call an ambulance now.');
    const [row] = await runs.database.query(
      `SELECT fields::text AS fields, scenario_run_id, conversation, turn FROM run_log
       WHERE test_run_id = $1 AND type = 'transcript_update'`,
      [ref.testRunId],
    );
    expect(row).toEqual({
      fields: JSON.stringify({ type: 'transcript_update', scenario_run_id: ref.scenarioRunId, turn: 1 }),
      scenario_run_id: ref.scenarioRunId,
      conversation: 1,
      turn: 1,
    });
  });

  test('is read back byte for byte as it was told live, with every other event of its run', async () => {
    const ref = await claimedRun();
    const latencies = [12.5, 0, 0.1 + 0.2, 1e-7, 123_456_789_012_345_680];
    for (const [at, latency] of latencies.entries()) await turn(ref, at + 1, `${HOSTILE} ${at}`, latency);
    await runs.scenarioRuns.record({
      ...ref,
      kind: 'turn',
      exchange: exchange(6, HOSTILE),
      continuation: null,
      metadata: {},
      startsGrading: true,
    });
    await runs.scenarioRuns.record({ ...ref, kind: 'verdict', verdict: PASSED, metadata: {} });
    await runs.testRuns.finish({ testRunId: ref.testRunId, owner: ref.owner, attempt: 1 });
    const failed = await claimedRun();
    const failure = { code: 'provider_error', message: HOSTILE } as const;
    await runs.scenarioRuns.record({ ...failed, kind: 'failure', failure, metadata: {} });
    const canceled = await claimedRun();
    await runs.testRuns.cancel(canceled.testRunId);
    for (const one of [ref, failed, canceled]) {
      const read = await readOf(one);
      expect(read).toEqual(toldOf(one).map((event) => JSON.stringify(event)));
      expect(read.join('')).not.toMatch(/[\r\n]/);
    }
  });

  test('in a conversation that was given up is read from its own turns', async () => {
    const ref = await claimedRun('livekit');
    await turn(ref, 1, 'of the first conversation');
    await runs.ownership.releaseAll();
    const owner = randomUUID();
    await runs.claim(ref.scenarioRunId, ref.testRunId, owner);
    await turn({ ...ref, owner, attempt: 2 }, 1, 'of the second conversation');
    const said = (await readOf(ref)).flatMap((json) => /of the \w+ conversation/.exec(json) ?? []);
    expect(said).toEqual(['of the first conversation', 'of the second conversation']);
  });

  test('counts into the bytes of a page, which ends with the event that reaches them', async () => {
    const ref = await claimedRun();
    for (let number = 1; number <= 4; number += 1) await turn(ref, number, 'x'.repeat(1_000));
    const read = (afterSeq: number, bytes: number) => log.readAfter(ref.testRunId, afterSeq, { events: 10, bytes });
    // Two events come before the first turn.
    expect((await read(2, 2_000)).map(({ seq }) => seq)).toEqual([3, 4]);
    expect((await read(2, 1)).map(({ seq }) => seq)).toEqual([3]);
    expect((await read(4, 100_000)).map(({ seq }) => seq)).toEqual([5, 6]);
  });
});

describe('a page of a long log', () => {
  const EVENTS = 10_000;

  async function longLog() {
    const ref = await claimedRun();
    await turn(ref, 1);
    await runs.database.query(
      `INSERT INTO turns (scenario_run_id, conversation, turn, patient_message, patient_at, agent_message, agent_at, latency_ms, metadata)
       SELECT scenario_run_id, conversation, n, patient_message, patient_at, agent_message, agent_at, latency_ms, metadata
       FROM turns, generate_series(2, $2::int) n WHERE scenario_run_id = $1 AND turn = 1`,
      [ref.scenarioRunId, EVENTS],
    );
    await runs.database.query(
      `INSERT INTO run_log (test_run_id, seq, type, at, fields, scenario_run_id, conversation, turn)
       SELECT test_run_id, seq + n - 1, type, at, fields, scenario_run_id, conversation, n
       FROM run_log, generate_series(2, $2::int) n WHERE test_run_id = $1 AND type = 'transcript_update'`,
      [ref.testRunId, EVENTS],
    );
    return ref;
  }

  async function mostReadOf({ testRunId }: AttemptRef): Promise<number> {
    const values = [testRunId, 5_000, 50, 1_000_000];
    const [plan] = await runs.database.query<QueryPlan>(`EXPLAIN (ANALYZE, FORMAT JSON) ${PAGE_OF_LOG}`, values);
    return mostRowsRead(plan);
  }

  test('reads its own events and turns alone, whatever the planner knows of the tables', async () => {
    const earlier = await longLog();
    expect(await mostReadOf(earlier)).toBeLessThanOrEqual(50);
    await runs.database.query('ANALYZE turns, run_log', []);
    expect(await mostReadOf(earlier)).toBeLessThanOrEqual(50);
    // Of a run that began after the last look at the tables, the planner expects a row or none.
    expect(await mostReadOf(await longLog())).toBeLessThanOrEqual(50);
  });
});
