import { AuditStore, type AuditDraft } from '../../../src/features/audit/audit.store';
import { silentLog } from '../../../src/platform/config/log';
import { ADVISORY_LOCKS } from '../../../src/platform/database/advisory-locks';
import { UpkeepTask, type Upkeep } from '../../../src/platform/jobs/upkeep';
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
  const forgetOld = () => runs.database.transaction((tx) => store.forgetOld(tx, 30));
  expect(await forgetOld()).toBe(1_000);
  expect((await store.list({ limit: 1, offset: 0 })).total).toBe(1_501);
  expect(await forgetOld()).toBe(1_000);
  expect(await forgetOld()).toBe(500);
  expect(await forgetOld()).toBeNull();
  expect((await list()).map(({ who }) => who)).toEqual(['young']);
});

test('one process at a time removes them, and nobody waits for another', async () => {
  await store.begin(Array.from({ length: 1_200 }, () => draft('old')));
  await runs.database.query(`UPDATE audit_records SET at = now() - interval '30 days'`);
  const upkeep: Upkeep = {
    name: 'forget old audit records',
    everyMs: 60_000,
    lock: ADVISORY_LOCKS.auditRetention,
    round: (inPieces) => inPieces((tx) => store.forgetOld(tx, 30)),
  };
  const forgetting = new UpkeepTask(upkeep, runs.database, silentLog);
  const total = async () => (await store.list({ limit: 1, offset: 0 })).total;
  await runs.database.transaction(async (tx) => {
    const [held] = await tx.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock(1635083369) AS taken');
    expect(held).toEqual({ taken: true });
    await forgetting.round();
    expect(await total()).toBe(1_200);
  });
  await forgetting.round();
  expect(await total()).toBe(0);
});
