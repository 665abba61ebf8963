import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replyPlaceIn, sessionPlaceIn } from '../../src/domain/reply-place';
import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { startFakeHttpAgent } from '../fakes/http-agent-server';
import { ApiClient } from '../setup/api-client';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

describe('the place of a reply', () => {
  it.each<[string, unknown, string, string]>([
    ['a field of a usual name', { id: 'x', data: { reply: 'Hello.', status: 'done' } }, 'data.reply', 'Hello.'],
    [
      'the assistant’s message, not the user’s',
      {
        messages: [
          { role: 'user', content: 'I have a question' },
          { role: 'assistant', content: 'Of course you do.' },
        ],
      },
      'messages[-1].content',
      'Of course you do.',
    ],
    [
      'one of one',
      { choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }] },
      'choices[0].message.content',
      'Yes.',
    ],
    ['not what was sent', { text: 'Hello. Are you there?', 'bot-says': 'I am here.' }, '"bot-says"', 'I am here.'],
    ['a list of answers', [{ recipient_id: 'a', text: 'Good day.' }], '[0].text', 'Good day.'],
  ])('is found: %s', (_name, answer, path, text) => {
    expect(replyPlaceIn([answer], 'Hello. Are you there?')).toMatchObject({ path, text });
  });

  it('is found in events, joined', () => {
    const events = [
      { type: 'start', id: 'a b' },
      ...['I', ' am', ' here', '.'].map((delta) => ({ type: 'piece', delta })),
    ];
    expect(replyPlaceIn(events, 'Hello.')).toMatchObject({ path: 'delta', text: 'I am here.' });
  });

  it('is not made up', () => {
    for (const answer of [{ id: 'abc', ok: true }, [], 'x', null, { status: 'done', error: 'It is broken badly' }]) {
      expect(replyPlaceIn([answer], 'Hello.')).toBeNull();
    }
    expect(sessionPlaceIn([{ data: { conversationId: 'x' } }])).toBe('data.conversationId');
    expect(sessionPlaceIn([{ id: 'x' }])).toBeNull();
  });
});

