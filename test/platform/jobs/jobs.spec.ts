import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog, silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { Database } from '../../../src/platform/database/database';
import { waitAfter, type ClaimedJob, type JobKind, type JobTable } from '../../../src/platform/jobs/job-kind';
import { JobRows } from '../../../src/platform/jobs/job-rows';
import { JobWorker } from '../../../src/platform/jobs/job-worker';
import { createTestDatabase, type TestDatabase } from '../../setup/database';
import { eventually } from '../../setup/eventually';

const TABLE: JobTable = { name: 'errands', key: 'id', keepsRows: false };
const KEPT: JobTable = { ...TABLE, keepsRows: true };
/** Longer than any test. */
const LEASE_MS = 600_000;
const done = { kind: 'done' } as const;

interface Row {
  readonly id: number;
  readonly attempts: number;
  readonly claim: string | null;
  readonly next_attempt_at: Date | null;
  readonly note: string | null;
}

let testDatabase: TestDatabase;
let database: Database;
let cleanups: (() => Promise<unknown>)[];

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  cleanups = [() => testDatabase.drop()];
  database = await open();
  await database.query(
    `CREATE TABLE errands (id integer PRIMARY KEY, attempts integer NOT NULL DEFAULT 0, claim uuid,
       next_attempt_at timestamptz(3) DEFAULT now(), note text)`,
  );
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

/** As another process. */
async function open(): Promise<Database> {
  const opened = await Database.open(settingsFrom({ DATABASE_URL: testDatabase.url }), silentLog);
  cleanups.push(() => opened.close());
  return opened;
}

/** Adds jobs 1 to `count`, one due after the other. */
const add = (count: number) =>
  database.query(
    `INSERT INTO errands (id, next_attempt_at) SELECT n, now() - interval '1 hour' + make_interval(secs => n)
     FROM generate_series(1, $1::int) n`,
    [count],
  );
const rows = () => database.query<Row>('SELECT * FROM errands ORDER BY id');
const rowsAs = (table: JobTable, leaseMs = LEASE_MS) => new JobRows(database.engine, table, leaseMs);
/** Lets every lease and every wait end now. */
// A little in the past: what is now is stored rounded to milliseconds, and may be rounded up.
const hurry = () => database.query("UPDATE errands SET next_attempt_at = now() - interval '10 ms'");

function startWorker(kind: Partial<JobKind>, on: Database = database, log = silentLog): JobWorker {
  const whole: JobKind = {
    name: 'errands',
    table: TABLE,
    lookEveryMs: 10,
    atOnce: 5,
    leaseMs: LEASE_MS,
    limitMs: LEASE_MS,
    backoff: () => 0,
    attempt: () => Promise.resolve(done),
    ...kind,
  };
  const worker = new JobWorker(whole, new JobRows(on.engine, whole.table, whole.leaseMs), log);
  cleanups.push(() => worker.stop());
  worker.start();
  return worker;
}

async function claimOne(from: JobRows): Promise<ClaimedJob> {
  const [job] = await from.claim(1);
  if (job === undefined) throw new Error('Nothing is due.');
  return job;
}

describe('claims', () => {
  test('give each of 200 jobs to one of four processes', async () => {
    await add(200);
    const made: string[] = [];
    const busy = new Set<JobWorker | number>();
    for (let process = 0; process < 4; process += 1) {
      const attempt: JobKind['attempt'] = async ({ key, attempt }) => {
        made.push(`${key} ${attempt}`);
        busy.add(process);
        await sleep(2);
        return done;
      };
      startWorker({ attempt }, await open());
    }
    await eventually(async () => expect(await rows()).toEqual([]));
    expect(made).toHaveLength(200);
    expect(new Set(made)).toEqual(new Set(Array.from({ length: 200 }, (_, at) => `${at + 1} 1`)));
    expect(busy.size).toBeGreaterThan(1);
  });

  test('take what became due first, and nothing that is not due', async () => {
    await add(5);
    await database.query(`UPDATE errands SET next_attempt_at = now() + interval '1 hour' WHERE id = 1`);
    await database.query(`UPDATE errands SET next_attempt_at = now() - interval '1 day' WHERE id = 4`);
    const claimed = await rowsAs(TABLE).claim(3);
    expect(claimed.map(({ key }) => key)).toEqual(['4', '2', '3']);
  });

  test('follow the table where it says what is due', async () => {
    await add(5);
    const due =
      'SELECT id AS key, next_attempt_at AS due_at FROM errands WHERE id % 2 = 0 ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED';
    const claimed = await rowsAs({ ...TABLE, due }).claim(10);
    expect(claimed.map(({ key }) => key)).toEqual(['2', '4']);
  });

  test('go on without a pause while more is due than a process does at a time', async () => {
    await add(20);
    startWorker({ lookEveryMs: LEASE_MS, atOnce: 3 });
    await eventually(async () => expect(await rows()).toEqual([]));
  });
});

