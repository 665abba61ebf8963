import { createLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { Database } from '../../../src/platform/database/database';
import { RequestBudgetStore, type RequestSlot } from '../../../src/agents/outbound/request-budget.store';
import { ProviderError } from '../../../src/agents/errors';
import { SharedRequestBudget } from '../../../src/agents/outbound/shared.request-budget';
import { createTestDatabase, type TestDatabase } from '../../setup/database';
import { eventually } from '../../setup/eventually';
import { startTcpProxy } from '../../setup/tcp-proxy';
import { unaborted } from '../provider.contract';

let database: TestDatabase;
const opened: Database[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
  await database.drop();
});

/** Counts how often the database was out of reach. */
class WatchedStore extends RequestBudgetStore {
  refusals = 0;

  override async reserve(key: string, pauseMs: number): Promise<RequestSlot | null> {
    const slot = await super.reserve(key, pauseMs);
    if (slot === null) this.refusals += 1;
    return slot;
  }
}

interface Process {
  readonly budget: SharedRequestBudget;
  readonly store: WatchedStore;
  readonly database: Database;
  readonly logged: string[];
}

async function startProcess(url = database.url): Promise<Process> {
  const logged: string[] = [];
  const log = createLog('warn', { write: (line) => logged.push(line) });
  const connection = await Database.open(settingsFrom({ DATABASE_URL: url }), log);
  opened.push(connection);
  const store = new WatchedStore(connection);
  return { budget: new SharedRequestBudget(store, log), store, database: connection, logged };
}

/** Milliseconds from now on at which each of `count` requests was let go. */
async function timesOf(count: number, ask: () => Promise<void>): Promise<number[]> {
  const began = performance.now();
  return Promise.all(Array.from({ length: count }, () => ask().then(() => performance.now() - began)));
}

it('holds the rate over two processes together', async () => {
  const [one, other] = await Promise.all([startProcess(), startProcess()]);
  // 20 a second.
  const ask = ({ budget }: Process) => timesOf(10, () => budget.acquire('key', 1_200, unaborted()));
  const times = (await Promise.all([ask(one), ask(other)])).flat().sort((a, b) => a - b);
  // The last of 20 goes 19 pauses of 50 ms after the first, less what may be caught up.
  expect(times.at(-1)).toBeGreaterThan(19 * 50 - 60);
  for (const [at, time] of times.entries()) expect(time).toBeGreaterThan(at * 50 - 60);
});

it('serves the askers of a process in their order', async () => {
  const { budget } = await startProcess();
  const admitted: number[] = [];
  await Promise.all(
    [1, 2, 3, 4, 5].map((name) => budget.acquire('key', 6_000, unaborted()).then(() => admitted.push(name))),
  );
  expect(admitted).toEqual([1, 2, 3, 4, 5]);
});

it('keeps budgets of different keys apart, and saves nothing up', async () => {
  const { budget, database: connection } = await startProcess();
  await Promise.all(['a', 'b', 'c'].map((key) => budget.acquire(key, 1, unaborted())));
  await connection.query(`UPDATE request_budgets SET free_at = now() - interval '1 hour' WHERE key = 'a'`);
  const abort = new AbortController();
  await budget.acquire('a', 1, abort.signal);
  const second = expect(budget.acquire('a', 1, abort.signal)).rejects.toBeInstanceOf(ProviderError);
  const [row] = await connection.query<{ waits: boolean }>(
    `SELECT free_at > now() + interval '50 seconds' AS waits FROM request_budgets WHERE key = 'a'`,
  );
  expect(row).toEqual({ waits: true });
  abort.abort();
  await second;
});

it('lets everybody leave at once, and gives back the slot that was reserved for them', async () => {
  const { budget, database: connection } = await startProcess();
  const secondsAhead = async (): Promise<number> => {
    const [row] = await connection.query<{ ahead: number }>(
      'SELECT extract(epoch FROM free_at - now())::float8 AS ahead FROM request_budgets',
    );
    return row?.ahead ?? 0;
  };
  await budget.acquire('key', 1, unaborted());
  const leaving = Array.from({ length: 50 }, () => new AbortController());
  const left = Promise.allSettled(leaving.map(({ signal }) => budget.acquire('key', 1, signal)));
  await eventually(async () => expect(await secondsAhead()).toBeGreaterThan(70));
  for (const abort of leaving) abort.abort();
  expect((await left).every(({ status }) => status === 'rejected')).toBe(true);
  await eventually(async () => expect(await secondsAhead()).toBeLessThan(61));
});

it('does not let a newcomer go early when all before him left', async () => {
  const { budget } = await startProcess();
  const began = performance.now();
  await budget.acquire('key', 120, unaborted());
  const abort = new AbortController();
  const leaving = expect(budget.acquire('key', 120, abort.signal)).rejects.toBeInstanceOf(ProviderError);
  await budget.acquire('other', 120, unaborted());
  abort.abort();
  await budget.acquire('key', 120, unaborted());
  await leaving;
  // A pause of 500 ms, less what may be caught up.
  expect(performance.now() - began).toBeGreaterThan(440);
});

it('waits while the database is out of reach', async () => {
  const proxy = await startTcpProxy(database.url);
  const { budget, store } = await startProcess(proxy.url);
  proxy.cut();
  let hasEnded = false;
  const acquired = budget.acquire('key', 60_000, unaborted()).finally(() => (hasEnded = true));
  // It has asked again after it was refused, and still lets nobody go.
  await eventually(() => expect(store.refusals).toBeGreaterThanOrEqual(2));
  expect(hasEnded).toBe(false);
  await proxy.restore();
  await acquired;
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
  await proxy.close();
});

it('fails the request when the budget cannot be kept for another reason', async () => {
  const { budget, database: connection } = await startProcess();
  await connection.query('DROP TABLE request_budgets');
  await expect(budget.acquire('key', 60, unaborted())).rejects.toThrow('request_budgets');
});

it('keeps 0.1 a minute: the next slot lies ten minutes ahead, and one that nobody wants any more is given back', async () => {
  const { budget, database: opened } = await startProcess();
  await budget.acquire('key', 0.1, unaborted());
  const ahead = async () => {
    const [row] = await opened.query<{ seconds: number }>(
      `SELECT extract(epoch FROM free_at - clock_timestamp())::float8 AS seconds FROM request_budgets`,
    );
    return row?.seconds ?? 0;
  };
  const first = await ahead();
  expect(first).toBeGreaterThan(540);
  expect(first).toBeLessThanOrEqual(600);
  const leave = new AbortController();
  const waiting = budget.acquire('key', 0.1, leave.signal);
  await eventually(async () => expect(await ahead()).toBeGreaterThan(first + 500));
  leave.abort();
  await expect(waiting).rejects.toThrow(ProviderError);
  await eventually(async () => expect(await ahead()).toBeLessThanOrEqual(600));
});
