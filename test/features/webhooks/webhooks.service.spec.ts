import { randomUUID } from 'node:crypto';
import type { CreateWebhookRequest } from '../../../contract/webhooks';
import { WebhookDeliveriesStore } from '../../../src/features/webhooks/webhook-deliveries.store';
import { WebhookPayloads } from '../../../src/features/webhooks/webhook-payloads';
import { WebhooksService } from '../../../src/features/webhooks/webhooks.service';
import { WebhooksStore } from '../../../src/features/webhooks/webhooks.store';
import { ClusterCountsStore } from '../../../src/features/runs/cluster-counts.store';
import { SettledRates } from '../../../src/features/statistics/settled-rates';
import { ANYONE, type Caller } from '../../../src/platform/access/caller';
import { settingsFrom } from '../../../src/platform/config/settings';
import { OwnServices } from '../../../src/platform/targets/own-services';
import { TargetGuard } from '../../../src/platform/targets/target-guard';
import { TargetPolicy } from '../../../src/platform/targets/target-policy';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

const VIEWER: Caller = { id: 'key wall', name: 'wall', role: 'viewer' };

let runs: StoredRuns;
let webhooks: WebhooksService;
let store: WebhooksStore;
let deliveries: WebhookDeliveriesStore;
beforeAll(async () => {
  runs = await openStoredRuns();
  store = new WebhooksStore(runs.database);
  deliveries = new WebhookDeliveriesStore(runs.database);
  const rates = new SettledRates(new ClusterCountsStore(runs.database));
  const payloads = new WebhookPayloads(runs.reads, runs.scenarioRunReads, rates, settingsFrom({}));
  const unknown = (name: string) => Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }));
  const own = new OwnServices(() => [], unknown);
  const guard = new TargetGuard(new TargetPolicy({ mode: 'public', allowed: [] }, own), own, unknown);
  webhooks = new WebhooksService(store, deliveries, payloads, guard);
});
afterAll(() => runs.close());

const forget = () => Promise.resolve();
const URL_OF_CI = 'https://93.184.216.34/hook';
const create = (fields: Partial<CreateWebhookRequest> = {}) => webhooks.create({ url: URL_OF_CI, ...fields }, forget);
const created = async (fields: Partial<CreateWebhookRequest> = {}): Promise<string> => (await create(fields)).view.id;

