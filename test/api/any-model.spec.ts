import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ModelAddresses } from '../../src/examiners/model/model-addresses';
import { silentLog } from '../../src/platform/config/log';
import { SettingsError, settingsFrom } from '../../src/platform/config/settings';
import { Egress } from '../../src/platform/egress/egress';
import { startFakeAnthropic } from '../fakes/anthropic-server';
import { startFakeOpenAiModel, type Ability } from '../fakes/openai-model-server';
import { examineWith } from '../setup/examine-with';
import { startTestService } from '../setup/service';

describe('a run is played and marked by any model', () => {
  test.each<[Ability, number]>([
    ['schema', 2],
    ['tools', 3],
    ['words', 4],
    ['deaf', 3],
  ])('of an OpenAI-compatible server: %s', async (ability, judgeCalls) => {
    const models = await startFakeOpenAiModel({ ability });
    const { run, result, health } = await examineWith({
      TESTER_MODEL: 'openai/patient-1',
      JUDGE_MODEL: 'openai/examiners/judge-1',
      EXAMINER_BASE_URL: models.url,
      EXAMINER_API_KEY: 'sk-examiner',
    });
    expect(run).toMatchObject({ status: 'completed', passed_count: 1, pass_rate: 100 });
    expect(result).toMatchObject({ status: 'passed', error_message: null });
    expect(result.metadata).toMatchObject({
      offline: false,
      tester: { name: 'openai', model: 'patient-1' },
      judge: { name: 'openai', model: 'examiners/judge-1', answered_by: ['fake'], seed: expect.any(Number) },
      usage: { tester: { cost_usd: null }, judge: { cost_usd: null } },
    });
    const { tester, judge } = result.metadata.usage;
    expect(tester.input_tokens).toBeGreaterThanOrEqual(400);
    expect(tester.output_tokens).toBe(tester.input_tokens / 5);
    expect(judge.input_tokens).toBeGreaterThanOrEqual(100);
    expect(models.calls.judge).toBe(judgeCalls);
    expect(health.checks).toMatchObject({ tester: { status: 'ok' }, judge: { status: 'ok' } });
    expect(JSON.stringify([run, result, health])).not.toContain('sk-examiner');
    await models.close();
  });

  test('of two vendors, each with the key that is its own', async () => {
    const anthropic = await startFakeAnthropic();
    const other = await startFakeOpenAiModel();
    const { result, agentKeys } = await examineWith({
      ANTHROPIC_API_KEY: 'sk-ant-tester',
      ANTHROPIC_BASE_URL: anthropic.url,
      TESTER_MODEL: 'anthropic/claude-haiku-4-5',
      JUDGE_MODEL: 'openai/judge-1',
      JUDGE_BASE_URL: other.url,
      JUDGE_API_KEY: 'sk-judge',
      OPENAI_API_KEY: 'sk-agents',
      OPENAI_API_KEY_HOSTS: '127.0.0.1',
    });
    expect(result.metadata).toMatchObject({
      tester: { name: 'anthropic', model: 'claude-haiku-4-5' },
      judge: { name: 'openai', model: 'judge-1' },
    });
    expect(result.metadata.usage.tester.cost_usd).toBeGreaterThan(0);
    expect(result.metadata.usage.judge.cost_usd).toBeNull();
    expect(new Set(other.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer sk-judge']));
    expect(JSON.stringify(anthropic.requests.map(({ headers }) => headers))).not.toMatch(/sk-judge|sk-agents/);
    expect(agentKeys).toEqual(new Set(['Bearer sk-agents']));
    await anthropic.close();
    await other.close();
  });

  test('and a judge that never answers in shape is an error of the harness', async () => {
    const models = await startFakeOpenAiModel({
      answer: ({ purpose }) => (purpose === 'judge' ? { kind: 'json', value: { verdict: 'fine' } } : undefined),
    });
    const { result } = await examineWith({
      TESTER_MODEL: 'openai/m',
      JUDGE_MODEL: 'openai/m',
      EXAMINER_BASE_URL: models.url,
      EXAMINER_API_KEY: 'any',
    });
    expect(result).toMatchObject({ status: 'error', error_code: 'grading_failed', passed: null });
    await models.close();
  });
});

describe('an address that is no model server', () => {
  const at = async (
    status: number,
    headers: Record<string, string>,
    body = '<!doctype html><title>Chat</title>',
  ): Promise<{ readonly url: string; readonly close: () => void }> => {
    const server = createServer((_request, response) => response.writeHead(status, headers).end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
  };
  const variables = (url: string) => ({ JUDGE_MODEL: 'openai/m', JUDGE_BASE_URL: url, JUDGE_API_KEY: 'sk-judge' });
  /** What a service does before it takes up work, without the rest of it. */
  const look = (url: string) =>
    new ModelAddresses(settingsFrom(variables(url)), silentLog, Egress.direct()).onModuleInit();

  test('keeps a service from starting', async () => {
    const { url, close } = await at(200, { 'content-type': 'text/html' });
    await expect(startTestService(variables(url))).rejects.toThrow(/^JUDGE_BASE_URL .* answers with a web page/);
    close();
  });

  test.each([
    ['a page', 200, { 'content-type': 'text/html; charset=utf-8' }, 'answers with a web page'],
    ['a page that is not found', 404, { 'content-type': 'text/html' }, 'answers with a web page'],
    ['a page that says it is JSON', 200, { 'content-type': 'application/json' }, 'answers with a web page'],
    ['a redirect elsewhere', 302, { location: 'https://login.example/?next=1' }, 'redirects to https://login.example'],
  ])('refuses the start: %s', async (_, status, headers, words) => {
    const { url, close } = await at(status, headers);
    const starting = look(url);
    await expect(starting).rejects.toBeInstanceOf(SettingsError);
    await expect(starting).rejects.toThrow(`JUDGE_BASE_URL (${new URL(url).host}) ${words}`);
    await expect(starting).rejects.not.toThrow('sk-judge');
    close();
  });

  test.each([
    ['a gateway that fails', 502, { 'content-type': 'text/html' }],
    ['a gateway that refuses', 403, { 'content-type': 'text/html' }],
    ['a server without such a list', 404, { 'content-type': 'application/json' }],
    ['a redirect on the same server', 307, { location: '/v1/models/' }],
  ])('starts all the same: %s', async (_, status, headers) => {
    const { url, close } = await at(status, headers, status === 404 ? '{"detail":"Not Found"}' : undefined);
    await look(url);
    close();
  });

  test('starts while nothing answers there, or not in time', async () => {
    const { url, close } = await at(200, {});
    close();
    await (await startTestService(variables(url))).close();
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    await look(`http://127.0.0.1:${port}`);
    silent.closeAllConnections();
    silent.close();
  });
});
