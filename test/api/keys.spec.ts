import { Database } from '../../src/platform/database/database';
import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { keyVariables, KEYS } from '../setup/role-keys';
import { createAgent } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let second: TestService;
let admin: ApiClient;
beforeAll(async () => {
  service = await startTestService(keyVariables());
  second = await startTestService(keyVariables(), { database: service.database });
  admin = new ApiClient(service.url, { 'x-api-key': KEYS.admin });
});
afterAll(async () => {
  await second.close();
  await service.close();
});

async function made(name: string, role = 'runner', more: object = {}): Promise<{ id: string; key: string }> {
  const { status, body } = await admin.post('/api/v1/keys', { name, role, ...more });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

const sql = (text: string) => service.app.get(Database).query(text);

const withKey = (key: string, { url }: TestService = service) => new ApiClient(url, { authorization: `Bearer ${key}` });
const meWith = (key: string, at?: TestService) => withKey(key, at).get('/api/v1/me');

async function listed(id: string) {
  const { body } = await admin.get('/api/v1/keys');
  const keys: { readonly id: string }[] = body.keys;
  return keys.find((one) => one.id === id);
}

describe('A named key', () => {
  it.each(['viewer', 'reviewer', 'runner', 'admin'])('has its name and the role %s, on every process', async (role) => {
    const { key } = await made(`as-${role}`, role);
    expect((await meWith(key)).body).toMatchObject({ name: `as-${role}`, role });
    await eventually(async () => expect((await meWith(key, second)).body).toMatchObject({ name: `as-${role}`, role }));
    expect((await withKey(key).post('/api/v1/agents', {})).status).toBe(role === 'admin' ? 400 : 403);
  });

  it('is shown once, and only its hash is stored', async () => {
    const answer = await admin.post('/api/v1/keys', { name: 'once', role: 'viewer' });
    const { key, hint, id } = answer.body;
    expect(key).toMatch(/^osce_[\w-]{43}$/);
    expect(key.startsWith(hint)).toBe(true);
    expect(hint).toHaveLength(9);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await listed(id)).not.toHaveProperty('key');
    const rows = await sql(`SELECT k::text AS text FROM service_keys k WHERE id = '${id}'`);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(key.slice(9));
  });

  it('says who made it and when it was last used, to the minute', async () => {
    const { id, key } = await made('seldom');
    expect(await listed(id)).toMatchObject({
      created_by: 'admin 1',
      last_used_at: null,
      state: 'live',
      revoked_at: null,
    });
    await meWith(key);
    await eventually(async () => expect(await listed(id)).toMatchObject({ last_used_at: expect.any(String) }));
    const before = await listed(id);
    // Neither this process nor another writes again within the minute.
    await meWith(key);
    await eventually(async () => expect((await meWith(key, second)).status).toBe(200));
    await meWith(key, second);
    expect(await listed(id)).toEqual(before);
  });

  it('stands by its name in the audit trail and in refusals', async () => {
    const { key } = await made('release-gate', 'admin');
    await createAgent(withKey(key), 'http://127.0.0.1:9');
    const { body } = await admin.get('/api/v1/audit?who=release-gate');
    expect(body.records).toMatchObject([{ who: 'release-gate', role: 'admin', route: '/api/v1/agents' }]);
    const { key: reader } = await made('dashboard', 'viewer');
    expect((await withKey(reader).post('/start-run', {})).body.error).toBe(
      'This takes a key with the role runner; the key "dashboard" has the role viewer.',
    );
  });

  it('that is revoked opens nothing from then on, on another process within seconds, and its name may be given again', async () => {
    const { id, key } = await made('leaver');
    await eventually(async () => expect((await meWith(key, second)).status).toBe(200));
    expect((await admin.delete(`/api/v1/keys/${id}`)).status).toBe(204);
    expect(await meWith(key)).toMatchObject({
      status: 401,
      body: { error: expect.stringContaining('osce keys list') },
    });
    await eventually(async () => expect((await meWith(key, second)).status).toBe(401));
    expect(await listed(id)).toMatchObject({ state: 'revoked', revoked_by: 'admin 1', revoked_at: expect.any(String) });
    const first = await listed(id);
    expect((await admin.delete(`/api/v1/keys/${id}`)).status).toBe(204);
    expect(await listed(id)).toEqual(first);
    expect((await made('leaver')).id).not.toBe(id);
  });

  it('that is revoked closes the event streams that it has opened, and no others', async () => {
    const [{ id, key }, { key: other }] = [await made('watching'), await made('watching-too')];
    const streamOf = async (shown: string) => {
      const stream = await fetch(`${service.url}/events?run_id=${UNKNOWN_ID}&access_token=${shown}`);
      let isOpen = true;
      const reading = stream
        .text()
        .catch(() => '')
        .finally(() => (isOpen = false));
      return { isOpen: () => isOpen, end: () => reading };
    };
    const [stream, others] = await Promise.all([streamOf(key), streamOf(other)]);
    expect(stream.isOpen()).toBe(true);
    await admin.delete(`/api/v1/keys/${id}`);
    await stream.end();
    expect(others.isOpen()).toBe(true);
  });

  it('that has expired is told so', async () => {
    const { id, key } = await made('temporary', 'viewer', { expires_in_days: 90 });
    const days = (Date.parse(String(Reflect.get((await listed(id)) ?? {}, 'expires_at'))) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    await sql(`UPDATE service_keys SET expires_at = now() WHERE id = '${id}'`);
    await eventually(async () => {
      expect(await meWith(key)).toMatchObject({
        status: 401,
        body: { error: 'The key "temporary" has expired: an admin makes another with osce keys create.' },
      });
    });
    expect(await listed(id)).toMatchObject({ state: 'expired' });
  });
});

it('a field that is unknown is refused: a misspelt time would make a key that never expires', async () => {
  const asked = { name: 'forever', role: 'viewer', expires_at: '2031-01-01T00:00:00Z' };
  const { status, body } = await admin.post('/api/v1/keys', asked);
  expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringContaining('expires_at') } });
});