describe('a webhook', () => {
  it('is told of everything unless it asks for less, and asks for nothing twice', async () => {
    expect((await create()).view).toMatchObject({
      url: URL_OF_CI,
      description: null,
      is_active: true,
      events: [
        'test_run.finished',
        'comparison.worse',
        'schedule.gate_failed',
        'schedule.gate_undecided',
        'schedule.start_failed',
      ],
    });
    const asked = { description: 'CI', is_active: false, events: ['comparison.worse', 'comparison.worse'] as const };
    expect((await create({ ...asked, events: [...asked.events] })).view).toMatchObject({
      description: 'CI',
      is_active: false,
      events: ['comparison.worse'],
    });
  });

  it.each([
    [{ url: 'https://93.184.216.34/other' }],
    [{ description: 'Else' }],
    [{ description: null }],
    [{ events: ['test_run.finished' as const] }],
    [{ is_active: false }],
  ])('changes in what is given alone: %j', async (fields) => {
    const { view } = await create({ description: 'CI' });
    const { view: changed } = await webhooks.update(view.id, fields);
    expect(changed).toEqual({ ...view, ...fields, secret: changed.secret, updated_at: changed.updated_at });
    expect((await webhooks.find(view.id, ANYONE)).view).toMatchObject(fields);
  });

  it('changes only as it was read', async () => {
    const { view, etag } = await create();
    const { etag: after } = await webhooks.update(view.id, { description: 'One' }, etag);
    expect(after).not.toBe(etag);
    await expect(webhooks.update(view.id, { description: 'Two' }, etag)).rejects.toMatchObject({ status: 412 });
    const { etag: read, view: one } = await webhooks.find(view.id, ANYONE);
    expect(one.description).toBe('One');
    await webhooks.update(view.id, { events: ['test_run.finished', 'test_run.finished'] }, read);
    expect((await webhooks.find(view.id, ANYONE)).view.events).toEqual(['test_run.finished']);
  });

  it('that the service has switched off keeps its reason until it is switched on again', async () => {
    const id = await created();
    await deliveries.disable(id, 'It wants nothing any more.');
    const off = { is_active: false, disabled_reason: 'It wants nothing any more.' };
    expect((await webhooks.find(id, ANYONE)).view).toMatchObject(off);
    expect((await webhooks.update(id, { is_active: false })).view).toMatchObject(off);
    expect((await webhooks.update(id, { description: 'CI' })).view).toMatchObject(off);
    expect((await webhooks.update(id, { is_active: true })).view).toMatchObject({
      is_active: true,
      disabled_reason: null,
    });
  });

  it('shows its address to callers who may change it', async () => {
    const id = await created();
    const of = async (caller: Caller) => [
      (await webhooks.find(id, caller)).view.url,
      (await webhooks.list(caller)).webhooks.find((one) => one.id === id)?.url,
    ];
    expect(await of(ANYONE)).toEqual([URL_OF_CI, URL_OF_CI]);
    expect(await of(VIEWER)).toEqual(['https://93.184.216.34/••••••••', 'https://93.184.216.34/••••••••']);
    // Its tag tells a caller who may not see it nothing of it.
    expect((await webhooks.find(id, VIEWER)).etag).toBe((await webhooks.find(id, ANYONE)).etag);
  });

  it('has a secret that is shown when it is made, and signs beside the next one for a day', async () => {
    const { view } = await create();
    expect((await webhooks.findNew(view.id)).view.secret).toBe(view.secret);
    const { view: rotated } = await webhooks.rotateSecret(view.id, forget);
    expect(rotated.secret).not.toBe(view.secret);
    expect(await store.find(view.id)).toMatchObject({ secret: rotated.secret, previousSecret: view.secret });
    await runs.database.transaction((tx) => store.forgetExpiredSecrets(tx));
    expect(await store.find(view.id)).toMatchObject({ previousSecret: view.secret });
    await runs.database.query(
      `UPDATE webhooks SET previous_secret_expires_at = now() - interval '1 second' WHERE id = $1`,
      [view.id],
    );
    await runs.database.transaction((tx) => store.forgetExpiredSecrets(tx));
    expect(await store.find(view.id)).toMatchObject({ previousSecret: null, previousSecretExpiresAt: null });
  });

  it.each([randomUUID, () => 'not-an-id'])('that there is not is not found, whatever its id', async (idOf) => {
    const unknown = { status: 404, message: 'Webhook not found' };
    await expect(webhooks.find(idOf(), ANYONE)).rejects.toMatchObject(unknown);
    await expect(webhooks.findNew(idOf())).rejects.toMatchObject(unknown);
    await expect(webhooks.update(idOf(), { description: 'CI' })).rejects.toMatchObject(unknown);
    await expect(webhooks.rotateSecret(idOf(), forget)).rejects.toMatchObject(unknown);
    await expect(webhooks.test(idOf(), forget)).rejects.toMatchObject(unknown);
    await expect(webhooks.delete(idOf())).rejects.toMatchObject(unknown);
    await expect(webhooks.redeliver(idOf())).rejects.toMatchObject({ status: 404, message: 'Delivery not found' });
  });

  it('is listed after those that are older', async () => {
    const ids = [await created(), await created(), await created()];
    const [first = '', second = '', third = ''] = ids;
    const createdOn = (id: string, day: string) =>
      runs.database.query('UPDATE webhooks SET created_at = $2 WHERE id = $1', [id, `${day}T12:00:00Z`]);
    await createdOn(first, '2026-01-02');
    await createdOn(second, '2026-01-03');
    await createdOn(third, '2026-01-01');
    const listed = (await webhooks.list(ANYONE)).webhooks.map(({ id }) => id).filter((id) => ids.includes(id));
    expect(listed).toEqual([third, first, second]);
    for (const id of ids) await createdOn(id, '2026-01-01');
    const equallyOld = (await webhooks.list(ANYONE)).webhooks.map(({ id }) => id).filter((id) => ids.includes(id));
    expect(equallyOld).toEqual(ids.toSorted());
  });

  it('is gone with its deliveries once it is deleted', async () => {
    const id = await created();
    const { id: deliveryId } = await webhooks.test(id, forget);
    await webhooks.delete(id);
    await expect(webhooks.delete(id)).rejects.toMatchObject({ status: 404 });
    expect(await deliveries.find(deliveryId)).toBeNull();
  });
});

