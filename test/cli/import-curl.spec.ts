import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { agentFromCurl } from '../../src/agents/curl/agent-from-curl';
import { CurlLineError } from '../../src/agents/curl/curl-line-error';
import { curlRequest } from '../../src/agents/curl/curl-request';
import { shellWords } from '../../src/agents/curl/shell-words';
import { replyPlaceIn, sessionPlaceIn } from '../../src/domain/reply-place';
import { readText } from '../../cli/read-input';
import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { startFakeHttpAgent } from '../fakes/http-agent-server';
import { ApiClient } from '../setup/api-client';
import { osce } from '../setup/osce-command';
import { tries } from '../setup/sample';
import { startTestService, type TestService } from '../setup/service';

const words = (line: string, environment = {}): readonly string[] => shellWords(line, environment).words;
const agentOf = async (line: string, options: object = {}) =>
  agentFromCurl(await curlRequest(words(line), readText), { replacesSession: true, ...options });
const configOf = async (line: string, options: object = {}) => (await agentOf(line, options)).config;

describe('the words of a line', () => {
  it.each<[string, string, string[]]>([
    ['quotes of both kinds', `curl 'a b' "c \\"d\\" $" e\\ f`, ['curl', 'a b', 'c "d" $', 'e f']],
    ['parts that touch, and an empty one', `curl a'b'"c" ''`, ['curl', 'abc', '']],
    ['a quote within single quotes', `curl 'it'\\''s'`, ['curl', "it's"]],
    ['lines that go on', "curl \\\n  -H 'a: b' \\\r\n  x", ['curl', '-H', 'a: b', 'x']],
    [
      'what browsers write',
      String.raw`curl --data-raw $'{"q":"it\'s \u00e9 \x41\n\t\101 \\ \U0001F600"}'`,
      ['curl', '--data-raw', '{"q":"it\'s é A\n\tA \\ 😀"}'],
    ],
    ['variables', 'curl "$KEY" ${KEY}x $5 \'$KEY\'', ['curl', 'abc', 'abcx', '$5', '$KEY']],
  ])('%s', (_name, line, expected) => {
    expect(words(line, { KEY: 'abc' })).toEqual(expected);
  });

  it.each([
    ["curl 'a", "a ' without its end"],
    ['curl "a', 'a " without its end'],
    ["curl $'a", "a $' without its end"],
    ['curl "$(cat key)"', 'another command within itself'],
    ['curl `cat key`', 'another command within itself'],
    ['curl $UNSET', 'the variable UNSET, which is not set'],
  ])('refuses %s', (line, sentence) => {
    expect(() => words(line)).toThrow(new RegExp(sentence.replace(/[$"']/g, '.')));
  });

  it('ends at a pipe, a redirection and another command', () => {
    for (const end of ['| jq .', '&& rm x', '> out', '\nls']) {
      expect(shellWords(`curl a ${end}`, {})).toMatchObject({ words: ['curl', 'a'], rest: end.trim() });
    }
  });

  it('gives back whatever was quoted, and reads anything else to an end or refuses it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (given) => {
        const line = given.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
        expect(words(line)).toEqual(given);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`'"\\$\`{}|&;<> \n\rxuU0aK(`) }), (line) => {
        try {
          expect(shellWords(line, { K: 'v' }).words.join('').length).toBeLessThanOrEqual(line.length * 2);
        } catch (error) {
          expect(error).toBeInstanceOf(CurlLineError);
        }
      }),
      { numRuns: tries({ inCi: 2_000, elsewhere: 300 }) },
    );
  });
});

