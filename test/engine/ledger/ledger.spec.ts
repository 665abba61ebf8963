import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { LONGEST_SENTENCE } from '../../../src/domain/sentence';
import { untilAvailable } from '../../../src/engine/actors/persistent-retry';
import type { AttemptRef } from '../../../src/engine/ledger/scenario-run.changes';
import { retryablePostgresError } from '../../../src/platform/database/postgres-errors';
import { eventually } from '../../setup/eventually';
import { LOCK_WAITS, untilWaiting } from '../../setup/lock-waits';
import { exchange, openStoredRuns, PASSED, type StoredRuns } from '../../setup/stored-run';

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
const lastTurn = (ref: AttemptRef, number: number) =>
  runs.scenarioRuns.record({
    ...ref,
    kind: 'turn',
    exchange: exchange(number),
    continuation: null,
    metadata: {},
    startsGrading: true,
  });
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
const release = (ref: AttemptRef, sentTurns: number) =>
  runs.scenarioRuns.record({ ...ref, kind: 'release', sentTurns });

async function storedEvents(testRunId: string) {
  const rows = await runs.database.query<{ seq: string; type: string }>(
    'SELECT seq, type FROM run_log WHERE test_run_id = $1 ORDER BY seq',
    [testRunId],
  );
  return rows.map(({ seq, type }) => `${seq} ${type}`);
}

describe('a change and the event that tells of it', () => {
  test('are stored together, numbered from 1 without gaps, and told in their order', async () => {
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

  test('hold no more of a failure than a sentence, in the row and in what is told', async () => {
    const { ref } = await claimedRun();
    const message = 'The agent said no. '.repeat(10_000);
    await runs.scenarioRuns.record({ ...ref, kind: 'failure', failure: { code: 'internal', message }, metadata: {} });
    const [row] = await runs.database.query<{ error_message: string }>(
      'SELECT error_message FROM scenario_runs WHERE id = $1',
      [ref.scenarioRunId],
    );
    const told = runs.told.find(({ run_id, type }) => run_id === ref.testRunId && type === 'scenario_error');
    expect(row?.error_message).toHaveLength(LONGEST_SENTENCE);
    expect(told).toMatchObject({ error: row?.error_message });
  });

  test('are told after the commit: when that fails nothing is told, and nothing is stored', async () => {
    const { run, ref } = await claimedRun(2);
    const unclaimed = await runs.createRun();
    const stored = await storedEvents(run.testRunId);
    const told = [...runs.told];
    await runs.database.query(`
      CREATE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'refused at the commit'; END $$;
      CREATE CONSTRAINT TRIGGER refuse_events AFTER INSERT ON run_log DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION refuse_event();`);
    try {
      const refused = 'refused at the commit';
      await expect(turn(ref, 1)).rejects.toThrow(refused);
      await expect(runs.createRun()).rejects.toThrow(refused);
      await expect(runs.testRuns.cancel(run.testRunId)).rejects.toThrow(refused);
      const [waiting = ''] = unclaimed.unsettled;
      await expect(runs.claim(waiting, unclaimed.testRunId, randomUUID())).rejects.toThrow(refused);
    } finally {
      await runs.database.query('DROP TRIGGER refuse_events ON run_log; DROP FUNCTION refuse_event();');
    }
    expect(runs.told).toEqual(told);
    expect(await storedEvents(run.testRunId)).toEqual(stored);
    await expect(turn(ref, 1)).resolves.toBe('committed');
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
    const told = runs.told.filter(({ run_id }) => run_id === run.testRunId);
    expect(told.map(({ seq, type }) => `${seq} ${type}`)).toEqual(events);
  });

  test('share a transaction when they are small; large ones do not, so that no statement grows without bound', async () => {
    const { refs } = await claimedRun(6);
    const transactions = async (agentMessage: string, number: number) => {
      const metadata = {};
      const outcomes = refs.map((ref) => {
        const said = exchange(number, agentMessage);
        return runs.scenarioRuns.record({ ...ref, kind: 'turn', exchange: said, continuation: null, metadata });
      });
      expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['committed']));
      const rows = await runs.database.query<{ by: string }>(
        'SELECT DISTINCT xmin::text AS by FROM scenario_runs WHERE id = ANY($1::uuid[])',
        [refs.map(({ scenarioRunId }) => scenarioRunId)],
      );
      return rows.length;
    };
    expect(await transactions('Sit down.', 1)).toBeLessThan(refs.length);
    expect(await transactions('x'.repeat(600_000), 2)).toBe(refs.length);
  });
});