describe('what is written beside a webhook, for a request that is repeated,', () => {
  it('names the webhook that was made, or has a new secret, and what was made to try it', async () => {
    const written: unknown[] = [];
    const note = (_tx: unknown, made: unknown) => Promise.resolve(void written.push(made));
    const { id } = (await webhooks.create({ url: URL_OF_CI }, note)).view;
    await webhooks.rotateSecret(id, note);
    const delivery = await webhooks.test(id, note);
    expect(written).toEqual([{ id }, { id }, delivery]);
  });

  it('is not written without it, nor the webhook without what is beside it', async () => {
    const { total } = await webhooks.list(ANYONE);
    const fail = () => Promise.reject(new Error('The answer could not be kept.'));
    await expect(webhooks.create({ url: URL_OF_CI }, fail)).rejects.toThrow('The answer could not be kept.');
    expect((await webhooks.list(ANYONE)).total).toBe(total);
    const { view } = await create();
    await expect(webhooks.rotateSecret(view.id, fail)).rejects.toThrow('The answer could not be kept.');
    expect((await webhooks.findNew(view.id)).view.secret).toBe(view.secret);
    await expect(webhooks.test(view.id, fail)).rejects.toThrow('The answer could not be kept.');
    expect((await webhooks.find(view.id, ANYONE)).view.deliveries).toEqual([]);
  });
});

describe('an address', () => {
  it.each([
    ['https://127.0.0.1/hook', /^url: The address 127\.0\.0\.1:443 /],
    ['http://127.0.0.1/hook', /^url: The address 127\.0\.0\.1:80 /],
    ['http://127.0.0.1:8080/hook', /^url: The address 127\.0\.0\.1:8080 /],
    ['http://me@93.184.216.34/', /^url: must hold no user name and password/],
    ['http://:pw@93.184.216.34/', /^url: must hold no user name and password/],
    ['ftp://93.184.216.34/', /^url: must begin with http or https/],
    ['nowhere', /^url: must be an address such as/],
  ])('such as %s is refused, when it is given and when it is changed', async (url, sentence) => {
    const refusal = { status: 400, message: expect.stringMatching(sentence) };
    await expect(create({ url })).rejects.toMatchObject(refusal);
    await expect(webhooks.update(await created(), { url })).rejects.toMatchObject(refusal);
  });

  it('whose name nobody knows now may be known when there is something to tell', async () => {
    expect((await create({ url: 'https://ci.example.org/hook' })).view.url).toBe('https://ci.example.org/hook');
  });
});

