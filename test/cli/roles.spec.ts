import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios } from '../setup/examination';
import { osce, type CommandOptions } from '../setup/osce-command';
import { KEYS, keyVariables } from '../setup/role-keys';
import { startTestService, type TestService } from '../setup/service';

const NEEDS_ADMIN =
  'osce: Refused (403): This takes a key with the role admin; the key "runner 1" has the role runner.\n';
const NEEDS_RUNNER =
  'osce: Refused (403): This takes a key with the role runner; the key "viewer-of-the-clinic" has the role viewer.\n';
const SCENARIO = JSON.stringify({
  name: 'New',
  category: 'test',
  content: { chief_complaint: 'A cough.', demographics: {}, script: 'You have a cough.' },
  rubric_criteria: [{ criterion: 'Asks since when', points: 1 }],
});

let service: TestService;
let agent: FakeAgent;
let api: ApiClient;
let scenario: string;
beforeAll(async () => {
  service = await startTestService(keyVariables());
  agent = await startFakeOpenAi();
  api = new ApiClient(service.url, { 'x-api-key': KEYS.admin });
  await createAgent(api, agent.baseUrl, { api_key: 'sk-0123456789abcdef' });
  [scenario = ''] = await createScenarios(api, 1);
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

const as = (key: string, args: readonly string[], options: CommandOptions = {}) =>
  osce(args, { url: service.url, key, ...options });
const everything = async () => [
  (await api.get('/api/v1/agents')).body,
  (await api.get('/api/v1/scenarios')).body,
  (await api.get('/api/v1/test-suites')).body,
  (await api.get('/api/v1/tests')).body,
];

describe('a command for which the role of the key is not enough', () => {
  it.each<[string, (id: string) => readonly string[]]>([
    ['deletes nothing', (id) => ['scenarios', 'delete', id]],
    ['purges nothing', (id) => ['scenarios', 'delete', '--purge', id]],
    ['makes nothing', () => ['agents', 'create', '--name', 'b', '--provider', 'openai']],
    ['changes nothing', () => ['agents', 'update', 'Agent under test', '--inactive']],
    ['shows no audit trail', () => ['audit']],
  ])('%s, says which role is needed, and exits with 2', async (_, args) => {
    const before = await everything();
    expect(await as(KEYS.runner, args(scenario))).toEqual({ code: 2, stdout: '', stderr: NEEDS_ADMIN });
    expect(await everything()).toEqual(before);
  });

  it('starts no run, bar or not', async () => {
    const before = await everything();
    for (const more of [[], ['--watch', '--fail-under', '80']]) {
      const ended = await as(KEYS.viewer, ['run', '--agent', 'Agent under test', '--scenario', scenario, ...more]);
      expect(ended).toEqual({ code: 2, stdout: '', stderr: NEEDS_RUNNER });
    }
    expect(await everything()).toEqual(before);
  });

  it('imports nothing', async () => {
    const before = await everything();
    const refused = NEEDS_ADMIN.trim().replace('osce: ', 'osce: standard input:1: ');
    expect(await as(KEYS.runner, ['import', '-'], { input: SCENARIO })).toMatchObject({
      code: 2,
      stderr: `${refused} Nothing was imported.\n`,
    });
    expect(await everything()).toEqual(before);
  });

  it('examines nothing in a CI job whose run could not become the baseline', async () => {
    const before = await everything();
    const folder = await mkdtemp(join(tmpdir(), 'agent-osce-ci-test-'));
    const environment = { OSCE_AGENT: 'Agent under test', OSCE_TAGS: 'test', OSCE_SET_BASELINE: 'true' };
    const ended = await osce(['ci'], { url: service.url, key: KEYS.runner, cwd: folder, environment });
    await rm(folder, { recursive: true });
    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'osce: OSCE_SET_BASELINE takes a key with the role admin; the key "runner 1" has the role runner. Nothing was examined.\n',
    });
    expect(await everything()).toEqual(before);
  });

  it('says it as JSON on standard output when asked to', async () => {
    const { code, stdout } = await as(KEYS.runner, ['scenarios', 'delete', scenario, '--json']);
    expect({ code, answer: JSON.parse(stdout) }).toEqual({
      code: 2,
      answer: { error: NEEDS_ADMIN.slice('osce: '.length).trim() },
    });
  });
});

it('a role that is enough shows nothing of secrets, with --show-secrets either', async () => {
  const { code, stdout } = await as(KEYS.viewer, ['agents', 'list', '--show-secrets', '--json']);
  expect(code).toBe(0);
  expect(stdout).toContain('sk-0••••••••');
  expect(stdout).not.toContain('sk-0123456789abcdef');
});