describe('a write that finds nothing to do', () => {
  test('tells nobody anything, whether the run goes on, has ended or never was', async () => {
    const owner = randomUUID();
    const { testRunId, unsettled } = await runs.createRun({ owner });
    const [scenarioRunId = ''] = unsettled;
    const unknown = randomUUID();
    const supervision = { testRunId, owner, attempt: 1 };
    const superseded = { ...supervision, attempt: 9 };
    const { testRuns } = runs;
    const begun = [...runs.told];
    expect(await testRuns.start(supervision)).toEqual({ kind: 'started' });
    expect(await testRuns.start(superseded)).toEqual({ kind: 'superseded' });
    expect(await testRuns.finish(superseded)).toEqual({ kind: 'superseded' });
    expect(await testRuns.finish(supervision)).toEqual({ kind: 'unsettled', scenarioRunIds: unsettled });
    expect(await testRuns.cancel(unknown)).toEqual({ kind: 'unknown' });
    expect(await testRuns.cancelAll([unknown])).toEqual(new Map([[unknown, { kind: 'unknown' }]]));
    expect(await testRuns.abandon(unknown, 'Unknown.')).toEqual([]);
    expect(await turn({ scenarioRunId, ...supervision }, 1)).toBe('superseded');
    expect(runs.told).toEqual(begun);

    await testRuns.cancel(testRunId);
    const ended = [...runs.told];
    expect(await testRuns.start(supervision)).toEqual({ kind: 'canceled' });
    expect(await testRuns.finish(supervision)).toEqual({ kind: 'finished', status: 'canceled' });
    expect(await testRuns.cancel(testRunId)).toEqual({ kind: 'alreadyFinal', status: 'canceled' });
    expect(await testRuns.abandon(testRunId, 'Too late.')).toEqual([]);
    expect(await turn({ scenarioRunId, ...supervision }, 1)).toBe('canceled');
    expect(await runs.claim(scenarioRunId, testRunId, owner)).toEqual({ kind: 'settled' });
    expect(runs.told).toEqual(ended);
  });
});

describe('the last turn of a conversation', () => {
  test('starts the grading with it: one change, two events', async () => {
    const { run, ref } = await claimedRun();
    await turn(ref, 1);
    await expect(lastTurn(ref, 2)).resolves.toBe('committed');
    expect(await runs.scenarioRunReads.find(ref.scenarioRunId)).toMatchObject({ status: 'grading', turns: 2 });
    expect((await storedEvents(run.testRunId)).slice(-2)).toEqual(['4 transcript_update', '5 grading_started']);
    const told = runs.told.filter((event) => event.run_id === run.testRunId).slice(-2);
    expect(told).toMatchObject([
      { seq: 4, type: 'transcript_update', turn: 2, agent_message: 'Reply 2' },
      { seq: 5, type: 'grading_started', scenario_run_id: ref.scenarioRunId },
    ]);
    expect(await verdict(ref)).toBe('committed');
  });

  test('is committed once and answered the same when the answer was lost', async () => {
    const { run, ref } = await claimedRun();
    expect(await lastTurn(ref, 1)).toBe('committed');
    expect(await lastTurn(ref, 1)).toBe('committed');
    expect(await gradingStart(ref)).toBe('committed');
    expect(await storedEvents(run.testRunId)).toHaveLength(4);
  });

  test('is refused where the turn was stored without the start of grading', async () => {
    const { ref } = await claimedRun();
    await turn(ref, 1);
    expect(await lastTurn(ref, 1)).toBe('superseded');
    expect(await runs.scenarioRunReads.find(ref.scenarioRunId)).toMatchObject({ status: 'running', turns: 1 });
  });
});