describe('deliveries', () => {
  it('are made to try a webhook that is switched on, the newest fifty are listed', async () => {
    const id = await created();
    const first = await webhooks.test(id, forget);
    expect(first).toMatchObject({ type: 'webhook.test', test_run_id: null, status: 'pending', attempts: 0 });
    expect(await deliveries.find(first.id)).toMatchObject({
      payload: { type: 'webhook.test', data: { webhook_id: id } },
    });
    await runs.database.query(
      `INSERT INTO webhook_deliveries (webhook_id, type, status, created_at)
       SELECT $1, 'webhook.test', 'delivered', now() + make_interval(secs => n) FROM generate_series(1, 50) n`,
      [id],
    );
    const { view } = await webhooks.find(id, ANYONE);
    expect(view.deliveries).toHaveLength(50);
    const times = view.deliveries.map(({ created_at }) => Date.parse(created_at));
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(view.deliveries.map((one) => one.id)).not.toContain(first.id);
  });

  it('are neither made nor sent again while their webhook is switched off', async () => {
    const id = await created();
    const { id: deliveryId } = await webhooks.test(id, forget);
    await webhooks.update(id, { is_active: false });
    await expect(webhooks.test(id, forget)).rejects.toMatchObject({ status: 409 });
    await expect(webhooks.redeliver(deliveryId)).rejects.toMatchObject({ status: 409 });
  });

  it('are sent again with as many attempts as new ones, unless they are being sent', async () => {
    const id = await created();
    const { id: deliveryId } = await webhooks.test(id, forget);
    const set = (fields: string) =>
      runs.database.query(`UPDATE webhook_deliveries SET ${fields} WHERE id = $1`, [deliveryId]);
    await set(`status = 'failed', attempts = 10, next_attempt_at = NULL`);
    expect(await webhooks.redeliver(deliveryId)).toMatchObject({
      id: deliveryId,
      status: 'pending',
      attempts: 0,
      next_attempt_at: expect.any(String),
      delivered_at: null,
    });
    await set('attempts = 3, claim = gen_random_uuid()');
    expect(await webhooks.redeliver(deliveryId)).toMatchObject({ status: 'pending', attempts: 3 });
  });

  it('are begun and keep what they tell only for the process that has claimed them', async () => {
    const { view } = await create();
    const { id: key } = await webhooks.test(view.id, forget);
    const claim = randomUUID();
    await runs.database.query('UPDATE webhook_deliveries SET claim = $2 WHERE id = $1', [key, claim]);
    const job = { key, claim, attempt: 1 };
    expect(await deliveries.begin(job)).toMatchObject({
      webhookId: view.id,
      url: URL_OF_CI,
      secret: view.secret,
      previousSecret: null,
      testRunId: null,
    });
    expect(await deliveries.begin({ ...job, claim: randomUUID() })).toBeNull();
    expect(await deliveries.keepPayload({ ...job, claim: randomUUID() }, { type: 'no' })).toBe(false);
    expect(await deliveries.keepPayload(job, { type: 'yes' })).toBe(true);
    expect(await deliveries.find(key)).toMatchObject({ payload: { type: 'yes' }, lastAttemptAt: expect.any(Date) });
  });

  it('that are over are forgotten after thirty days, and but for the newest 200', async () => {
    const round = () => runs.database.transaction((tx) => deliveries.forgetOld(tx));
    await round();
    const id = await created();
    const put = (count: number, days: number, status: string) =>
      runs.database.query(
        `INSERT INTO webhook_deliveries (webhook_id, type, status, created_at)
         SELECT $1, 'webhook.test', $2, now() - make_interval(days => $3, secs => n) FROM generate_series(1, $4::int) n`,
        [id, status, days, count],
      );
    await put(2, 31, 'delivered');
    await put(1, 31, 'pending');
    await put(3, 29, 'failed');
    expect(await round()).toBe(2);
    expect(await round()).toBeNull();
    await put(199, 1, 'delivered');
    // 199 and the newest of the three; the one that waits is kept, however old.
    expect(await round()).toBe(2);
    expect(await round()).toBeNull();
  });
});

test('there are fifty webhooks at most', async () => {
  for (const { id } of (await webhooks.list(ANYONE)).webhooks) await webhooks.delete(id);
  for (let count = 0; count < 50; count += 1) await create({ is_active: false });
  expect((await webhooks.list(ANYONE)).total).toBe(50);
  await expect(create()).rejects.toMatchObject({
    status: 409,
    message: 'There are 50 webhooks already, as many as may be: delete one first.',
  });
  const [oldest] = (await webhooks.list(ANYONE)).webhooks;
  await webhooks.delete(oldest?.id ?? '');
  await create();
});
