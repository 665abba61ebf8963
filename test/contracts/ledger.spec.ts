import { randomUUID } from 'node:crypto';
import type { AttemptRef } from '../../src/persistence/scenario-run.changes';
import { exchange, openStoredRuns, PASSED, type StoredRuns } from '../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

async function claimedRun(scenarios = 1) {
  const owner = randomUUID();
  const run = await runs.createRun({ scenarios });
  const refs: AttemptRef[] = [];
  for (const scenarioRunId of run.unsettled) {
    await runs.claim(scenarioRunId, run.testRunId, owner);
    refs.push({ scenarioRunId, testRunId: run.testRunId, owner, attempt: 1 });
  }
  const [ref] = refs;
  if (ref === undefined) throw new Error('A run has at least one scenario run.');
  return { run, ref, refs, owner };
}

const turn = (ref: AttemptRef, number: number) =>
  runs.scenarioRuns.record({ ...ref, kind: 'turn', exchange: exchange(number), continuation: null, metadata: {} });
const verdict = (ref: AttemptRef) =>
  runs.scenarioRuns.record({ ...ref, kind: 'verdict', verdict: PASSED, metadata: {} });
const failure = (ref: AttemptRef) =>
  runs.scenarioRuns.record({
    ...ref,
    kind: 'failure',
    failure: { code: 'provider_error', message: 'No.' },
    metadata: {},
  });
const gradingStart = (ref: AttemptRef) => runs.scenarioRuns.record({ ...ref, kind: 'gradingStart' });

async function storedEvents(testRunId: string) {
  const rows = await runs.database.query<{ seq: string; type: string }>(
    'SELECT seq, type FROM run_events WHERE test_run_id = $1 ORDER BY seq',
    [testRunId],
  );
  return rows.map(({ seq, type }) => `${seq} ${type}`);
}

describe('a change and the event that tells of it', () => {
  test('are stored together, numbered from 1 without gaps, and told after the commit', async () => {
    const { run, ref } = await claimedRun();
    await expect(turn(ref, 1)).resolves.toBe('committed');
    await gradingStart(ref);
    await verdict(ref);

    const expected = [
      '1 test_run_started',
      '2 scenario_started',
      '3 transcript_update',
      '4 grading_started',
      '5 grading_complete',
      '6 scenario_complete',
    ];
    expect(await storedEvents(run.testRunId)).toEqual(expected);
    const told = runs.told.filter((event) => event.run_id === run.testRunId);
    expect(told.map(({ seq, type }) => `${seq} ${type}`)).toEqual(expected);
    expect(told.at(-1)).toMatchObject({ counts: { passed: 1, failed: 0, error: 0, canceled: 0, total: 1 } });
  });

  test('counts in events are those right after each change, also when many share a transaction', async () => {
    const { run, refs } = await claimedRun(20);
    await Promise.all(refs.map(gradingStart));
    await Promise.all(refs.map((ref, at) => (at % 2 === 0 ? verdict(ref) : failure(ref))));
    const settled = runs.told
      .filter((event) => event.run_id === run.testRunId)
      .flatMap((event) => ('counts' in event ? [event.counts] : []));
    expect(settled).toHaveLength(20);
    expect(settled.map(({ passed, error }) => passed + error)).toEqual(settled.map((_, at) => at + 1));
    expect(settled.at(-1)).toEqual({ passed: 10, failed: 0, error: 10, canceled: 0, total: 20 });
  });

  test('numbers stay without gaps when many actors write to one run', async () => {
    const { run, refs } = await claimedRun(30);
    await Promise.all(
      refs.map(async (ref) => {
        for (let number = 1; number <= 5; number += 1) await turn(ref, number);
        await gradingStart(ref);
        await verdict(ref);
      }),
    );
    const events = await storedEvents(run.testRunId);
    expect(events.map((event) => Number(event.split(' ')[0]))).toEqual(events.map((_, at) => at + 1));
    expect(events).toHaveLength(1 + 30 * (1 + 5 + 1 + 2));
  });
});

describe('two processes that write to one run at the same time', () => {
  test('number its events without gaps, and count right', async () => {
    const other = await openStoredRuns(runs.testDatabase);
    const { run, refs } = await claimedRun(24);
    const settle = async (process: StoredRuns, ref: AttemptRef) => {
      for (let number = 1; number <= 5; number += 1) {
        await process.scenarioRuns.record({
          ...ref,
          kind: 'turn',
          exchange: exchange(number),
          continuation: null,
          metadata: {},
        });
      }
      await process.scenarioRuns.record({ ...ref, kind: 'gradingStart' });
      return process.scenarioRuns.record({ ...ref, kind: 'verdict', verdict: PASSED, metadata: {} });
    };
    const outcomes = await Promise.all(refs.map((ref, at) => settle(at % 2 === 0 ? runs : other, ref)));
    expect(new Set(outcomes)).toEqual(new Set(['committed']));

    const events = await storedEvents(run.testRunId);
    expect(events.map((event) => Number(event.split(' ')[0]))).toEqual(events.map((_, at) => at + 1));
    const counts = [...runs.told, ...other.told]
      .filter((event) => event.run_id === run.testRunId)
      .sort((one, next) => one.seq - next.seq)
      .flatMap((event) => ('counts' in event ? [event.counts.passed] : []));
    expect(counts).toEqual(counts.map((_, at) => at + 1));
    await other.close();
  });
});

