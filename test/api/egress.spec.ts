import { createLog } from '../../src/platform/config/log';
import { settingsFrom } from '../../src/platform/config/settings';
import { createApp } from '../../src/start/create-app';
import { startFakeAnthropic } from '../fakes/anthropic-server';
import { startForwardProxy, type FakeForwardProxy } from '../fakes/forward-proxy';
import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { completion } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

/** Nothing leaves this machine: whatever the proxy is asked for, it connects to the stub. */
const PUBLIC = 'http://93.184.216.34';
const PASSWORD = 'hunter2-hunter2';

describe('a service that reaches everything through a forward proxy', () => {
  let world: HttpStub;
  let proxy: FakeForwardProxy;
  let service: TestService;
  let api: ApiClient;
  let log: string;
  const closing: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function start(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    world = await startHttpStub((response, { path }) =>
      path.includes('/chat/completions')
        ? sendJson(response, 200, completion('Please call an ambulance now.'))
        : void response.writeHead(204).end(),
    );
    proxy = await startForwardProxy({ leadsTo: world.origin, credentials: `night:${PASSWORD}` });
    closing.push(
      () => world.close(),
      () => proxy.close(),
    );
    log = '';
    service = await startTestService(
      { TARGETS: 'public', HTTP_PROXY: proxy.url, ...variables },
      { log: createLog('debug', { write: (line) => void (log += line) }) },
    );
    closing.push(() => service.close());
    api = new ApiClient(service.url);
  }

  async function webhookTested(url: string): Promise<Answer['body']> {
    const { body: webhook } = await api.post('/api/v1/webhooks', { url });
    const { body } = await api.post(`/api/v1/webhooks/${webhook.id}/test`);
    let delivery: Answer['body'];
    await eventually(async () => {
      const { deliveries } = (await api.get(`/api/v1/webhooks/${webhook.id}`)).body;
      delivery = deliveries.find(({ id }: Answer['body']) => id === body.id);
      expect([delivery?.last_status_code, delivery?.last_error]).not.toEqual([null, null]);
    });
    return delivery;
  }

  it('says so in one line, without its credentials', async () => {
    await start();
    const lines = log.split('\n').filter((line) => line.includes('Requests leave through a proxy'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'info',
        HTTP_PROXY: `127.0.0.1:${proxy.port}`,
        for: 'language models, agents, webhooks, traces, the provider of identities',
      },
    ]);
    expect(log).not.toContain(PASSWORD);
  });

  it('tells webhooks through it', async () => {
    await start();
    expect(await webhookTested(`${PUBLIC}/hook`)).toMatchObject({ last_status_code: 204 });
    expect(proxy.asked).toEqual([{ method: 'CONNECT', target: '93.184.216.34:80', credentials: `night:${PASSWORD}` }]);
    expect(world.requests).toMatchObject([{ path: '/hook', headers: { host: '93.184.216.34' } }]);
  });

  it('tells no webhook at a forbidden address, and says why one could not be told', async () => {
    await start();
    expect(await api.post('/api/v1/webhooks', { url: 'http://169.254.169.254/hook' })).toMatchObject({ status: 400 });
    proxy.behave({ status: 403 });
    expect(await webhookTested(`${PUBLIC}/hook`)).toMatchObject({
      last_status_code: null,
      last_error: expect.stringMatching(
        /^The proxy 127\.0\.0\.1:\d+ refuses to connect to 93\.184\.216\.34:80 \(403\): have its rules allow CONNECT to it, or add the host to NO_PROXY\.$/,
      ),
    });
    expect(world.requests).toEqual([]);
  });

  it('examines agents through it; when it lets nothing through, that is an error and no failed conversation', async () => {
    await start();
    const agentId = await createAgent(api, `${PUBLIC}/v1`, { max_retries: 0 });
    const tried = await api.post(`/api/v1/agents/${agentId}/try`, { message: 'Hello.' });
    expect(tried).toMatchObject({ status: 200, body: { ok: true } });
    expect(proxy.asked).toMatchObject([{ target: '93.184.216.34:80' }]);

    proxy.behave({ status: 407 });
    await eventually(async () => {
      const again = await api.post(`/api/v1/agents/${await createAgent(api, `${PUBLIC}:8080/v1`)}/try`, {
        message: 'Hello.',
      });
      expect(again.body).toMatchObject({ ok: false, error_code: 'connect_failed' });
    });
    const other = await createAgent(api, 'http://93.184.216.35/v1', { max_retries: 0 });
    const scenarios = await createScenarios(api, 1);
    const { body } = await api.post('/start-run', { agent_id: other, scenario_ids: scenarios });
    await untilFinal(api, String(body.test_run_id));
    const runs = await scenarioRunsOf(api, String(body.test_run_id));
    expect(runs).toMatchObject([
      {
        status: 'error',
        error_code: 'connect_failed',
        error_message: `The proxy 127.0.0.1:${proxy.port} does not accept the credentials (407): check user and password in HTTP_PROXY.`,
      },
    ]);
    const everything = [log, JSON.stringify(runs)].join('\n');
    for (const secret of [PASSWORD, Buffer.from(`night:${PASSWORD}`).toString('base64')])
      expect(everything).not.toContain(secret);
  });

  it('lets an agent be told of the credentials by whoever stands in its place, and shows them nowhere', async () => {
    await start();
    const inHeader = Buffer.from(`night:${PASSWORD}`).toString('base64');
    const reply = JSON.stringify(completion(`You sent Basic ${inHeader}, which is ${PASSWORD}.`));
    proxy.behave({
      pretend: `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${reply.length}\r\n\r\n${reply}`,
    });
    const agentId = await createAgent(api, `${PUBLIC}/v1`);
    const { body } = await api.post(`/api/v1/agents/${agentId}/try`, { message: 'Hello.' });
    expect(body).toMatchObject({ ok: true });
    for (const secret of [PASSWORD, inHeader]) expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('starts when its proxy is down, and says which model server does not answer and why', async () => {
    const model = await startFakeAnthropic();
    closing.push(() => model.close());
    await start({
      ANTHROPIC_API_KEY: 'sk-ant-test',
      ANTHROPIC_BASE_URL: 'http://models.example',
      HTTP_PROXY: 'http://127.0.0.1:9',
    });
    expect(log).toContain(
      'The proxy 127.0.0.1:9 cannot be reached (ECONNREFUSED): check that it runs, and HTTP_PROXY.',
    );
  });

  it('does not start with a proxy that is none', async () => {
    const start = () => createApp(settingsFrom({ HTTPS_PROXY: 'foo' }), createLog('silent'));
    await expect(async () => start()).rejects.toThrow(/^HTTPS_PROXY must be the address of an HTTP proxy/);
  });
});
