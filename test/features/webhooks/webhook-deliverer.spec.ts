import { randomBytes, randomUUID } from 'node:crypto';
import { WebhookDeliverer } from '../../../src/features/webhooks/webhook-deliverer';
import { WebhookDeliveriesStore } from '../../../src/features/webhooks/webhook-deliveries.store';
import type { WebhookDeliveryEntity } from '../../../src/features/webhooks/webhook.entity';
import { WebhookPayloads } from '../../../src/features/webhooks/webhook-payloads';
import { newSecret, WebhookSender, WebhookTimes } from '../../../src/features/webhooks/webhook-sender';
import { WebhooksStore } from '../../../src/features/webhooks/webhooks.store';
import { ClusterCountsStore } from '../../../src/features/runs/cluster-counts.store';
import { SettledRates } from '../../../src/features/statistics/settled-rates';
import { createLog, silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { Vault } from '../../../src/platform/database/encryption/vault';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { UpkeepTask, type Upkeep } from '../../../src/platform/jobs/upkeep';
import { OwnServices } from '../../../src/platform/targets/own-services';
import { TargetGuard } from '../../../src/platform/targets/target-guard';
import { TargetPolicy } from '../../../src/platform/targets/target-policy';
import { startHttpStub, type HttpStub, type StubRequest } from '../../fakes/http-stub';
import { status } from '../../fakes/misbehaviour';
import { eventually } from '../../setup/eventually';
import { storeGradedRun, storeScenarios } from '../../setup/graded-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

const WITHIN_MS = 20_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Runs that the database fails to read. */
const unreadable = new Set<string>();

class PartlyRead extends WebhookPayloads {
  override ofFinished(testRunId: string): ReturnType<WebhookPayloads['ofFinished']> {
    return unreadable.has(testRunId) ? Promise.reject(new Error('The database is away.')) : super.ofFinished(testRunId);
  }
}

/** Its upkeep can be done without waiting for its time. */
class NotedJobs extends Jobs {
  readonly upkeeps: Upkeep[] = [];

  override addUpkeep(upkeep: Upkeep): void {
    this.upkeeps.push(upkeep);
    super.addUpkeep(upkeep);
  }
}

let runs: StoredRuns;
let store: WebhooksStore;
let deliveries: WebhookDeliveriesStore;
let jobs: NotedJobs;
const lines: string[] = [];
let receiver: HttpStub;
beforeAll(async () => {
  runs = await openStoredRuns();
  store = new WebhooksStore(runs.database);
  deliveries = new WebhookDeliveriesStore(runs.database);
  const unknown = (name: string) => Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }));
  const own = new OwnServices(() => [], unknown);
  const sender = new WebhookSender(
    new TargetGuard(new TargetPolicy({ mode: 'local', allowed: [] }, own), own, unknown),
    new WebhookTimes(),
  );
  const rates = new SettledRates(new ClusterCountsStore(runs.database));
  const payloads = new PartlyRead(runs.reads, runs.scenarioRunReads, rates, settingsFrom({}));
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  jobs = new NotedJobs(runs.database, log);
  new WebhookDeliverer(jobs, deliveries, store, payloads, sender, log);
  jobs.onApplicationBootstrap();
});
afterAll(async () => {
  await jobs.beforeApplicationShutdown();
  await runs.close();
});
beforeEach(async () => {
  receiver = await startHttpStub((response) => response.writeHead(204).end());
});
afterEach(() => receiver.close());

async function addWebhook(path = '/hook'): Promise<string> {
  const fields = { description: null, events: ['test_run.finished'], secret: newSecret(), isActive: true };
  return (await store.create({ ...fields, url: receiver.origin + path })).id;
}

interface Put {
  /** Made so many times already. */
  readonly attempts?: number;
  /** A process began the last one, and its lease has ended. */
  readonly abandoned?: boolean;
  readonly testRunId?: string;
}

/** A delivery that is due. */
async function put(webhookId: string, { attempts = 0, abandoned = false, testRunId }: Put = {}): Promise<string> {
  const id = randomUUID();
  await runs.database.query(
    `INSERT INTO webhook_deliveries (id, webhook_id, type, test_run_id, payload, attempts, claim, next_attempt_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() - interval '1 second')`,
    [
      id,
      webhookId,
      testRunId === undefined ? 'webhook.test' : 'test_run.finished',
      testRunId ?? null,
      testRunId === undefined ? '{"type":"webhook.test"}' : null,
      attempts,
      abandoned ? randomUUID() : null,
    ],
  );
  return id;
}

