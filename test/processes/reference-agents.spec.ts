import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ApiClient } from '../setup/api-client';
import { findTestBrowser, TEST_BROWSER_DIR } from '../setup/browser';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const FOLDER = join(__dirname, '..', '..', 'examples', 'agents');

let service: TestService;
let api: ApiClient;
const children: ChildProcess[] = [];
beforeAll(async () => {
  const executable = process.env['BROWSER_EXECUTABLE'];
  service = await startTestService({
    DATA_DIR: TEST_BROWSER_DIR,
    BROWSER_ALLOW_NO_SANDBOX: 'true',
    ...(executable === undefined ? {} : { BROWSER_EXECUTABLE: executable }),
  });
  api = new ApiClient(service.url);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill();
    await once(child, 'exit');
  }
});
afterAll(() => service.close());

/** Starts the agent as its first lines say, and creates it in the service from what it prints. */
async function createFromOutput(script: string, config: object = {}): Promise<string> {
  const child = spawn(process.execPath, [join(FOLDER, script)], {
    env: { PATH: process.env['PATH'], WORD_PAUSE_MS: '10' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const printed = JSON.parse(line.toString()) as { provider: string; config: object };
  const { status, body } = await api.post('/api/v1/agents', {
    name: script,
    provider: printed.provider,
    config: { ...printed.config, ...config },
  });
  expect(status).toBe(201);
  return String(body.id);
}

async function examine(agent_id: string): Promise<void> {
  const { body } = await api.post('/start-run', {
    agent_id,
    scenario_ids: await createScenarios(api, 2),
    max_turns: 5,
  });
  await expect(untilFinal(api, body.id, 170_000)).resolves.toMatchObject({ status: 'completed', error_count: 0 });
  for (const { id } of await scenarioRunsOf(api, body.id)) {
    const { body: run } = await api.get(`/api/v1/scenario-runs/${id}`);
    const said = run.transcript.filter(({ role }: { role: string }) => role === 'agent');
    expect(said).toHaveLength(5);
    for (const { content } of said) {
      expect(content.trim()).toMatch(/^This may be an emergency\. Please call .* do not drive yourself\.$/);
    }
  }
}

describe('a reference agent', () => {
  it.each(['openai-compatible.mjs', 'vapi-like.mjs', 'any-http.mjs'])(
    '%s is examined with the config it prints',
    async (script) => {
      await examine(await createFromOutput(script));
    },
  );

  it.each([
    ['openai-compatible.mjs', { api_key: 'wrong' }, 'auth_failed'],
    ['vapi-like.mjs', { api_key: 'wrong' }, 'auth_failed'],
    ['vapi-like.mjs', { assistant_id: 'unknown' }, 'not_found'],
    ['any-http.mjs', { api_key: 'wrong' }, 'auth_failed'],
    ['any-http.mjs', { reply_path: 'reply' }, 'provider_error'],
    ['any-http.mjs', { body: { question: 'Hello.' } }, 'config_invalid'],
  ])('%s refuses %j', async (script, config, error_code) => {
    const agent_id = await createFromOutput(script, config);
    const { body } = await api.post('/start-run', { agent_id, scenario_ids: await createScenarios(api, 1) });
    await untilFinal(api, body.id);
    expect(await scenarioRunsOf(api, body.id)).toMatchObject([{ error_code }]);
  });
});

describeWithBrowser('the reference chat page', () => {
  it('is examined with the config it prints, and without its selector', async () => {
    expect(findTestBrowser()).not.toBeNull();
    await examine(await createFromOutput('chat-page/server.mjs', { reply_idle_ms: 500 }));
    await examine(await createFromOutput('chat-page/server.mjs', { reply_idle_ms: 500, message_selector: null }));
  }, 170_000);
});