describe('osce agents import-curl', () => {
  const SECRET = 'sk-very-secret-credential';
  let service: TestService;
  let api: ApiClient;
  let agent: FakeAgent;
  let other: HttpStub;
  let folder: string;

  beforeAll(async () => {
    service = await startTestService();
    api = new ApiClient(service.url);
    folder = await mkdtemp(join(tmpdir(), 'agent-osce-curl-test-'));
    agent = await startFakeHttpAgent({ apiKey: SECRET, reply: () => 'Please call an ambulance now.' });
    other = await startHttpStub((response) => sendJson(response, 200, { nothing: 1 }));
  });
  afterAll(async () => {
    await service.close();
    await agent.close();
    await other.close();
    await rm(folder, { recursive: true });
  });

  const run = (args: string[], options: object = {}) =>
    osce(['agents', 'import-curl', ...args], { url: service.url, ...options });
  const lineFor = (path: string, url = agent.baseUrl): string =>
    `curl '${url}${path}' -H 'Authorization: Bearer ${SECRET}' --json '{"say": "Hello", "session": "old"}'`;
  const storedAs = async (name: string) =>
    (await api.get('/api/v1/agents')).body.find((one: { name: string }) => one.name === name);

  it('makes an agent of a line, tries it, and finds where the reply is', async () => {
    const result = await run(['--name', 'Talk', '--message', 'Hello', '--session', 'id', '--try', lineFor('/talk')]);
    expect(result).toMatchObject({ code: 0 });
    expect(result.stdout).toContain('Please call an ambulance now.');
    expect(result.stderr).toContain('The reply was found at data.reply');
    expect(result.stdout + result.stderr).not.toContain(SECRET);
    expect((await storedAs('Talk')).config).toEqual({
      url: `${agent.baseUrl}/talk`,
      api_key: SECRET,
      headers: { accept: 'application/json' },
      body: { say: '{{message}}', session: '{{session_id}}' },
      session_id_path: 'id',
      reply_path: 'data.reply',
    });
  });

  it.each([
    ['/stream', { stream_reply_path: 'delta' }],
    ['/plain', {}],
  ])('finds it in events and in plain words: %s', async (path, expected) => {
    const result = await run(['--name', `At ${path}`, '--message', 'Hello', '--try', '--json'], {
      input: lineFor(path),
    });
    expect(JSON.parse(result.stdout)).toMatchObject({ tried: { ok: true, reply: 'Please call an ambulance now.' } });
    expect(result.code).toBe(0);
    const { reply_path, stream_reply_path } = (await storedAs(`At ${path}`)).config;
    expect({ reply_path, stream_reply_path }).toEqual({
      reply_path: undefined,
      stream_reply_path: undefined,
      ...expected,
    });
  });

  it('saves nothing when nothing looks like a reply, and when the agent refuses, and says how to save it', async () => {
    const none = await run(['--name', 'None', '--message', 'Hello', '--try', lineFor('/', other.origin)]);
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toContain('nothing in its answer looks like a reply, so nothing was saved: give its place');
    expect(none.stderr).toContain('{"nothing":1}');
    expect(await storedAs('None')).toBeUndefined();
    const refused = await run(['--name', 'Refused', '--message', 'Hello', '--reply', 'data.reply', '--try'], {
      input: lineFor('/talk').replace(SECRET, 'sk-wrong'),
    });
    expect(refused).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('auth_failed'),
      stderr: expect.stringContaining(
        'Nothing was saved, since the agent did not reply. To save it all the same, leave',
      ),
    });
    expect(await storedAs('Refused')).toBeUndefined();
    const json = await run(['--name', 'Refused', '--message', 'Hello', '--try', '--json'], {
      input: lineFor('/talk').replace(SECRET, 'sk-wrong'),
    });
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ name: 'Refused', tried: { ok: false, error_code: 'auth_failed' } });
    expect(JSON.parse(json.stdout)).not.toHaveProperty('id');
    expect(await storedAs('Refused')).toBeUndefined();
    const kept = await run(['--name', 'Refused', '--message', 'Hello'], { input: lineFor('/talk') });
    expect(kept.code).toBe(0);
    expect(await storedAs('Refused')).toBeDefined();
  });

  it('prints the config without its secrets, and creates nothing, with --dry-run', async () => {
    const file = join(folder, 'line.txt');
    await writeFile(
      file,
      `$ curl "${agent.baseUrl}/talk?api_key=${SECRET}" -H "X-Key: $KEY" -b sid=${SECRET} -d '{"message": "Hi", "password": "${SECRET}"}'\n`,
    );
    const environment = { KEY: SECRET };
    const result = await run(['--file', file, '--name', 'Dry', '--dry-run'], { environment });
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('{{message}}');
    const json = await run(['--file', file, '--dry-run', '--json'], { environment });
    expect(JSON.parse(json.stdout)).toMatchObject({ provider: 'http', config: { body: { message: '{{message}}' } } });
    expect(result.stdout + result.stderr + json.stdout + json.stderr).not.toContain(SECRET);
    expect(await storedAs('Dry')).toBeUndefined();
  });

  it('takes words that a shell has split, and refuses a line that goes on or names a file that is not there', async () => {
    const args = ['--name', 'Split', '--', 'curl', `${agent.baseUrl}/talk`, '--json', '{"message": "Hi there"}'];
    expect(await run(args)).toMatchObject({ code: 0, stderr: expect.stringContaining('No --reply was given') });
    expect((await storedAs('Split')).config.body).toEqual({ message: '{{message}}' });
    expect(await run([`curl ${agent.baseUrl}/talk?a=1&message=Hi`])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('goes on with "&": put the address in quotes'),
    });
    expect(await run([`curl ${agent.baseUrl}/talk -d @/no/such/file`])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/no/such/file cannot be read'),
    });
  });
});