describe('a change that is not committed after all', () => {
  test.each<[string, (run: { testRunId: string; owner: string }) => Promise<unknown>]>([
    ['a cancellation', ({ testRunId }) => runs.testRuns.cancel(testRunId)],
    ['a finish', ({ testRunId, owner }) => runs.testRuns.finish({ testRunId, owner, attempt: 1 })],
  ])('is told to nobody: %s', async (_what, write) => {
    const owner = randomUUID();
    const run = await runs.createRun({ owner });
    const [scenarioRunId = ''] = run.unsettled;
    await runs.claim(scenarioRunId, run.testRunId, owner);
    await failure({ scenarioRunId, testRunId: run.testRunId, owner, attempt: 1 });
    const before = runs.told.length;
    // Refuses at the very end: with the commit.
    await runs.database.query(`
      CREATE FUNCTION refuse_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
      CREATE CONSTRAINT TRIGGER refuse_commit AFTER UPDATE ON test_runs DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION refuse_commit();`);
    await expect(write({ testRunId: run.testRunId, owner })).rejects.toThrow('refused');
    await runs.database.query('DROP TRIGGER refuse_commit ON test_runs; DROP FUNCTION refuse_commit');
    expect(runs.told.slice(before)).toEqual([]);
    expect(await storedEvents(run.testRunId)).toHaveLength(3);
    await write({ testRunId: run.testRunId, owner });
    expect(runs.told.slice(before)).toHaveLength(1);
  });

  test('is told to nobody either when it is a turn, a verdict or a claim', async () => {
    const { run, ref } = await claimedRun();
    const unclaimed = await runs.createRun();
    const before = runs.told.length;
    await runs.database.query(`
      CREATE FUNCTION refuse_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
      CREATE CONSTRAINT TRIGGER refuse_commit AFTER INSERT ON run_log DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION refuse_commit();`);
    await expect(turn(ref, 1)).rejects.toThrow('refused');
    await expect(failure(ref)).rejects.toThrow('refused');
    await expect(runs.claim(unclaimed.unsettled[0] ?? '', unclaimed.testRunId, randomUUID())).rejects.toThrow(
      'refused',
    );
    await runs.database.query('DROP TRIGGER refuse_commit ON run_log; DROP FUNCTION refuse_commit');
    expect(runs.told.slice(before)).toEqual([]);
    expect(await storedEvents(run.testRunId)).toHaveLength(2);
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
    expect(await runs.claim(ref.scenarioRunId, run.testRunId, newOwner)).toMatchObject({ kind: 'claimed', attempt: 2 });
    const before = await storedEvents(run.testRunId);

    expect(await turn(ref, 2)).toBe('superseded');
    expect(await gradingStart(ref)).toBe('superseded');
    expect(await verdict(ref)).toBe('superseded');
    expect(await failure(ref)).toBe('superseded');
    expect(await storedEvents(run.testRunId)).toEqual(before);
    expect(await turn({ ...ref, owner: newOwner, attempt: 2 }, 2)).toBe('committed');
  });

  test('so is one whose row the same process has claimed again', async () => {
    const { run, ref, owner } = await claimedRun();
    await turn(ref, 1);
    expect(await runs.claim(ref.scenarioRunId, run.testRunId, owner)).toMatchObject({ kind: 'claimed', attempt: 2 });
    const before = await storedEvents(run.testRunId);
    expect(await turn(ref, 2)).toBe('superseded');
    expect(await gradingStart(ref)).toBe('superseded');
    expect(await failure(ref)).toBe('superseded');
    expect(await release(ref, 1)).toBe('superseded');
    expect(await storedEvents(run.testRunId)).toEqual(before);
    expect(await turn({ ...ref, attempt: 2 }, 2)).toBe('committed');
  });

  test('a stale attempt is refused also where a later one has written the same: what is stored is not its own', async () => {
    const { run, ref } = await claimedRun();
    await runs.ownership.releaseAll();
    const later = { ...ref, owner: randomUUID(), attempt: 2 };
    await runs.claim(ref.scenarioRunId, run.testRunId, later.owner);
    for (const write of [(one: AttemptRef) => turn(one, 1), gradingStart, verdict]) {
      expect(await write(later)).toBe('committed');
      expect(await write(ref)).toBe('superseded');
      expect(await write(later)).toBe('committed');
    }
    expect(await release(ref, 1)).toBe('superseded');
  });

  test('an owner that never claimed the attempt is refused', async () => {
    const { ref } = await claimedRun();
    expect(await turn({ ...ref, owner: randomUUID() }, 1)).toBe('superseded');
  });

  test('a verdict is refused before the grading has started, and a turn after it', async () => {
    const { run, ref } = await claimedRun();
    await turn(ref, 1);
    expect(await verdict(ref)).toBe('superseded');
    expect(await gradingStart(ref)).toBe('committed');
    expect(await turn(ref, 2)).toBe('superseded');
    expect(await runs.scenarioRunReads.find(ref.scenarioRunId)).toMatchObject({ status: 'grading', turns: 1 });
    expect(await storedEvents(run.testRunId)).toHaveLength(4);
  });

  test('nothing is written for a scenario run that nobody has claimed', async () => {
    const run = await runs.createRun();
    const [scenarioRunId = ''] = run.unsettled;
    const ref = { scenarioRunId, testRunId: run.testRunId, owner: randomUUID(), attempt: 0 };
    for (const write of [(one: AttemptRef) => turn(one, 1), gradingStart, verdict, failure]) {
      expect(await write(ref)).toBe('superseded');
    }
    expect(await storedEvents(run.testRunId)).toHaveLength(1);
  });

  test('a turn out of order is refused', async () => {
    const { ref } = await claimedRun();
    expect(await turn(ref, 2)).toBe('superseded');
    expect(await turn(ref, 1)).toBe('committed');
  });
});