describe('the config of a line', () => {
  it('of a chat in JSON, with a key and a session', async () => {
    const line = `curl -s -X POST https://agents.example.org/v2/chat?tenant=7 -H 'Authorization: Bearer sk-1234567890' \\
      -H 'Content-Type: application/json' -H 'X-Tenant: clinic' -H 'Host: other' -H 'Content-Length: 5' --compressed \\
      -d '{"input": {"text": "Hello", "lang": "en"}, "conversationId": "abc-1"}' --max-time 12.5`;
    expect(await agentOf(line, { replyPath: 'output.text', sessionPath: 'id' })).toEqual({
      config: {
        url: 'https://agents.example.org/v2/chat?tenant=7',
        api_key: 'sk-1234567890',
        headers: { 'x-tenant': 'clinic' },
        body: { input: { text: '{{message}}', lang: 'en' }, conversationId: '{{session_id}}' },
        reply_path: 'output.text',
        session_id_path: 'id',
        turn_timeout_ms: 12_500,
      },
      messageAt: 'body.input.text',
      sessionAt: ['body.conversationId'],
      remarks: [],
    });
  });

  it.each<[string, string, object]>([
    [
      'the system’s messages stay, the others become the conversation’s',
      `{"model": "m", "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]}`,
      { model: 'm', messages: [{ role: 'system', content: 'Be kind.' }, '{{messages}}'] },
    ],
    ['a field before a list', `{"message": "Hi", "messages": []}`, { message: '{{message}}', messages: [] }],
    [
      'the uppermost field',
      `{"data": {"message": "x"}, "prompt": "Hi"}`,
      { data: { message: 'x' }, prompt: '{{message}}' },
    ],
  ])('%s', async (_name, body, expected) => {
    expect((await configOf(`curl http://a.example --json '${body}'`))['body']).toEqual(expected);
  });

  it('takes over in which names an API writes its messages', async () => {
    const messages = [
      { from: 'human', text: 'Hi' },
      { from: 'bot', text: 'Hello' },
      { from: 'human', text: 'I am ill' },
    ];
    expect(await configOf(`curl http://a.example --json '${JSON.stringify({ messages })}'`)).toMatchObject({
      body: { messages: '{{messages}}' },
      message_format: { role: 'from', content: 'text', user: 'human', assistant: 'bot' },
    });
  });

  it('puts the message where the sample is, whatever the field is called', async () => {
    const line = `curl http://a.example --json '{"message": "x", "frage": "Sagen Sie: Hallo!", "list": ["Hallo"]}'`;
    expect((await configOf(line, { message: 'Hallo' }))['body']).toEqual({
      message: 'x',
      frage: 'Sagen Sie: Hallo!',
      list: ['{{message}}'],
    });
    expect((await configOf(line, { message: 'Sagen' }))['body']).toMatchObject({ frage: '{{message}} Sie: Hallo!' });
    await expect(configOf(line, { message: 'Adieu' })).rejects.toThrow('does not occur in the body or the query');
    await expect(configOf(`curl http://a.example --json '{"frage": "Hallo"}'`)).rejects.toThrow(
      'Which part of the line',
    );
  });

  it('of a form, of a query, of text, of -G, -u and cookies', async () => {
    expect(
      await configOf(`curl a.example/x --data-urlencode 'text=Hi & bye' -d lang=en -d lang=de -u me:pass`),
    ).toEqual({
      url: 'http://a.example/x',
      headers: {
        authorization: `Basic ${Buffer.from('me:pass').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: { text: '{{message}}', lang: ['en', 'de'] },
    });
    expect(
      await configOf(
        `curl 'https://me:pass@a.example/ask?q=Hi%20there&session_id=7#top' -b 'sid=1; b=2' -H 'Accept: */*'`,
      ),
    ).toEqual({
      url: 'https://a.example/ask?q={{message}}&session_id={{session_id}}',
      method: 'GET',
      headers: { authorization: `Basic ${Buffer.from('me:pass').toString('base64')}`, cookie: 'sid=1; b=2' },
    });
    expect(await configOf(`curl -G http://a.example -d q=Hi -H 'X-Session-Id: 7'`)).toEqual({
      url: 'http://a.example/?q={{message}}',
      method: 'GET',
      headers: { 'x-session-id': '{{session_id}}' },
    });
    expect(
      await configOf(`curl http://a.example -H 'content-type: text/plain' -d 'Hi'`, { message: 'Hi' }),
    ).toMatchObject({
      headers: { 'content-type': 'text/plain' },
      body: '{{message}}',
    });
    expect(
      (await configOf(`curl http://a.example --json '{"q":"Hi","session":"7"}'`, { replacesSession: false }))['body'],
    ).toEqual({
      q: '{{message}}',
      session: '7',
    });
  });

  it('of a first message, whose session has no id yet', async () => {
    const line = `curl http://a.example --json '{"question":"Hello","conversation":null,"chat_id":null,"note":null}'`;
    const { config, sessionAt } = await agentOf(line, { sessionPath: 'conversation' });
    expect(config['body']).toEqual({
      question: '{{message}}',
      conversation: '{{session_id}}',
      chat_id: '{{session_id}}',
      note: null,
    });
    expect(sessionAt).toEqual(['body.conversation', 'body.chat_id']);
  });

  it('says what it leaves out', async () => {
    const { remarks } = await agentOf(`curl -kLsS -x proxy:1 --frob http://a.example -d '{"q":"Hi"}'`);
    expect(remarks).toEqual([
      expect.stringContaining('--insecure is left out'),
      expect.stringContaining('--location is left out'),
      expect.stringContaining('--proxy is left out'),
      expect.stringContaining('--frob is left out'),
      expect.stringContaining('sent as application/json'),
    ]);
  });

  it.each([
    ['wget http://a.example', 'must begin with curl'],
    ['curl -s', 'names no address'],
    ['curl http://a.example http://b.example', 'several addresses'],
    ['curl ftp://a.example', 'no http or https address'],
    ['curl -F a=b http://a.example', 'multipart forms'],
    ['curl -I http://a.example', 'HEAD'],
    ['curl -X DELETE http://a.example', 'sends DELETE'],
    [`curl http://a.example -H 'Content-Type: application/json' -d '{q:1}'`, 'is not JSON'],
    ['curl http://a.example -d @/no/such/file', 'cannot be read'],
  ])('refuses %s', async (line, sentence) => {
    await expect(configOf(line)).rejects.toThrow(sentence);
  });
});

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

  it('takes words that a shell has split, and refuses a line that goes on', async () => {
    const args = ['--name', 'Split', '--', 'curl', `${agent.baseUrl}/talk`, '--json', '{"message": "Hi there"}'];
    expect(await run(args)).toMatchObject({ code: 0, stderr: expect.stringContaining('No --reply was given') });
    expect((await storedAs('Split')).config.body).toEqual({ message: '{{message}}' });
    expect(await run([`curl ${agent.baseUrl}/talk?a=1&message=Hi`])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('goes on with "&": put the address in quotes'),
    });
  });
});