it('a name is taken by one live key, and there is a limit', async () => {
  await made('only-one');
  expect(await admin.post('/api/v1/keys', { name: 'only-one', role: 'viewer' })).toMatchObject({
    status: 409,
    body: { error: 'name: there is a key "only-one" already; revoke it first, or choose another name.' },
  });
  await sql(
    `INSERT INTO service_keys (name, role, digest, hint, created_by)
     SELECT 'many-' || n, 'viewer', sha256(('many' || n)::bytea), 'osce_', 'spec' FROM generate_series(1, 200) n`,
  );
  expect(await admin.post('/api/v1/keys', { name: 'one-more', role: 'viewer' })).toMatchObject({
    status: 409,
    body: { error: 'There are 200 keys, as many as may be: revoke one first.' },
  });
  await sql(`DELETE FROM service_keys WHERE name LIKE 'many-%'`);
});

it.each(['viewer-of-the-clinic', 'Viewer-Of-The-Clinic', 'anyone'])(
  'a name that others have, %s, is refused',
  async (name) => {
    expect(await admin.post('/api/v1/keys', { name, role: 'admin' })).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^name: .* choose another name/) },
    });
  },
);

it('a name is the same in capitals', async () => {
  await made('Deploys');
  expect((await admin.post('/api/v1/keys', { name: 'deploys', role: 'admin' })).status).toBe(409);
});

it.each([{ name: 'c i' }, { name: '' }, { role: 'owner' }, { expires_in_days: 0 }, { expires_in_days: 9_999 }])(
  '%j is refused',
  async (wrong) => {
    expect((await admin.post('/api/v1/keys', { name: 'ci', role: 'viewer', ...wrong })).status).toBe(400);
  },
);

it('only an admin lists, makes and revokes', async () => {
  for (const role of ['viewer', 'reviewer', 'runner'] as const) {
    const other = new ApiClient(service.url, { 'x-api-key': KEYS[role] });
    expect((await other.get('/api/v1/keys')).status).toBe(403);
    expect((await other.post('/api/v1/keys', { name: 'mine', role: 'admin' })).status).toBe(403);
    expect((await other.delete(`/api/v1/keys/${UNKNOWN_ID}`)).status).toBe(403);
  }
});

it('what is no key of the service opens nothing, however it begins', async () => {
  const { key } = await made('whole');
  for (const wrong of ['osce_', `${key}x`, key.slice(0, -1), key.toUpperCase(), key.slice('osce_'.length)]) {
    expect((await meWith(wrong)).status).toBe(401);
  }
  const download = `/api/v1/tests/${UNKNOWN_ID}/export-csv?access_token=${key}`;
  expect((await new ApiClient(service.url).get(download)).status).toBe(404);
});

it('a service that asks for no key makes none', async () => {
  const open = await startTestService();
  const { status, body } = await new ApiClient(open.url).post('/api/v1/keys', { name: 'ci', role: 'viewer' });
  expect({ status, error: body.error }).toEqual({ status: 409, error: expect.stringContaining('set SERVICE_API_KEY') });
  await open.close();
});

it('while named keys cannot be looked up, they open nothing, and the keys of the settings and probes are answered as ever', async () => {
  const { key } = await made('patient');
  await sql('ALTER TABLE service_keys RENAME TO service_keys_away');
  try {
    await eventually(async () => expect((await meWith(key)).status).toBeGreaterThanOrEqual(500));
    expect((await admin.get('/api/v1/me')).status).toBe(200);
    expect((await withKey(key).get('/health/live')).status).toBe(200);
  } finally {
    await sql('ALTER TABLE service_keys_away RENAME TO service_keys');
  }
  await eventually(async () => expect((await meWith(key)).status).toBe(200));
});
