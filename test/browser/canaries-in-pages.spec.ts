import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeChatPage, type FakeChatPage } from '../fakes/chat-page';
import { hang, status } from '../fakes/misbehaviour';
import { ApiClient, type Answer } from '../setup/api-client';
import { TEST_BROWSER_DIR } from '../setup/browser';
import { Canaries } from '../setup/canaries';
import { CanaryExaminer } from '../setup/canary-examiner';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { query } from '../setup/embedded-postgres';
import { createScenarios, GOOD_REPLY, scenarioRunsOf } from '../setup/examination';
import { everyRow } from '../setup/read-everything';
import { freePort, startServiceProcess, type ServiceProcess } from '../setup/service-process';

const OWN = ['SERVICE_API_KEY', 'METRICS_TOKEN', 'SECRETS_KEY'];
const SENT = ['cookie', 'headers', 'token'];

describeWithBrowser('agents on chat pages', () => {
  const canaries = new Canaries();
  canaries.add('SECRETS_KEY', randomBytes(32).toString('base64'));
  const adminKey = canaries.of('SERVICE_API_KEY');
  /** For what the browser writes. */
  const folder = mkdtempSync(join(tmpdir(), 'agent-osce-canaries-'));
  let page: FakeChatPage;
  let database: TestDatabase;
  let service: ServiceProcess;
  let api: ApiClient;
  let examiner: CanaryExaminer;

  beforeAll(async () => {
    // Also for the user that the browser runs as.
    chmodSync(folder, 0o1777);
    page = await startFakeChatPage({ reply: saysEverything });
    database = await createTestDatabase();
    const executable = process.env['BROWSER_EXECUTABLE'];
    service = await startServiceProcess({
      DATABASE_URL: database.url,
      DATA_DIR: TEST_BROWSER_DIR,
      BROWSER_ALLOW_NO_SANDBOX: 'true',
      ...(executable === undefined ? {} : { BROWSER_EXECUTABLE: executable }),
      // The program that stands before the browser is TypeScript here, too.
      NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '',
      TMPDIR: folder,
      LOG_LEVEL: 'debug',
      MASK_CREDENTIALS: 'true',
      SERVICE_API_KEY: adminKey,
      METRICS_TOKEN: canaries.of('METRICS_TOKEN'),
      SECRETS_KEY: canaries.of('SECRETS_KEY'),
    });
    api = new ApiClient(service.url, { 'x-api-key': adminKey });
    examiner = new CanaryExaminer(api);
  });
  afterAll(async () => {
    await service?.end('SIGTERM');
    await database?.drop();
    await page?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** All that the page's server was sent and its scripts can see, and what it knows from elsewhere. */
  function saysEverything(): string {
    const places = [...SENT, 'localStorage', 'fragment', ...OWN].map((place) => canaries.of(place));
    return `I know ${places.join(' and ')}, and ${JSON.stringify(page.pageRequests.at(-1))}. ${GOOD_REPLY}`;
  }

  const configFor = (base: string): object => ({
    url: `${base}?token=${canaries.of('token')}#access_token=${canaries.of('fragment')}`,
    headers: { 'x-tenant': canaries.of('headers') },
    storage_state: {
      cookies: [{ name: 'session', value: canaries.of('cookie'), domain: '127.0.0.1', path: '/' }],
      origins: [
        { origin: new URL(base).origin, localStorage: [{ name: 'login', value: canaries.of('localStorage') }] },
      ],
    },
    message_selector: '.message.agent',
    reply_idle_ms: 250,
    max_retries: 0,
    // Within it a busy machine also has to open the page.
    turn_timeout_ms: 30_000,
  });

  const examine = async (agentId: string): Promise<Answer['body']> => {
    const run = await examiner.examine(agentId, await createScenarios(api, 1));
    const [{ id }] = await scenarioRunsOf(api, run.id);
    return (await api.get(`/api/v1/scenario-runs/${id}`)).body;
  };

  it('are sent their secrets, which are found again nowhere else', async () => {
    const gone = `http://127.0.0.1:${await freePort()}/`;
    const [answering = '', unreachable = ''] = await examiner.createAgents({
      'browser that answers': configFor(page.baseUrl),
      'browser without a server': configFor(gone),
    });
    expect(await examiner.try(answering)).toMatchObject({
      ok: true,
      reply: expect.stringContaining('I know [removed]'),
    });
    const passed = await examine(answering);
    expect([passed.status, passed.error_message]).toEqual(['passed', null]);
    expect(passed.transcript[1].content).toContain('I know [removed]');
    page.next(status(401, saysEverything(), { 'access-control-allow-origin': '*' }), hang());
    const failed = await Promise.all([answering, answering, unreachable].map(examine));
    expect(failed.map(({ error_code }) => error_code).sort()).toEqual([
      'auth_failed',
      'connect_failed',
      'provider_timeout',
    ]);
    expect(failed.map(({ screenshot_url }) => typeof screenshot_url)).toEqual(['string', 'string', 'string']);
    expect(await examiner.try(unreachable)).toMatchObject({ ok: false, error_code: 'connect_failed' });

    await examiner.readEverything(adminKey, canaries.of('METRICS_TOKEN'));
    const rows = await everyRow((sql) => query(database.url, sql));
    await service.end('SIGTERM');

    expect(canaries.foundIn(JSON.stringify(page.pageRequests)).sort()).toEqual(SENT);
    expect(canaries.leaksIn(examiner.seen)).toEqual([]);
    expect(canaries.leaksIn(rows)).toEqual([]);
    const lines = service.output().split('\n');
    expect(canaries.leaksIn(lines.map((text) => ({ from: text, text })))).toEqual([]);
    expect(canaries.foundBelow(folder)).toEqual({});
  }, 180_000);
});
