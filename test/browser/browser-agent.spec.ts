import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFakeChatPage, type ChatPageOptions, type FakeChatPage } from '../fakes/chat-page';
import { hang } from '../fakes/misbehaviour';
import { ApiClient } from '../setup/api-client';
import { TEST_BROWSER_DIR } from '../setup/browser';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

describeWithBrowser('examining a chat page', () => {
  let service: TestService;
  let api: ApiClient;
  let page: FakeChatPage | undefined;
  beforeAll(async () => {
    const executable = process.env['BROWSER_EXECUTABLE'];
    service = await startTestService({
      DATA_DIR: TEST_BROWSER_DIR,
      BROWSER_ALLOW_NO_SANDBOX: 'true',
      ...(executable === undefined ? {} : { BROWSER_EXECUTABLE: executable }),
    });
    api = new ApiClient(service.url);
  });
  afterEach(() => page?.close());
  afterAll(() => service.close());

  async function agentFor(look: ChatPageOptions, config: object = {}): Promise<string> {
    page = await startFakeChatPage(look);
    const { body } = await api.post('/api/v1/agents', {
      name: 'Chat page',
      provider: 'browser',
      config: { url: page.baseUrl, message_selector: '.message.agent', reply_idle_ms: 250, ...config },
    });
    return String(body.id);
  }

  const start = async (agent_id: string, scenarios: number) => {
    const scenario_ids = await createScenarios(api, scenarios);
    const { status, body } = await api.post('/start-run', { agent_id, scenario_ids, max_turns: 5 });
    expect(status).toBe(200);
    return String(body.id);
  };

  it('runs 10 scenarios of 5 turns: every reply whole, in order, none twice', async () => {
    // A reply names its turn and comes word by word.
    const reply = (heard: readonly unknown[]) => `${(heard.length + 1) / 2}. ${GOOD_REPLY}`;
    const id = await start(await agentFor({ reply, wordPauseMs: 20, typing: 'indicator' }), 10);
    const run = await untilFinal(api, id, 150_000);
    expect(run).toMatchObject({ status: 'completed', passed_count: 10, error_count: 0 });
    for (const { id: scenarioRunId } of await scenarioRunsOf(api, id)) {
      const { body } = await api.get(`/api/v1/scenario-runs/${scenarioRunId}`);
      const said = body.transcript.filter(({ role }: { role: string }) => role === 'agent');
      expect(said.map(({ content }: { content: string }) => content)).toEqual(
        [1, 2, 3, 4, 5].map((turn) => `${turn}. ${GOOD_REPLY}`),
      );
      expect(body).toMatchObject({ screenshot_url: null, metadata: { session: { page: page?.baseUrl } } });
    }
    expect(page?.requests).toHaveLength(50);
    await page?.until(() => page?.openSockets === 0);
  }, 170_000);

  it('closes the page when the run is canceled in the middle of a turn', async () => {
    const agentId = await agentFor({});
    page?.next(hang());
    const id = await start(agentId, 1);
    await page?.until(() => page?.inFlight === 1);
    await api.post('/cancel-run', { test_run_id: id });
    // The page's own connection is gone with it.
    await page?.until(() => page?.openSockets === 0);
    await sleep(300);
    expect(page?.requests).toHaveLength(1);
    await expect(untilFinal(api, id)).resolves.toMatchObject({ status: 'canceled' });
  });

  it('shows what the page looked like when it never answered', async () => {
    // Within it a busy machine also has to open the page.
    const agentId = await agentFor({}, { turn_timeout_ms: 10_000 });
    page?.next(hang());
    const id = await start(agentId, 1);
    await expect(untilFinal(api, id)).resolves.toMatchObject({ status: 'failed', error_count: 1 });
    const [listed] = await scenarioRunsOf(api, id);
    expect(listed).toMatchObject({
      error_code: 'provider_timeout',
      error_message: 'The page showed no reply within 10 s.',
      screenshot_url: `/api/v1/scenario-runs/${listed.id}/screenshot`,
    });
    const response = await fetch(service.url + listed.screenshot_url);
    expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'image/jpeg',
    });
    const picture = Buffer.from(await response.arrayBuffer());
    expect(picture.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(picture.length).toBeGreaterThan(2_000);
  });

  it('is found by the health check, which tells of a sandbox that could not be had', async () => {
    const { body } = await api.get('/health');
    const { status, detail } = body.checks.browser;
    expect(detail).toMatch(/^Browser agents are examined with .* (in its|without a) sandbox/);
    expect(status).toBe(detail.includes('without a sandbox') ? 'warning' : 'ok');
  });
});

describe('without a browser', () => {
  const refusals = async (settings: Readonly<Record<string, string>>) => {
    const service = await startTestService(settings);
    const api = new ApiClient(service.url);
    const { body: agent } = await api.post('/api/v1/agents', {
      name: 'Chat page',
      provider: 'browser',
      config: { url: 'http://127.0.0.1:9/' },
    });
    const scenario_ids = await createScenarios(api, 1);
    const refused = await api.post('/start-run', { agent_id: agent.id, scenario_ids });
    const { body: health } = await api.get('/health');
    await service.close();
    return { refused, health };
  };

  it('start-run is refused with what to do, and health warns', async () => {
    const { refused, health } = await refusals({ BROWSER_EXECUTABLE: '/nowhere/chromium' });
    const reason = 'BROWSER_EXECUTABLE names /nowhere/chromium, which is not an executable program.';
    expect(refused).toMatchObject({ status: 400, body: { error: `Unsupported provider: browser. ${reason}` } });
    expect(health).toMatchObject({ status: 'ok', checks: { browser: { status: 'warning', detail: reason } } });
  });

  if (process.getuid?.() === 0) {
    it('that anybody but root can start, the same', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'osce-closed-'));
      const program = join(folder, 'chromium');
      writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
      const { refused, health } = await refusals({ BROWSER_EXECUTABLE: program });
      rmSync(folder, { recursive: true });
      const { status, detail } = health.checks.browser;
      expect(refused).toMatchObject({ status: 400, body: { error: `Unsupported provider: browser. ${detail}` } });
      expect({ status, detail }).toEqual({
        status: 'warning',
        detail: expect.stringContaining('BROWSER_ALLOW_NO_SANDBOX'),
      });
    });
  }
});