describe('one writer', () => {
  test('a stale attempt is refused whatever it writes, and nothing of it is stored', async () => {
    const { run, ref } = await claimedRun();
    await turn(ref, 1);
    await runs.ownership.releaseAll();
    const newOwner = randomUUID();
    expect(await runs.claim(ref.scenarioRunId, run.testRunId, newOwner)).toEqual({ kind: 'claimed', attempt: 2 });
    const before = await storedEvents(run.testRunId);

    expect(await turn(ref, 2)).toBe('superseded');
    expect(await gradingStart(ref)).toBe('superseded');
    expect(await verdict(ref)).toBe('superseded');
    expect(await failure(ref)).toBe('superseded');
    expect(await storedEvents(run.testRunId)).toEqual(before);
    expect(await turn({ ...ref, owner: newOwner, attempt: 2 }, 2)).toBe('committed');
  });

  test('an owner that never claimed the attempt is refused', async () => {
    const { ref } = await claimedRun();
    expect(await turn({ ...ref, owner: randomUUID() }, 1)).toBe('superseded');
  });

  test('a turn out of order is refused', async () => {
    const { ref } = await claimedRun();
    expect(await turn(ref, 2)).toBe('superseded');
    expect(await turn(ref, 1)).toBe('committed');
  });
});

describe('a terminal status is written once', () => {
  test('a second verdict changes nothing', async () => {
    const { run, ref } = await claimedRun();
    await gradingStart(ref);
    await verdict(ref);
    expect(await failure(ref)).toBe('superseded');
    const detail = await runs.scenarioRunReads.find(ref.scenarioRunId);
    expect(detail).toMatchObject({ status: 'passed', error_code: null });
    expect((await runs.reads.find(run.testRunId))?.counts).toMatchObject({ passed: 1, error: 0 });
  });

  test('nothing is written to a canceled scenario run', async () => {
    const { run, ref } = await claimedRun();
    await turn(ref, 1);
    expect(await runs.testRuns.cancel(run.testRunId)).toMatchObject({ kind: 'canceled', canceledScenarios: 1 });
    expect(await turn(ref, 2)).toBe('canceled');
    expect(await failure(ref)).toBe('canceled');
    expect(await runs.testRuns.cancel(run.testRunId)).toEqual({ kind: 'alreadyFinal', status: 'canceled' });
    expect((await storedEvents(run.testRunId)).slice(-2)).toEqual(['4 scenario_canceled', '5 test_run_canceled']);
  });

  test('what is left of a deleted run is refused', async () => {
    const { run, ref } = await claimedRun();
    await runs.testRuns.delete(run.testRunId);
    expect(await turn(ref, 1)).toBe('canceled');
    expect(await storedEvents(run.testRunId)).toEqual([]);
  });
});

describe('a change whose answer was lost', () => {
  test('is committed once and answered the same when it is repeated', async () => {
    const { run, ref } = await claimedRun();
    expect(await turn(ref, 1)).toBe('committed');
    expect(await turn(ref, 1)).toBe('committed');
    await gradingStart(ref);
    expect(await gradingStart(ref)).toBe('committed');
    await verdict(ref);
    expect(await verdict(ref)).toBe('committed');
    expect(await storedEvents(run.testRunId)).toHaveLength(6);
  });
});

describe('hostile text', () => {
  test('NUL and lone surrogates do not stop a commit, nor those that share its transaction', async () => {
    const { refs } = await claimedRun(3);
    const hostile = 'a\u0000b \ud800 \\u0000 end';
    const outcomes = await Promise.all(
      refs.map((ref) =>
        runs.scenarioRuns.record({
          ...ref,
          kind: 'turn',
          exchange: exchange(1, hostile),
          continuation: { hostile },
          metadata: { agent: { usage: { 'a\u0000b': 1, '\ud800': { '\u0000': [hostile] } } } },
        }),
      ),
    );
    expect(outcomes).toEqual(['committed', 'committed', 'committed']);
    const [ref] = refs;
    const turns = await runs.scenarioRunReads.turnsOf([ref?.scenarioRunId ?? '']);
    expect([...turns.values()][0]?.[0]?.agentMessage).toBe('a\uFFFDb \uFFFD \\u0000 end');
  });
});

describe('finishing', () => {
  test('names what is unsettled, then ends once', async () => {
    const owner = randomUUID();
    const run = await runs.createRun({ scenarios: 2, owner });
    const supervision = { testRunId: run.testRunId, owner, attempt: run.attempt };
    expect(await runs.testRuns.finish(supervision)).toEqual({ kind: 'unsettled', scenarioRunIds: run.unsettled });
    for (const scenarioRunId of run.unsettled) {
      await runs.claim(scenarioRunId, run.testRunId, owner);
      await failure({ scenarioRunId, testRunId: run.testRunId, owner, attempt: 1 });
    }
    expect(await runs.testRuns.finish({ ...supervision, attempt: 99 })).toEqual({ kind: 'superseded' });
    expect(await runs.testRuns.finish(supervision)).toEqual({ kind: 'finished', status: 'failed' });
    expect(await runs.reads.find(run.testRunId)).toMatchObject({ status: 'failed', errorMessage: 'No.', passRate: 0 });
    expect(await runs.testRuns.finish(supervision)).toEqual({ kind: 'superseded' });
  });
});
