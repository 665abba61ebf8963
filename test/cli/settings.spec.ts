import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson, startHttpStub, type Step } from '../fakes/http-stub';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios } from '../setup/examination';
import { osce, type CommandOptions } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

const KEY = 'osce-key-3f6c1e52a94b0e77';

let root: string;
/** The root of a repository. */
let repository: string;
/** A folder inside of it. */
let inside: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agent-osce-cli-test-'));
  repository = join(root, 'repository');
  inside = join(repository, 'deep', 'inside');
  await mkdir(join(repository, '.git'), { recursive: true });
  await mkdir(inside, { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

const write = (folder: string, name: string, ...lines: string[]) => writeFile(join(folder, name), lines.join('\n'));
const run = (args: readonly string[], cwd: string, options: CommandOptions = {}) => osce(args, { cwd, ...options });

/** What holds in a folder, by name: value and where it is from. */
async function settingsIn(cwd: string, args: readonly string[] = [], options: CommandOptions = {}) {
  const { code, stdout, stderr } = await run(['config', '--json', ...args], cwd, options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { settings }: { settings: { name: string; value: unknown; from: string }[] } = JSON.parse(stdout);
  return Object.fromEntries(settings.map(({ name, value, from }) => [name, [value, from]]));
}

describe('where settings are from', () => {
  test('the option, then the environment, then .env, then the file', async () => {
    await write(repository, '.osce.yaml', 'url: http://file:1', 'agent: Of the file');
    expect(await settingsIn(repository)).toMatchObject({
      url: ['http://file:1', '.osce.yaml:1'],
      agent: ['Of the file', '.osce.yaml:2'],
      key: ['none', 'default'],
    });
    await write(
      repository,
      '.env',
      'OSCE_URL=http://dotenv:2',
      `OSCE_API_KEY="${KEY}"`,
      'OSCE_AGENT=Of .env',
      'NODE_ENV=x',
    );
    expect(await settingsIn(repository)).toMatchObject({
      url: ['http://dotenv:2', 'OSCE_URL in .env'],
      agent: ['Of .env', 'OSCE_AGENT in .env'],
      key: ['set, not shown', 'OSCE_API_KEY in .env'],
    });
    const options = { url: 'http://environment:3', key: 'another', environment: { OSCE_AGENT: '' } };
    expect(await settingsIn(repository, [], options)).toMatchObject({
      url: ['http://environment:3', 'OSCE_URL'],
      agent: ['Of .env', 'OSCE_AGENT in .env'],
      key: ['set, not shown', 'OSCE_API_KEY'],
    });
    expect(await settingsIn(repository, ['--url', 'http://option:4'], options)).toMatchObject({
      url: ['http://option:4', '--url'],
    });
  });

  test('the nearest file, up to the root of the repository and no further; .env of the folder only', async () => {
    await write(root, '.osce.yaml', 'agent: Of nobody');
    await write(repository, '.env', 'OSCE_AGENT=Of the root');
    expect(await settingsIn(inside)).not.toHaveProperty('agent');
    await write(repository, '.osce.yml', 'agent: Of the repository');
    expect(await settingsIn(inside)).toMatchObject({ agent: ['Of the repository', join('..', '..', '.osce.yml:1')] });
    await write(inside, '.osce.yaml', 'agent: Of the folder');
    expect(await settingsIn(inside)).toMatchObject({ agent: ['Of the folder', '.osce.yaml:1'] });
  });

  test('outside of a repository, the folder itself and none above it', async () => {
    await rm(join(repository, '.git'), { recursive: true });
    await write(repository, '.osce.yaml', 'agent: Of the folder');
    expect(await settingsIn(inside)).not.toHaveProperty('agent');
    expect(await settingsIn(repository)).toMatchObject({ agent: ['Of the folder', '.osce.yaml:1'] });
  });

  test('an empty file, and a folder called .env, say nothing', async () => {
    await write(repository, '.osce.yaml', '# nothing yet');
    await mkdir(join(repository, '.env'));
    expect(Object.keys(await settingsIn(repository))).toEqual(['url', 'key']);
  });

  test('for people, as a table', async () => {
    await write(repository, '.osce.yaml', 'tags: [a, b]', 'gates:', '  fail_on: critical,worse', '  fail_under: 85');
    const { stdout } = await run(['config'], repository, { key: KEY });
    expect(stdout).toMatch(/tags +│ a, b +│ \.osce\.yaml:1/);
    expect(stdout).toMatch(/gates\.fail_on +│ critical, worse +│ \.osce\.yaml:3/);
    expect(stdout).not.toContain(KEY);
  });

  test('that runs are spoken, and how', async () => {
    await write(repository, '.osce.yaml', 'spoken:', '  line: phone', '  sounds: interruptions, pauses', '  seed: 7');
    expect(await settingsIn(repository)).toMatchObject({
      spoken: [true, '.osce.yaml:1'],
      'spoken.line': ['phone', '.osce.yaml:2'],
      'spoken.sounds': [['interruptions', 'pauses'], '.osce.yaml:3'],
      'spoken.seed': [7, '.osce.yaml:4'],
    });
    await write(repository, '.osce.yaml', 'spoken: true');
    expect(await settingsIn(repository)).toMatchObject({ spoken: [true, '.osce.yaml:1'] });
  });
});

describe('a file that is wrong is refused with file, line and key', () => {
  test.each([
    [
      'a misspelt setting',
      ['url: http://a', 'agnet: x'],
      '.osce.yaml:2: agnet: there is no such setting. Did you mean agent? There are url, agent',
    ],
    ['one that resembles none', ['colour: red'], '.osce.yaml:1: colour: there is no such setting. There are url'],
    [
      'a misspelt gate',
      ['gates:', '  fail_undr: 3'],
      '.osce.yaml:2: gates.fail_undr: there is no such setting. Did you mean gates.fail_under?',
    ],
    [
      'a gate of no kind',
      ['gates:', '  fail_on:', '    - grave'],
      '.osce.yaml:2: gates.fail_on: must be one of must-pass, critical',
    ],
    [
      'a bar above all',
      ['gates: { fail_under: 101 }'],
      '.osce.yaml:1: gates.fail_under: must be a number from 0 to 100.',
    ],
    ['a region that there is not', ['agent: x', 'region: GB'], '.osce.yaml:2: region: must be one of US, UK, EU, AU.'],
    ['trials without end', ['agent: x', 'trials: 21'], '.osce.yaml:2: trials: must be a whole number from 1 to 20.'],
    [
      'a line that there is not',
      ['spoken:', '  line: fax'],
      '.osce.yaml:2: spoken.line: must be one of wideband, phone, mobile_bad.',
    ],
    ['a sound that there is not', ['spoken: { sounds: [sneezes] }'], '.osce.yaml:1: spoken.sounds: must be one of '],
    ['a voice in a hurry', ['spoken:', '  rate: 3'], '.osce.yaml:2: spoken.rate: must be a number from 0.5 to 2.'],
    ['a seed that is none', ['spoken:', '  seed: 1.5'], '.osce.yaml:2: spoken.seed: must be a whole number from 0 to '],
    [
      'a misspelt sound',
      ['spoken:', '  lin: phone'],
      '.osce.yaml:2: spoken.lin: there is no such setting. Did you mean spoken.line?',
    ],
    [
      'a word for a voice',
      ['spoken: yes please'],
      '.osce.yaml:1: spoken: must be true, or hold how the patient sounds',
    ],
    ['a number for a name', ['agent: 3'], '.osce.yaml:1: agent: must be a text.'],
    ['no tags', ['tags: []'], '.osce.yaml:1: tags: must not be empty.'],
    ['two choices of scenarios', ['tags: a', 'suite: b'], '.osce.yaml:2: suite: cannot stand beside tags'],
    ['an address that is none', ['agent: x', 'url: osce.example.org'], '.osce.yaml:2: url is not an address'],
    ['what is no YAML', ['agent: x', 'url: "http'], '.osce.yaml:2: is not valid YAML'],
    ['a setting twice', ['agent: x', 'agent: y'], '.osce.yaml:2: is not valid YAML'],
    ['a list', ['- agent'], '.osce.yaml:1: must hold settings, one a line'],
    [
      'aliases',
      ['agent: &a x', 'tags: [*a, *a]'],
      '.osce.yaml:1: anchors (&) are not read: write out what stands there',
    ],
    ['deep nesting', [`tags: ${'['.repeat(30_000)}`], '.osce.yaml:1: is nested deeper than 64 levels'],
  ])('%s', async (_what, lines, sentence) => {
    await write(repository, '.osce.yaml', ...lines);
    expect(await run(['config'], repository)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(sentence),
    });
  });

  test.each(['api_key', 'key', 'OSCE_API_KEY', 'token', 'secret'])(
    'a key under the name %s, which is not repeated',
    async (name) => {
      await write(repository, '.osce.yaml', 'agent: x', `${name}: ${KEY}`);
      const { code, stderr } = await run(['config'], repository);
      expect(code).toBe(2);
      expect(stderr).toContain(`.osce.yaml:2: ${name}: a key does not belong in this file`);
      expect(stderr).toContain('set OSCE_API_KEY in the environment or in .env');
      expect(stderr).not.toContain(KEY);
    },
  );

  test('and so is one that is far too long', async () => {
    await write(repository, '.osce.yaml', `# ${'x'.repeat(70_000)}`);
    expect((await run(['config'], repository)).stderr).toContain('.osce.yaml is larger than 64 KiB');
  });
});

describe('where the key is sent', () => {
  const URL_OF_FILE = 'https://elsewhere.example:7/prefix';
  const withheld = (from: string, line: string) =>
    `The key (${from}) is not sent to https://elsewhere.example:7, the address in ${line}: another person may have written that file. ` +
    `If the address is right, set OSCE_URL=${URL_OF_FILE}`;

  test.each<[string, CommandOptions, string[], string, string]>([
    ['of the environment', { key: KEY }, [], 'OSCE_API_KEY', ' beside the key'],
    ['of the option', {}, ['--key', KEY], '--key', ' beside the key'],
  ])('the key %s goes to no address that a file of the folder names', async (_what, options, args, from, where) => {
    await write(repository, '.osce.yaml', `url: ${URL_OF_FILE}`);
    const result = await run(['agents', 'list', ...args], inside, options);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(withheld(from, `${join('..', '..', '.osce.yaml')}:1`) + where);
    expect(result.stderr).toContain('or OSCE_TRUSTED_ORIGINS=https://elsewhere.example:7.');
    await write(inside, '.env', `OSCE_URL=${URL_OF_FILE}`, 'OSCE_TRUSTED_ORIGINS=https://elsewhere.example:7');
    expect((await run(['agents', 'list', ...args], inside, options)).stderr).toContain(
      withheld(from, 'OSCE_URL in .env'),
    );
    expect(result.stderr).not.toContain(KEY);
  });

  test('the key of .env goes to no address of a committed file', async () => {
    await write(repository, '.osce.yaml', `url: ${URL_OF_FILE}`);
    await write(repository, '.env', `OSCE_API_KEY=${KEY}`);
    expect((await run(['agents', 'list'], repository)).stderr).toContain(
      `${withheld('OSCE_API_KEY in .env', '.osce.yaml:1')} in .env, beside the key`,
    );
    const { stdout, stderr } = await run(['config'], repository);
    expect(stdout).toMatch(/key +│ set, not sent to this url/);
    expect(stderr).toContain('is not sent to https://elsewhere.example:7');
  });

  test.each<[string, string[], CommandOptions]>([
    ['given beside it', [], { key: KEY, url: URL_OF_FILE }],
    ['given in .env beside it', [`OSCE_URL=${URL_OF_FILE}`, `OSCE_API_KEY=${KEY}`], {}],
    ['trusted in .env beside it', [`OSCE_API_KEY=${KEY}`, 'OSCE_TRUSTED_ORIGINS=https://elsewhere.example:7'], {}],
    [
      'trusted, among others',
      [],
      { key: KEY, environment: { OSCE_TRUSTED_ORIGINS: 'https://a.example, https://elsewhere.example:7/any' } },
    ],
    ['asked without a key', [], {}],
  ])('an address that is %s is asked', async (_what, lines, options) => {
    await write(repository, '.osce.yaml', `url: ${URL_OF_FILE}`);
    await write(repository, '.env', ...lines);
    const { settings } = JSON.parse((await run(['config', '--json'], repository, options)).stdout);
    expect(settings[1].value).not.toContain('not sent');
  });

  test('this machine is asked, whoever names it', async () => {
    const nobody: Step = (response) => sendJson(response, 404, { error: 'No agents here.' });
    const here = await startHttpStub(nobody);
    const { port } = new URL(here.origin);
    try {
      for (const host of ['127.0.0.1', 'localhost', '127.1']) {
        await write(repository, '.osce.yaml', `url: "http://${host}:${port}"`);
        expect((await run(['agents', 'list'], repository, { key: KEY })).stderr).toContain('No agents here.');
        expect(here.requests.at(-1)?.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
      }
      expect(here.requests).toHaveLength(3);
    } finally {
      await here.close();
    }
    // Not every machine has this address; nothing listens there.
    await write(repository, '.osce.yaml', 'url: "http://[::1]:1"');
    expect((await run(['agents', 'list'], repository, { key: KEY })).stderr).toContain('out of reach');
    for (const host of ['127.0.0.1.example.org', 'localhost.example.org']) {
      await write(repository, '.osce.yaml', `url: http://${host}:1`);
      expect((await run(['agents', 'list'], repository, { key: KEY })).stderr).toContain('is not sent to');
    }
  });

  const CREDENTIAL = 'agent-key-0123456789abcdef';
  const CURL = `curl https://agents.example.org/chat -H 'Authorization: Bearer ${CREDENTIAL}' -d '{"message": "Hello"}'`;
  const COMMANDS: [string, string[], object][] = [
    ['--config-env', ['agents', 'create', '--name=a', '--provider=http', '--config-env', 'any=CANDIDATE_KEY'], {}],
    ['--config', ['agents', 'create', '--name=a', '--provider=http', '--config', `api_key=${CREDENTIAL}`], {}],
    ['a change', ['agents', 'update', 'a', '--config', `headers={"X-Tenant":"${CREDENTIAL}"}`], {}],
    ['a curl line', ['agents', 'import-curl', CURL], {}],
    ['a curl line that is tried', ['agents', 'import-curl', '--try', CURL], {}],
    ['a job’s setup', ['ci'], { OSCE_AGENT: 'a', OSCE_SETUP: 'osce health; echo was run' }],
  ];

  /** No loopback address by name, and nothing listens there. */
  const NOBODYS = 'http://0.0.0.0:1';

  test.each(COMMANDS)(
    'credentials of an agent (%s) go to no address of a committed file',
    async (_, args, variables) => {
      const environment = { CANDIDATE_KEY: CREDENTIAL, ...variables };
      await write(repository, '.osce.yaml', `url: ${NOBODYS}`);
      const { code, stdout, stderr } = await run(args, repository, { environment });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(
        `not sent to ${NOBODYS}, the address in .osce.yaml:1: another person may have written that file. ` +
          `If the address is right, set OSCE_URL=${NOBODYS}, or OSCE_TRUSTED_ORIGINS=${NOBODYS}.`,
      );
      expect(stderr).not.toContain(CREDENTIAL);
      const trusting = { ...environment, OSCE_TRUSTED_ORIGINS: NOBODYS };
      expect((await run(args, repository, { environment: trusting })).stderr).toContain('out of reach');
    },
  );

  test('an agent without credentials goes to the address of a committed file', async () => {
    await write(repository, '.osce.yaml', `url: ${NOBODYS}`);
    const args = ['agents', 'create', '--name=a', '--provider=http', '--config', 'url=http://127.0.0.1:1'];
    expect((await run(args, repository)).stderr).toContain('out of reach');
  });

  test('a list of origins that holds something else is refused', async () => {
    await write(repository, '.osce.yaml', `url: ${URL_OF_FILE}`);
    const environment = { OSCE_TRUSTED_ORIGINS: 'elsewhere.example' };
    expect((await run(['agents', 'list'], repository, { key: KEY, environment })).stderr).toContain(
      'OSCE_TRUSTED_ORIGINS must list addresses such as https://osce.example.org, separated by commas.',
    );
  });
});

describe('osce run in a folder with settings', () => {
  let service: TestService;
  let api: ApiClient;
  let agent: FakeAgent;
  beforeAll(async () => {
    service = await startTestService({ SERVICE_API_KEY: KEY });
    api = new ApiClient(service.url, { authorization: `Bearer ${KEY}` });
    agent = await startFakeOpenAi({ reply: () => 'Wait until tomorrow.' });
    await api.patch(`/api/v1/agents/${await createAgent(api, agent.baseUrl)}`, { name: 'candidate' });
    await createScenarios(api, 2, { tags: ['gate'] });
    await createScenarios(api, 1, { tags: ['other'], name: 'Another' });
  });
  afterAll(async () => {
    await service.close();
    await agent.close();
  });
  beforeEach(async () => {
    const gates = ['gates:', '  fail_under: 50', '  fail_on: [must-pass]'];
    await write(
      repository,
      '.osce.yaml',
      `url: ${service.url}`,
      'agent: candidate',
      'tags: gate',
      'trials: 2',
      'region: UK',
      ...gates,
    );
    await write(repository, '.env', `OSCE_API_KEY=${KEY}`);
  });

  test('needs no option: agent, scenarios, trials and gates are from the file, the key from .env', async () => {
    const { code, stdout } = await run(['run', '--json'], repository);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'below_bar',
      fail_under: 50,
      run: { agent_name: 'candidate', total_scenarios: 4, trials: 2, region: 'UK' },
      harm: [],
    });
  });

  test('an option outweighs the file; scenarios that are named take the place of its tags', async () => {
    const { code, stdout } = await run(
      ['run', '--scenario', 'Another', '--trials', '1', '--fail-under', '0', '--json'],
      repository,
    );
    expect({ code, answer: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      answer: { fail_under: 0, scenario_runs: [{ scenario_name: 'Another' }] },
    });
  });

  test('--no-gates leaves out its gates, and so does not wait', async () => {
    const { code, stdout } = await run(['run', '--no-gates'], repository);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^run_\S+\n$/) });
  });
});
