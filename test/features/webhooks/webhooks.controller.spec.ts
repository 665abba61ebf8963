import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpException } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { createWebhook, updateWebhook } from '../../../contract/webhooks';
import { WebhookDeliveriesStore } from '../../../src/features/webhooks/webhook-deliveries.store';
import { WebhookPayloads } from '../../../src/features/webhooks/webhook-payloads';
import { WebhookDeliveriesController, WebhooksController } from '../../../src/features/webhooks/webhooks.controller';
import { WebhooksService } from '../../../src/features/webhooks/webhooks.service';
import { WebhooksStore } from '../../../src/features/webhooks/webhooks.store';
import { ClusterCountsStore } from '../../../src/features/runs/cluster-counts.store';
import { SettledRates } from '../../../src/features/statistics/settled-rates';
import { ANYONE } from '../../../src/platform/access/caller';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { IdempotencyKeysStore } from '../../../src/platform/idempotency/idempotency-keys.store';
import { OncePerKey } from '../../../src/platform/idempotency/once-per-key';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { OwnServices } from '../../../src/platform/targets/own-services';
import { TargetGuard } from '../../../src/platform/targets/target-guard';
import { TargetPolicy } from '../../../src/platform/targets/target-policy';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

const URL_OF_CI = 'https://93.184.216.34/hook';

let runs: StoredRuns;
let server: Server;
let origin: string;
beforeAll(async () => {
  runs = await openStoredRuns();
  const { database } = runs;
  const rates = new SettledRates(new ClusterCountsStore(database));
  const unknown = (name: string) => Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }));
  const own = new OwnServices(() => [], unknown);
  const service = new WebhooksService(
    new WebhooksStore(database),
    new WebhookDeliveriesStore(database),
    new WebhookPayloads(runs.reads, runs.scenarioRunReads, rates, settingsFrom({})),
    new TargetGuard(new TargetPolicy({ mode: 'public', allowed: [] }, own), own, unknown),
  );
  const keys = new IdempotencyKeysStore(database);
  const onceEach = new OncePerKey(keys, database, silentLog, new Jobs(database, silentLog));
  const webhooks = new WebhooksController(service, onceEach);
  const deliveries = new WebhookDeliveriesController(service);

  const app = express();
  app.use(express.json());
  const answer =
    (handle: (id: string, response: Response, request: Request) => Promise<unknown>) =>
    (request: Request, response: Response): void => {
      handle(String(request.params['id']), response, request).then(
        (view) => response.json(view ?? null),
        (error: unknown) =>
          response
            .status(error instanceof HttpException ? error.getStatus() : 500)
            .json({ error: error instanceof Error ? error.message : null }),
      );
    };
  app.get(
    '/webhooks',
    answer(() => webhooks.list(ANYONE)),
  );
  app.post(
    '/webhooks',
    answer((_id, response, { body }) => webhooks.create(createWebhook.body.parse(body), response)),
  );
  app.get(
    '/webhooks/:id',
    answer((id, response) => webhooks.find(id, ANYONE, response)),
  );
  app.patch(
    '/webhooks/:id',
    answer((id, response, { body }) => webhooks.update(id, updateWebhook.body.parse(body), response)),
  );
  app.delete(
    '/webhooks/:id',
    answer((id) => webhooks.delete(id)),
  );
  app.post(
    '/webhooks/:id/secret',
    answer((id, response) => webhooks.rotateSecret(id, response)),
  );
  app.post(
    '/webhooks/:id/test',
    answer((id, response) => webhooks.test(id, response)),
  );
  app.post(
    '/deliveries/:id',
    answer((id) => deliveries.redeliver(id)),
  );
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  await runs.close();
});

async function ask(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body: object = {}) {
  const answered = await fetch(origin + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  });
  const view = Object(await answered.json());
  return { status: answered.status, view, etag: answered.headers.get('etag') ?? '' };
}