describe('a lease', () => {
  test('that has ended lets another process take over, and what the first one writes is refused', async () => {
    await add(1);
    const slow = await claimOne(rowsAs(TABLE));
    expect(await rowsAs(TABLE).claim(1)).toEqual([]);
    await hurry();
    const fast = await claimOne(rowsAs(TABLE));
    expect(fast).toMatchObject({ key: '1', attempt: 2 });
    const write = () => Promise.reject(new Error('Nothing may be written.'));
    const stale = rowsAs(TABLE);
    expect(await stale.renew(slow)).toBe(false);
    expect(await stale.putOff(slow, 0, true, write)).toBe(false);
    expect(await stale.end(slow, write)).toBe(false);
    expect(await rowsAs(TABLE).renew(fast)).toBe(true);
    expect(await rowsAs(TABLE).end(fast)).toBe(true);
    expect(await rows()).toEqual([]);
  });

  test('is renewed while the work goes on', async () => {
    await add(1);
    const finish = new EventEmitter();
    startWorker({ leaseMs: 3_000, attempt: () => once(finish, 'now').then(() => done) });
    const ends = async () => (await rows())[0]?.next_attempt_at?.getTime() ?? 0;
    await eventually(async () => expect((await rows())[0]?.claim).not.toBeNull());
    const first = await ends();
    await eventually(async () => expect(await ends()).toBeGreaterThan(first));
    finish.emit('now');
    await eventually(async () => expect(await rows()).toEqual([]));
  });

  test('that is lost stops the work: its row is gone, as when a run is deleted', async () => {
    await add(1);
    const stopped: unknown[] = [];
    const attempt: JobKind['attempt'] = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.push(signal.reason);
          reject(new Error('Stopped.'));
        });
      });
    startWorker({ leaseMs: 3_000, attempt });
    await eventually(async () => expect((await rows())[0]?.claim).not.toBeNull());
    await database.query('DELETE FROM errands');
    await eventually(() => expect(stopped).toMatchObject([{ why: 'lost' }]));
  });
});