describe('what a change leaves in its row', () => {
  test('is a renewed lease after a turn', async () => {
    const { ref } = await claimedRun();
    await runs.database.query(`UPDATE scenario_runs SET heartbeat_at = now() - interval '1 hour' WHERE id = $1`, [
      ref.scenarioRunId,
    ]);
    await turn(ref, 1);
    expect((await runs.ownership.findStanding([ref.scenarioRunId]))[0]?.isUnowned).toBe(false);
  });

  test.each([
    ['a verdict', verdict],
    ['a failure', failure],
  ])('is its end after %s, and no owner', async (_what, end) => {
    const { ref } = await claimedRun();
    await gradingStart(ref);
    expect(await runs.scenarioRunReads.find(ref.scenarioRunId)).toMatchObject({ completed_at: null });
    await end(ref);
    expect(await runs.scenarioRunReads.find(ref.scenarioRunId)).toMatchObject({ completed_at: expect.any(String) });
    expect((await runs.ownership.findStanding([ref.scenarioRunId]))[0]?.isUnowned).toBe(true);
  });

  test('is nothing when it names another run than the row’s', async () => {
    const { run, ref } = await claimedRun();
    const other = await runs.createRun();
    expect(await turn({ ...ref, testRunId: other.testRunId }, 1)).toBe('superseded');
    expect(await storedEvents(run.testRunId)).toHaveLength(2);
    expect(await storedEvents(other.testRunId)).toHaveLength(1);
  });
});

describe('two changes of one row that arrive together', () => {
  test('are both applied, in their order: a turn is stored before its row is released', async () => {
    const { run, ref, refs } = await claimedRun(3);
    const outcomes = await Promise.all([
      ...refs.map((each) => turn(each, 1)),
      ...refs.map((each) => runs.scenarioRuns.record({ ...each, kind: 'release', sentTurns: 1 })),
    ]);
    expect(new Set(outcomes)).toEqual(new Set(['committed']));
    const standings = await runs.ownership.findStanding(run.unsettled);
    expect(standings.map(({ isUnowned }) => isUnowned)).toEqual([true, true, true]);
    expect((await runs.scenarioRunReads.find(ref.scenarioRunId))?.turns).toBe(1);
    expect((await storedEvents(run.testRunId)).filter((event) => event.includes('transcript_update'))).toHaveLength(3);
  });
});