const created = async (): Promise<string> => String((await ask('POST', '/webhooks', {}, { url: URL_OF_CI })).view.id);
const keyed = (key: string) => ({ 'idempotency-key': key });

describe('a webhook', () => {
  it('is read with its tag, and changed, tried and deleted by its id', async () => {
    const id = await created();
    const read = await ask('GET', `/webhooks/${id}`);
    expect(read.view).toMatchObject({ id, url: URL_OF_CI, deliveries: [] });
    expect(read.etag).toMatch(/^"[\w-]+\.[\w-]+"$/);
    const tag = { 'if-match': read.etag };
    const changed = await ask('PATCH', `/webhooks/${id}`, tag, { description: 'CI' });
    expect(changed).toMatchObject({ status: 200, view: { id, description: 'CI' } });
    expect(changed.etag).not.toBe('');
    expect(await ask('PATCH', `/webhooks/${id}`, tag, { description: 'Else' })).toMatchObject({ status: 412 });
    const { view: delivery } = await ask('POST', `/webhooks/${id}/test`);
    expect(delivery).toMatchObject({ type: 'webhook.test', status: 'pending' });
    expect((await ask('POST', `/deliveries/${delivery.id}`)).view).toMatchObject({ id: delivery.id });
    const { view: list } = await ask('GET', '/webhooks');
    expect(list.webhooks).toContainEqual(expect.objectContaining({ id, description: 'CI' }));
    expect((await ask('DELETE', `/webhooks/${id}`)).view).toEqual({});
    expect(await ask('GET', `/webhooks/${id}`)).toMatchObject({ status: 404 });
  });
});

describe('a request that is repeated with its Idempotency-Key', () => {
  it('has made one webhook, and is answered with it and its secret', async () => {
    const before = (await ask('GET', '/webhooks')).view.total;
    const first = await ask('POST', '/webhooks', keyed('made'), { url: URL_OF_CI });
    const again = await ask('POST', '/webhooks', keyed('made'), { url: URL_OF_CI });
    expect(first.view.secret).toMatch(/^whsec_[\w+/=]{40,}$/);
    expect(again).toEqual(first);
    expect((await ask('GET', '/webhooks')).view.total).toBe(before + 1);
    const other = await ask('POST', '/webhooks', keyed('made'), { url: `${URL_OF_CI}/other` });
    expect(other).toMatchObject({ status: 422 });
  });

  it('has given it one new secret, which it is answered with', async () => {
    const id = await created();
    const first = await ask('POST', `/webhooks/${id}/secret`, keyed('rotated'));
    const again = await ask('POST', `/webhooks/${id}/secret`, keyed('rotated'));
    expect(first.view.secret).toMatch(/^whsec_[\w+/=]{40,}$/);
    expect(again).toEqual(first);
    expect((await ask('POST', `/webhooks/${await created()}/secret`, keyed('rotated'))).status).toBe(422);
  });

  it('has tried it once, and is answered so until the webhook is deleted', async () => {
    const id = await created();
    const first = await ask('POST', `/webhooks/${id}/test`, keyed('tried'));
    expect(await ask('POST', `/webhooks/${id}/test`, keyed('tried'))).toEqual(first);
    expect((await ask('GET', `/webhooks/${id}`)).view.deliveries).toHaveLength(1);
    expect((await ask('POST', `/webhooks/${await created()}/test`, keyed('tried'))).status).toBe(422);
    await ask('DELETE', `/webhooks/${id}`);
    expect(await ask('POST', `/webhooks/${id}/test`, keyed('tried'))).toMatchObject({
      status: 409,
      view: { error: expect.stringContaining('was deleted meanwhile') },
    });
  });

  it.each(['secret', 'test'])('finds no webhook under an id that none has: %s', async (what) => {
    expect(await ask('POST', `/webhooks/no-id/${what}`, keyed(`unknown ${what}`.replace(' ', '-')))).toMatchObject({
      status: 404,
      view: { error: 'Webhook not found' },
    });
  });
});
