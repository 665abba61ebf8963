import { SharedRead } from '../../../src/platform/database/shared-read';
import { Database } from '../../../src/platform/database/database';
import { settingsFrom } from '../../../src/platform/config/settings';
import { silentLog } from '../../../src/platform/config/log';
import { createTestDatabase, type TestDatabase } from '../../setup/database';

/** A query that waits until it is let go, and then answers with what the rows were when it began. */
class GatedQuery {
  rows = 'v0';
  readonly asked: (readonly (string | null)[])[] = [];
  private readonly gates: (() => void)[] = [];

  readonly read = async (keys: readonly (string | null)[]): Promise<string[]> => {
    this.asked.push(keys);
    const snapshot = this.rows;
    await new Promise<void>((resolve) => this.gates.push(resolve));
    return keys.map((key) => `${key} ${snapshot}`);
  };

  async letGo(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('SharedRead', () => {
  it('asks at once when nobody is being served', async () => {
    const query = new GatedQuery();
    const answer = new SharedRead(query.read).load('a');
    await query.letGo();
    expect(await answer).toBe('a v0');
  });

  it('serves all who come while a query is in flight with the next one, each key once', async () => {
    const query = new GatedQuery();
    const shared = new SharedRead(query.read);
    const first = shared.load('a');
    await new Promise((resolve) => setImmediate(resolve));
    const others = ['a', 'b', 'a', null, 'b'].map((key) => shared.load(key));
    await query.letGo();
    await query.letGo();
    expect(await first).toBe('a v0');
    expect(await Promise.all(others)).toEqual(['a v0', 'b v0', 'a v0', 'null v0', 'b v0']);
    expect(query.asked).toEqual([['a'], ['a', 'b', null]]);
  });

  it('never answers from a query that began before the question', async () => {
    const query = new GatedQuery();
    const shared = new SharedRead(query.read);
    const before = shared.load('a');
    await new Promise((resolve) => setImmediate(resolve));
    query.rows = 'v1';
    const after = shared.load('a');
    await query.letGo();
    await query.letGo();
    expect(await before).toBe('a v0');
    expect(await after).toBe('a v1');
  });

  it('tells a failure to those who waited for it, and goes on', async () => {
    let fails = true;
    const shared = new SharedRead(async (keys: readonly string[]) => {
      if (fails) throw new Error('the server is away');
      return keys;
    });
    await expect(Promise.all([shared.load('a'), shared.load('b')])).rejects.toThrow('the server is away');
    fails = false;
    expect(await shared.load('a')).toBe('a');
  });

  it('fails a key that the query leaves out, and only that', async () => {
    const shared = new SharedRead(async (keys: readonly string[]) => keys.slice(0, 1));
    const [first, second] = await Promise.allSettled([shared.load('a'), shared.load('b')]);
    expect(first).toEqual({ status: 'fulfilled', value: 'a' });
    expect(second.status).toBe('rejected');
  });
});

describe('SharedRead over PostgreSQL', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await Database.open(settingsFrom({ DATABASE_URL: testDatabase.url }), silentLog);
    await database.query('CREATE TABLE counters (id int PRIMARY KEY, value int NOT NULL)');
    await database.query('INSERT INTO counters SELECT n, 0 FROM generate_series(1, 8) n');
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  it('lets every one of many clients read its own writes, while all of them read and write', async () => {
    let queries = 0;
    let questions = 0;
    const shared = new SharedRead(async (ids: readonly number[]) => {
      queries += 1;
      const rows = await database.query<{ id: number; value: number }>('SELECT * FROM counters WHERE id = ANY($1)', [
        ids,
      ]);
      const valueOf = new Map(rows.map((row) => [row.id, row.value]));
      return ids.map((id) => valueOf.get(id) ?? -1);
    });
    const client = async (id: number) => {
      for (let value = 1; value <= 40; value += 1) {
        await database.query('UPDATE counters SET value = $2 WHERE id = $1', [id, value]);
        questions += 1;
        expect(await shared.load(id)).toBe(value);
      }
    };
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(client));
    expect(questions).toBe(320);
    expect(queries).toBeLessThan(questions);
  });
});