describe('the release of a row', () => {
  test('is answered with what became of it', async () => {
    const { run, ref } = await claimedRun();
    expect(await release({ ...ref, owner: randomUUID() }, 0)).toBe('superseded');
    expect(await release(ref, 0)).toBe('committed');
    expect(await release(ref, 0)).toBe('committed');
    const owner = randomUUID();
    await runs.claim(ref.scenarioRunId, run.testRunId, owner);
    expect(await release(ref, 0)).toBe('superseded');
    expect((await runs.ownership.findStanding([ref.scenarioRunId]))[0]?.isUnowned).toBe(false);
  });

  test('is possible while it is graded too: another process goes on with the grading at once', async () => {
    const { run, ref } = await claimedRun();
    await lastTurn(ref, 1);
    expect(await release(ref, 1)).toBe('committed');
    const next = await runs.claim(ref.scenarioRunId, run.testRunId, randomUUID());
    expect(next).toMatchObject({ kind: 'claimed', attempt: 2, record: { status: 'grading', turns: [{ turn: 1 }] } });
  });

  test.each([
    ['nothing was sent', 0, 0, false],
    ['what was sent is recorded', 1, 1, false],
    ['a message was sent and its reply not recorded', 1, 0, true],
  ])('leaves the next attempt in doubt only where it must: %s', async (_what, sentTurns, recorded, isInDoubt) => {
    const { run, ref } = await claimedRun();
    for (let number = 1; number <= recorded; number += 1) await turn(ref, number);
    await release(ref, sentTurns);
    const claim = () => runs.claim(ref.scenarioRunId, run.testRunId, randomUUID());
    expect(await claim()).toMatchObject({ attempt: 2, record: { attempt: 2, isInDoubt } });
    // Of the second attempt nothing is known: it died.
    await runs.ownership.releaseAll();
    expect(await claim()).toMatchObject({ attempt: 3, record: { attempt: 3, isInDoubt: true } });
  });
});