describe('an attempt', () => {
  test('writes what it leaves behind in the transaction that settles the job, or not at all', async () => {
    await add(2);
    const write: NonNullable<Parameters<JobRows['end']>[1]> = async (tx) => {
      await tx.query(`UPDATE errands SET note = 'written'`);
      throw new Error('The disk is full.');
    };
    const job = await claimOne(rowsAs(KEPT));
    await expect(rowsAs(KEPT).end(job, write)).rejects.toThrow('The disk is full.');
    expect(await rows()).toMatchObject([{ claim: job.claim, note: null }, { note: null }]);
    await rowsAs(KEPT).end(job, async (tx) => void (await tx.query(`UPDATE errands SET note = 'written'`)));
    expect(await rows()).toMatchObject([
      { claim: null, next_attempt_at: null, attempts: 1, note: 'written' },
      { note: 'written' },
    ]);
  });

  test('that failed is followed by others after the waits of its kind, and after the last the job is over', async () => {
    await add(1);
    const seen: number[] = [];
    startWorker({
      table: KEPT,
      backoff: (attempt) => (attempt < 3 ? 60_000 * attempt : null),
      attempt: ({ attempt }) => {
        seen.push(attempt);
        return Promise.resolve({
          kind: 'failed',
          write: async (tx, isLast) =>
            void (await tx.query('UPDATE errands SET note = $1', [isLast ? 'last' : 'more'])),
        });
      },
    });
    for (const attempts of [1, 2]) {
      await eventually(async () => expect(await rows()).toMatchObject([{ attempts, claim: null, note: 'more' }]));
      const [wait] = await database.query<{ seconds: number }>(
        'SELECT extract(epoch FROM next_attempt_at - now())::float8 AS seconds FROM errands',
      );
      expect(wait?.seconds).toBeGreaterThan(60 * attempts * 0.5);
      expect(wait?.seconds).toBeLessThanOrEqual(60 * attempts * 1.1);
      await hurry();
    }
    await eventually(async () =>
      expect(await rows()).toMatchObject([{ attempts: 3, claim: null, next_attempt_at: null, note: 'last' }]),
    );
    expect(seen).toEqual([1, 2, 3]);
  });

  test('that throws is logged and has failed; after the last one the kind writes the end', async () => {
    await add(1);
    const lines: Record<string, unknown>[] = [];
    const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
    startWorker(
      {
        table: KEPT,
        backoff: (attempt) => (attempt < 2 ? 0 : null),
        attempt: () => Promise.reject(new Error('It broke.')),
        givenUp: async (tx, { key }) => void (await tx.query('UPDATE errands SET note = $1', [`${key} given up`])),
      },
      database,
      log,
    );
    await eventually(async () =>
      expect(await rows()).toMatchObject([{ attempts: 2, next_attempt_at: null, note: '1 given up' }]),
    );
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'An attempt of a job failed', job: 'errands', key: '1', attempt: 1 },
      { level: 'warn', msg: 'An attempt of a job failed', job: 'errands', key: '1', attempt: 2 },
    ]);
  });

  test('that hangs is given up after its limit, and its late result is refused', async () => {
    await add(1);
    const hung = new EventEmitter();
    const attempt: JobKind['attempt'] = async ({ attempt, key }) => {
      if (attempt === 1) {
        await once(hung, 'end');
        return { kind: 'done', write: async (tx) => void (await tx.query('UPDATE errands SET note = $1', [key])) };
      }
      return { kind: 'not made', afterMs: LEASE_MS };
    };
    startWorker({ table: KEPT, limitMs: 50, attempt });
    await eventually(async () => expect(await rows()).toMatchObject([{ attempts: 1, claim: null }]));
    hung.emit('end');
    const later = `SELECT attempts, claim, note FROM errands WHERE next_attempt_at > now()`;
    const settled = { attempts: 1, claim: null, note: null };
    await eventually(async () => expect(await database.query(later)).toEqual([settled]));
  });

  test('that was not made does not count', async () => {
    await add(1);
    const job = await claimOne(rowsAs(TABLE));
    expect(await rowsAs(TABLE).putOff(job, 0, false)).toBe(true);
    expect(await claimOne(rowsAs(TABLE))).toMatchObject({ attempt: 1 });
  });

  test('is not made beyond the last: processes that died had counted theirs', async () => {
    await add(1);
    for (let died = 0; died < 2; died += 1) {
      await claimOne(rowsAs(TABLE));
      await hurry();
    }
    const attempt = jest.fn(() => Promise.resolve(done));
    startWorker({
      table: KEPT,
      backoff: (count) => (count < 2 ? 0 : null),
      attempt,
      givenUp: async (tx) => void (await tx.query(`UPDATE errands SET note = 'given up'`)),
    });
    await eventually(async () => expect(await rows()).toMatchObject([{ claim: null, note: 'given up' }]));
    expect(attempt).not.toHaveBeenCalled();
  });
});

describe('a process that stops', () => {
  test.each([
    [
      'heeds',
      (signal: AbortSignal, reject: (error: unknown) => void) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
    ],
    ['does not heed', () => undefined],
  ])('gives back what it works on, also when the work %s its signal', async (_, heed) => {
    await add(3);
    const begun: string[] = [];
    const attempt: JobKind['attempt'] = ({ key }, signal) =>
      new Promise((_resolve, reject) => {
        begun.push(key);
        heed(signal, reject);
      });
    const stopping = startWorker({ attempt, atOnce: 2 });
    await eventually(() => expect(begun.length).toBe(2));
    await stopping.stop();
    expect(await rows()).toMatchObject([1, 2, 3].map((id) => ({ id, attempts: 0, claim: null })));
    startWorker({});
    await eventually(async () => expect(await rows()).toEqual([]));
    expect(begun).toHaveLength(2);
  });
});

test('jobs that failed together are not tried again together', () => {
  const waits = Array.from({ length: 200 }, () => waitAfter({ backoff: () => 1_000 }, 1) ?? 0);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(900);
  expect(Math.max(...waits)).toBeLessThanOrEqual(1_100);
  expect(new Set(waits).size).toBeGreaterThan(10);
});