/** The delivery once its attempt is over. */
async function attempted(id: string): Promise<WebhookDeliveryEntity> {
  let found: WebhookDeliveryEntity | null = null;
  await eventually(async () => {
    found = await deliveries.find(id);
    expect(found?.lastError ?? found?.deliveredAt ?? null).not.toBeNull();
    expect(found?.claim).toBeNull();
  }, WITHIN_MS);
  if (found === null) throw new Error('There is no such delivery.');
  return found;
}

const bodyOf = ({ body }: StubRequest): unknown => body;

describe('a delivery', () => {
  it.each([200, 299])('is delivered once its receiver answers %i', async (code) => {
    receiver.next(status(code));
    const delivered = await attempted(await put(await addWebhook()));
    expect(delivered).toMatchObject({
      status: 'delivered',
      attempts: 1,
      lastStatusCode: code,
      lastError: null,
      deliveredAt: expect.any(Date),
      nextAttemptAt: null,
    });
    expect(receiver.requests.map(bodyOf)).toEqual([{ type: 'webhook.test' }]);
  });

  it('that fails is tried again after longer and longer, three days in all, ten times', async () => {
    const waits = [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)];
    await receiver.close();
    const due = Array.from({ length: 10 }, async (_, before) => put(await addWebhook(), { attempts: before }));
    const tried = await Promise.all((await Promise.all(due)).map(attempted));
    for (const [before, wait] of waits.entries()) {
      const { status: state, attempts, lastError, nextAttemptAt, lastAttemptAt } = tried[before] ?? {};
      expect({ state, attempts, lastError }).toEqual({
        state: 'pending',
        attempts: before + 1,
        lastError: 'The receiver cannot be reached (ECONNREFUSED).',
      });
      // A tenth more or less, so that those that failed together are not tried again together.
      const waited = (nextAttemptAt?.getTime() ?? 0) - (lastAttemptAt?.getTime() ?? 0);
      expect(waited).toBeGreaterThanOrEqual(0.9 * wait);
      expect(waited).toBeLessThanOrEqual(1.1 * wait + 30_000);
    }
    expect(tried[9]).toMatchObject({ status: 'failed', attempts: 10, nextAttemptAt: null });
  });

  it('whose last attempt died with its process has failed, and says that the log says why', async () => {
    const given = await attempted(await put(await addWebhook(), { attempts: 10, abandoned: true }));
    expect(given).toMatchObject({
      status: 'failed',
      lastError: 'The service did not finish the last attempt; its log says why. Redeliver it to have it sent again.',
    });
    expect(receiver.requests).toEqual([]);
  });

  it('to a receiver that wants nothing any more has failed at once, and switches its webhook off', async () => {
    const webhookId = await addWebhook();
    receiver.next(status(410, 'Gone.'));
    expect(await attempted(await put(webhookId))).toMatchObject({
      status: 'failed',
      attempts: 1,
      lastStatusCode: 410,
      lastError: 'The receiver answered 410.',
      responseExcerpt: '"Gone."',
      nextAttemptAt: null,
    });
    expect(await store.find(webhookId)).toMatchObject({
      isActive: false,
      disabledReason: 'The receiver answered 410: it wants nothing any more. Switch the webhook on again if it does.',
    });
  });

  it('of a run says in every attempt what it said in the first', async () => {
    const [scenario = ''] = await storeScenarios(runs.database, [`Told ${randomUUID()}`]);
    const testRunId = await storeGradedRun(runs.database, [{ id: scenario, name: 'Told', outcomes: ['passed'] }]);
    receiver.next(status(500));
    const id = await put(await addWebhook(), { testRunId });
    expect(await attempted(id)).toMatchObject({ status: 'pending', lastError: 'The receiver answered 500.' });
    await runs.database.query(`UPDATE test_runs SET name = 'Another name' WHERE id = $1`, [testRunId]);
    await deliveries.redeliver(id);
    await receiver.until(() => receiver.requests.length === 2, WITHIN_MS);
    const [first, again] = receiver.requests.map(bodyOf);
    expect(first).toMatchObject({ type: 'test_run.finished', data: { test_run: { id: testRunId, name: null } } });
    expect(again).toEqual(first);
    await eventually(async () => expect(await deliveries.find(id)).toMatchObject({ status: 'delivered' }), WITHIN_MS);
  });

  it('is signed with the secret before the present one too, for as long as both sign', async () => {
    const webhookId = await addWebhook();
    const signaturesOf = ({ headers }: StubRequest) => String(headers['webhook-signature']).split(' ').length;
    await attempted(await put(webhookId));
    await store.rotateSecret(webhookId, newSecret(), 1);
    await attempted(await put(webhookId));
    await runs.database.query(`UPDATE webhooks SET previous_secret_expires_at = now() WHERE id = $1`, [webhookId]);
    await attempted(await put(webhookId));
    expect(receiver.requests.map(signaturesOf)).toEqual([1, 2, 1]);
  });

  it('whose secret has a key that this process is not given waits a minute, which is no attempt', async () => {
    const webhookId = await addWebhook();
    const sealed = Vault.of([randomBytes(32).toString('base64')]).sealText(newSecret(), 'webhooks.secret');
    await runs.database.query('UPDATE webhooks SET secret = $2 WHERE id = $1', [webhookId, sealed]);
    const before = Date.now();
    const waiting = await attempted(await put(webhookId));
    expect(waiting).toMatchObject({
      status: 'pending',
      attempts: 0,
      lastStatusCode: null,
      lastError: expect.stringMatching(/ is encrypted with the key [0-9a-f]{8}, and SECRETS_KEY is not set\.$/),
    });
    expect(waiting.nextAttemptAt?.getTime()).toBeGreaterThanOrEqual(before + 50_000);
    expect(receiver.requests).toEqual([]);
  });

  it('whose run cannot be read is put off, which is no attempt, and the log says why', async () => {
    const [scenario = ''] = await storeScenarios(runs.database, [`Unread ${randomUUID()}`]);
    const testRunId = await storeGradedRun(runs.database, [{ id: scenario, name: 'Unread', outcomes: ['passed'] }]);
    unreadable.add(testRunId);
    const before = Date.now();
    const id = await put(await addWebhook(), { testRunId });
    const waiting = await attempted(id);
    expect(waiting).toMatchObject({
      status: 'pending',
      attempts: 0,
      lastError: 'The test run could not be read; this is tried again within a minute.',
    });
    expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ delivery: id, error: expect.objectContaining({ message: 'The database is away.' }) }),
    );
    expect(waiting.nextAttemptAt?.getTime()).toBeGreaterThanOrEqual(before + 20_000);
    expect(receiver.requests).toEqual([]);
  });

  it('of a run that is gone has failed without being sent', async () => {
    const gone = await attempted(await put(await addWebhook(), { testRunId: randomUUID() }));
    expect(gone).toMatchObject({
      status: 'failed',
      lastStatusCode: null,
      lastError: 'The test run was deleted before this was sent.',
    });
    expect(receiver.requests).toEqual([]);
  });
});

test('what is no longer needed is forgotten now and then: old deliveries, and secrets that sign no more', async () => {
  const webhookId = await addWebhook();
  await store.rotateSecret(webhookId, newSecret(), 1);
  await runs.database.query('UPDATE webhooks SET previous_secret_expires_at = now() WHERE id = $1', [webhookId]);
  const [old, recent] = [await attempted(await put(webhookId)), await attempted(await put(webhookId))];
  await runs.database.query(`UPDATE webhook_deliveries SET created_at = now() - interval '31 days' WHERE id = $1`, [
    old.id,
  ]);
  expect(jobs.upkeeps).toHaveLength(1);
  for (const upkeep of jobs.upkeeps) await new UpkeepTask(upkeep, runs.database, silentLog).round();
  expect(await deliveries.find(old.id)).toBeNull();
  expect(await deliveries.find(recent.id)).not.toBeNull();
  expect(await store.find(webhookId)).toMatchObject({ previousSecret: null, previousSecretExpiresAt: null });
});