describe('a run whose lock somebody holds', () => {
  const held = async (testRunId: string) => {
    const holder = new Client({ connectionString: runs.testDatabase.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM test_runs WHERE id = $1 FOR UPDATE', [testRunId]);
    return {
      release: async () => {
        await holder.query('COMMIT');
        await holder.end();
      },
    };
  };

  test('holds up neither turns nor claims nor leases of other runs, and goes on afterwards', async () => {
    const slow = await claimedRun(2);
    const other = await claimedRun(2);
    const unclaimed = await runs.createRun({ scenarios: 2 });
    await runs.database.query(
      `UPDATE test_runs SET owner = $2, heartbeat_at = now() - interval '1 hour' WHERE id = ANY($1::uuid[])`,
      [[slow.run.testRunId, other.run.testRunId], other.owner],
    );
    const lock = await held(slow.run.testRunId);
    let isSlowWritten = false;
    const written = Promise.all(slow.refs.map((ref) => turn(ref, 1))).then((outcomes) => {
      isSlowWritten = true;
      return outcomes;
    });
    const [slowRow = ''] = slow.run.unsettled;
    const claimed = runs.claim(slowRow, slow.run.testRunId, randomUUID());
    for (let number = 1; number <= 3; number += 1) {
      expect(await Promise.all(other.refs.map((ref) => turn(ref, number)))).toEqual(['committed', 'committed']);
    }
    for (const id of unclaimed.unsettled) {
      expect(await runs.claim(id, unclaimed.testRunId, other.owner)).toMatchObject({ kind: 'claimed' });
    }
    await runs.ownership.renew(other.owner, [], [slow.run.testRunId, other.run.testRunId]);
    expect(
      await runs.database.query(`SELECT FROM test_runs WHERE id = $1 AND heartbeat_at > now() - interval '1 minute'`, [
        other.run.testRunId,
      ]),
    ).toHaveLength(1);
    expect(isSlowWritten).toBe(false);
    await lock.release();
    expect(await written).toEqual(['committed', 'committed']);
    expect(await claimed).toEqual({ kind: 'settled' });
  });

  test('is renewed all the same when the lock is held for a moment only', async () => {
    const { run, owner } = await claimedRun();
    await runs.database.query(
      `UPDATE test_runs SET owner = $2, heartbeat_at = now() - interval '1 hour' WHERE id = $1`,
      [run.testRunId, owner],
    );
    // What is a moment here may be too long on a machine that is busy.
    await eventually(async () => {
      const lock = await held(run.testRunId);
      const renewed = runs.ownership.renew(owner, [], [run.testRunId]);
      await untilWaiting(runs.database, renewed);
      await lock.release();
      await renewed;
      const fresh = `SELECT FROM test_runs WHERE id = $1 AND heartbeat_at > now() - interval '10 minutes'`;
      expect(await runs.database.query(fresh, [run.testRunId])).toHaveLength(1);
    });
  });

  test('is not passed over in silence when the database fails while it is waited for', async () => {
    const { run, owner } = await claimedRun();
    await runs.database.query('UPDATE test_runs SET owner = $2 WHERE id = $1', [run.testRunId, owner]);
    const lock = await held(run.testRunId);
    // The wait is short: a machine that is busy may make another one necessary.
    await eventually(async () => {
      const renewed = Promise.allSettled([runs.ownership.renew(owner, [], [run.testRunId])]);
      await untilWaiting(runs.database, renewed);
      await runs.database.query(`SELECT pg_cancel_backend(pid) FROM ${LOCK_WAITS}`);
      expect(await renewed).toMatchObject([{ status: 'rejected', reason: { code: '57014' } }]);
    });
    await lock.release();
  });
});

describe('a change that the server has no memory for', () => {
  beforeAll(() =>
    runs.database.query(`
      CREATE FUNCTION exhaust() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'out of memory' USING ERRCODE = '53200'; END $$;
      CREATE TRIGGER exhaust BEFORE INSERT ON turns FOR EACH ROW WHEN (NEW.agent_message = 'too much')
        EXECUTE FUNCTION exhaust();`),
  );

  test('fails alone, and is tried a few times only', async () => {
    const { refs } = await claimedRun(3);
    const [large, ...others] = refs;
    if (large === undefined) throw new Error('There are three.');
    const tooMuch = () =>
      runs.scenarioRuns.record({
        ...large,
        kind: 'turn',
        exchange: exchange(1, 'too much'),
        continuation: null,
        metadata: {},
      });
    let tries = 0;
    const stored = untilAvailable(
      () => {
        tries += 1;
        return tooMuch();
      },
      retryablePostgresError(),
      new AbortController().signal,
    );
    expect(await Promise.all(others.map((ref) => turn(ref, 1)))).toEqual(['committed', 'committed']);
    await expect(stored).rejects.toMatchObject({ code: '53200' });
    expect(tries).toBeLessThan(10);
    expect(await failure(large)).toBe('committed');
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
    expect(await runs.reads.find(run.testRunId)).toMatchObject({ passed_count: 1, error_count: 0 });
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

  test('a cancellation takes in whatever is not final, and nothing else', async () => {
    const { run, refs } = await claimedRun(4);
    const [graded, passed, failed, running] = refs;
    if (!graded || !passed || !failed || !running) throw new Error('There are four.');
    await gradingStart(graded);
    await gradingStart(passed);
    await verdict(passed);
    await failure(failed);
    const pending = await runs.createRun();
    await runs.testRuns.cancel(pending.testRunId);
    expect(await runs.testRuns.cancel(run.testRunId)).toMatchObject({ kind: 'canceled', canceledScenarios: 2 });
    const [ended] = await runs.database.query<{ is_over: boolean }>(
      `SELECT owner IS NULL AND completed_at IS NOT NULL AND canceled_at IS NOT NULL AS is_over
       FROM test_runs WHERE id = $1`,
      [run.testRunId],
    );
    expect(ended).toEqual({ is_over: true });
    for (const { scenarioRunId } of [graded, running]) {
      expect(await runs.scenarioRunReads.find(scenarioRunId)).toMatchObject({ completed_at: expect.any(String) });
      expect((await runs.ownership.findStanding([scenarioRunId]))[0]?.isUnowned).toBe(true);
    }
    const statusOf = async ({ scenarioRunId }: { scenarioRunId: string }) =>
      (await runs.scenarioRunReads.find(scenarioRunId))?.status;
    expect(await Promise.all(refs.map(statusOf))).toEqual(['canceled', 'passed', 'error', 'canceled']);
    expect(await statusOf({ scenarioRunId: pending.unsettled[0] ?? '' })).toBe('canceled');
    expect(await verdict(graded)).toBe('canceled');
  });

  test('what is left of a deleted run is refused', async () => {
    const { run, ref } = await claimedRun();
    const events = await storedEvents(run.testRunId);
    await runs.testRuns.delete(run.testRunId);
    expect(await turn(ref, 1)).toBe('canceled');
    expect(await storedEvents(run.testRunId)).toEqual(events);
  });

  test('so is what is left of a run whose rows are gone too', async () => {
    const { run, ref } = await claimedRun();
    await runs.testRuns.delete(run.testRunId);
    await runs.database.query('DELETE FROM scenario_runs WHERE id = $1', [ref.scenarioRunId]);
    for (const write of [(one: AttemptRef) => turn(one, 1), gradingStart, failure]) {
      expect(await write(ref)).toBe('canceled');
    }
    expect(await release(ref, 0)).toBe('canceled');
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

describe('starting a run that is due', () => {
  const ago = (seconds: number) => new Date(Date.now() - 1_000 * seconds).toISOString();

  test('is stored and told once, however often it is asked for', async () => {
    const owner = randomUUID();
    const { testRunId, attempt } = await runs.createRun({ owner, scenarios: 3, scheduledAt: ago(1) });
    const supervision = { testRunId, owner, attempt };
    expect(await runs.testRuns.start({ ...supervision, attempt: 99 })).toEqual({ kind: 'superseded' });
    expect(await runs.testRuns.start(supervision)).toEqual({ kind: 'started' });
    const before = await runs.reads.find(testRunId);
    expect(before).toMatchObject({ status: 'running', started_at: expect.anything() });
    expect(await runs.testRuns.start(supervision)).toEqual({ kind: 'started' });
    expect(await runs.reads.find(testRunId)).toEqual(before);
    expect(await storedEvents(testRunId)).toEqual(['1 test_run_scheduled', '2 test_run_started']);
    expect(runs.told.at(-1)).toMatchObject({ type: 'test_run_started', total_scenarios: 3, scenarios_launched: 3 });
    await runs.testRuns.cancel(testRunId);
    expect(await runs.testRuns.start(supervision)).toEqual({ kind: 'canceled' });
  });
});

describe('the release of a run', () => {
  test('is that of its own supervision: an earlier one of the same process releases nothing', async () => {
    const owner = randomUUID();
    const { testRunId } = await runs.createRun({ owner });
    const ownerNow = () => runs.database.query('SELECT owner FROM test_runs WHERE id = $1', [testRunId]);
    await runs.testRuns.release({ testRunId, owner, attempt: 1 });
    expect(await ownerNow()).toEqual([{ owner: null }]);
    await runs.testRuns.adopt(owner, 100);
    for (const stale of [
      { owner, attempt: 1 },
      { owner: randomUUID(), attempt: 2 },
    ]) {
      await runs.testRuns.release({ testRunId, ...stale });
      expect(await ownerNow()).toEqual([{ owner }]);
    }
  });
});

test('a supervisor that has released its run neither starts nor finishes it any more', async () => {
  const owner = randomUUID();
  const { testRunId } = await runs.createRun({ owner });
  const supervision = { testRunId, owner, attempt: 1 };
  await runs.testRuns.release(supervision);
  expect(await runs.testRuns.start(supervision)).toEqual({ kind: 'superseded' });
  expect(await runs.testRuns.finish(supervision)).toEqual({ kind: 'superseded' });
});

describe('deleting a run', () => {
  test('calls off what goes on in it, shows nothing of it, and says whether there was one', async () => {
    const { run, ref } = await claimedRun(2);
    await turn(ref, 1);
    expect(await runs.testRuns.delete(run.testRunId)).toBe(true);
    expect(await runs.reads.find(run.testRunId)).toBeNull();
    expect(await runs.scenarioRunReads.find(ref.scenarioRunId)).toBeNull();
    const standing = await runs.ownership.findStanding(run.unsettled);
    expect(standing.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
    expect(await turn(ref, 2)).toBe('canceled');
    expect(await runs.testRuns.delete(run.testRunId)).toBe(false);
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
    expect(await runs.reads.find(run.testRunId)).toMatchObject({ status: 'failed', error_message: 'No.' });
    expect(await runs.testRuns.finish(supervision)).toEqual({ kind: 'superseded' });
  });
});
