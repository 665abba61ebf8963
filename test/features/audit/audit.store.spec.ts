import { AuditStore, type AuditDraft } from '../../../src/features/audit/audit.store';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let store: AuditStore;
beforeAll(async () => {
  runs = await openStoredRuns();
  store = new AuditStore(runs.database);
});
afterAll(() => runs.close());
beforeEach(() => runs.database.query('DELETE FROM audit_records'));

const draft = (who: string): AuditDraft => ({
  who,
  role: 'admin',
  address: null,
  method: 'POST',
  route: '/api/v1/agents',
  resource: 'agents',
  resource_ids: [],
  fields: ['name'],
  request_id: null,
  status: null,
});
const list = async () => (await store.list({ limit: 100, offset: 0 })).records;

test('numbers are answered in the order of the drafts, however many come together', async () => {
  const names = Array.from({ length: 100 }, (_, place) => `key ${place}`);
  const numbers = await store.begin(names.map(draft));
  const records = await list();
  expect(records.map(({ number }) => number).reverse()).toEqual(numbers);
  expect(records.map(({ who }) => who).reverse()).toEqual(names);
});

test('a record is completed once: what comes later changes nothing of it', async () => {
  const [number = ''] = await store.begin([draft('one')]);
  const ending = { number, status: 201, replayed: false, resource_ids: ['a', 'b'] };
  await store.complete([ending]);
  await store.complete([{ ...ending, status: 500, replayed: true, resource_ids: ['c'] }]);
  await store.renew([number]);
  expect(await list()).toMatchObject([{ number, status: 201, replayed: false, resource_ids: ['a', 'b'] }]);
});

test('records of AUDIT_DAYS and more are removed a thousand at a time, younger ones never', async () => {
  await store.begin(Array.from({ length: 2_500 }, () => draft('old')));
  await runs.database.query(`UPDATE audit_records SET at = now() - interval '30 days'`);
  await store.begin([draft('young')]);
  await runs.database.query(`UPDATE audit_records SET at = now() - interval '29 days 23 hours' WHERE who = 'young'`);
  expect(await store.forgetOld(30)).toBe(true);
  expect((await store.list({ limit: 1, offset: 0 })).total).toBe(1_501);
  expect(await store.forgetOld(30)).toBe(true);
  expect(await store.forgetOld(30)).toBe(false);
  expect((await list()).map(({ who }) => who)).toEqual(['young']);
});

test('one process at a time removes them, and nobody waits for another', async () => {
  await store.begin(Array.from({ length: 1_200 }, () => draft('old')));
  await runs.database.query(`UPDATE audit_records SET at = now() - interval '30 days'`);
  await runs.database.transaction(async (tx) => {
    const [held] = await tx.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock(1635083369) AS taken');
    expect(held).toEqual({ taken: true });
    expect(await store.forgetOld(30)).toBe(false);
    expect((await store.list({ limit: 1, offset: 0 })).total).toBe(1_200);
  });
  expect(await store.forgetOld(30)).toBe(true);
});
