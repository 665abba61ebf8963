import { agentFromCurl } from '../../../src/agents/curl/agent-from-curl';
import { curlRequest } from '../../../src/agents/curl/curl-request';
import { isSessionName } from '../../../src/agents/curl/message-place';
import { shellWords } from '../../../src/agents/curl/shell-words';

const words = (line: string, environment = {}): readonly string[] => shellWords(line, environment).words;
const FILES = new Map([
  ['words.txt', 'Hi\r\nthere & all\n'],
  ['body.json', '{"message":"Hi"}\n'],
]);
const readFile = async (path: string): Promise<string> => {
  const text = FILES.get(path);
  if (text === undefined) throw new Error(`${path} cannot be read`);
  return text;
};
const requestOf = (line: string) => curlRequest(words(line), readFile);
const agentOf = async (line: string, options: object = {}) =>
  agentFromCurl(await requestOf(line), { replacesSession: true, ...options });
const configOf = async (line: string, options: object = {}) => (await agentOf(line, options)).config;

describe('the request of a line', () => {
  it.each<[string, string, object]>([
    ['a program with its path', '/usr/bin/curl http://a.example', { method: 'GET', body: null, maxSeconds: null }],
    ['a program of Windows', 'curl.exe http://a.example', { method: 'GET' }],
    ['a method in lower case', 'curl -X put http://a.example', { method: 'PUT' }],
    ['the last of several methods', 'curl -X PUT -X PATCH http://a.example', { method: 'PATCH' }],
    ['data, joined', 'curl http://a.example -d a=1 --data-raw @b', { method: 'POST', body: 'a=1&@b' }],
    ['JSON in pieces, joined without a sign', `curl http://a.example --json '{"a":' --json '1}'`, { body: '{"a":1}' }],
    ['a file without its line breaks', 'curl http://a.example -d @words.txt', { body: 'Hithere & all' }],
    ['a file as text', 'curl http://a.example --data-ascii @words.txt', { body: 'Hithere & all' }],
    ['a file as it is', 'curl http://a.example --data-binary @words.txt', { body: 'Hi\r\nthere & all\n' }],
    ['a file of JSON', 'curl http://a.example --json @body.json', { body: '{"message":"Hi"}\n' }],
    ['text to encode', `curl http://a.example --data-urlencode 'a b'`, { body: 'a%20b' }],
    ['text to encode after a sign', `curl http://a.example --data-urlencode '=a b=c'`, { body: 'a%20b%3Dc' }],
    ['a field to encode', `curl http://a.example --data-urlencode 'q=a@b'`, { body: 'q=a%40b' }],
    [
      'a field whose value is a file',
      'curl http://a.example --data-urlencode q@words.txt',
      { body: 'q=Hi%0D%0Athere%20%26%20all%0A' },
    ],
    ['a file to encode', 'curl http://a.example --data-urlencode @words.txt', { body: 'Hi%0D%0Athere%20%26%20all%0A' }],
    ['no data that is not known', 'curl http://a.example --data-frob=x --metadata=y', { method: 'GET', body: null }],
    ['no data put into an address', 'curl -G http://a.example/?a=1', { method: 'GET', body: null }],
    ['a time limit', 'curl -m 0.5 http://a.example', { maxSeconds: 0.5 }],
    ['a time limit of nothing, which is none', 'curl -m 0 http://a.example', { maxSeconds: null }],
  ])('is read: %s', async (_name, line, expected) => {
    expect(await requestOf(line)).toMatchObject(expected);
  });

  it.each<[string, string, object]>([
    ['a bearer token', '--oauth2-bearer abc', { authorization: 'Bearer abc' }],
    ['the client’s name and where it comes from', '-A me -e http://b', { 'user-agent': 'me', referer: 'http://b' }],
    ['cookies, joined', `-b 'a=1' -b 'b=2'`, { cookie: 'a=1; b=2' }],
    ['a header with a colon in its value', `-H 'X-At: 10:30'`, { 'x-at': '10:30' }],
    ['a header of the line in place of an option', `-A me -H 'User-Agent: you'`, { 'user-agent': 'you' }],
    ['none that the line takes back', `-A me -H 'User-Agent:'`, {}],
    ['none of HTTP/2, of browsers, or of the connection', `-H ':path: /x' -H 'Sec-Fetch-Mode: cors' -H 'TE: x'`, {}],
    ['that of a name with a sign at its end or its beginning', `-H 'X-A;b: c' -H 'X-B'`, { 'x-a;b': 'c' }],
    ['none that the line sends empty', `-A me -H 'User-Agent;' -H ' : x'`, {}],
    ['those whose name has a space behind it', `-H 'X-At : 10'`, { 'x-at': '10' }],
    ['none that is empty', `-H 'X-Empty;' -H ': x'`, {}],
    ['a header whose name only holds another’s', `-H 'X-Host: a' -H 'Hostile: b'`, { 'x-host': 'a', hostile: 'b' }],
    ['those of JSON', `--json '{}'`, { 'content-type': 'application/json', accept: 'application/json' }],
    [
      'its own type of JSON',
      `--json '{}' -H 'content-type: application/fhir+json'`,
      { 'content-type': 'application/fhir+json', accept: 'application/json' },
    ],
    ['that of a form', '-d a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['none of a body that is put into the query', '-G -d a=1', {}],
  ])('has these headers: %s', async (_name, options, expected) => {
    expect(Object.fromEntries((await requestOf(`curl http://a.example ${options}`)).headers)).toEqual(expected);
  });

  it.each<[string, string]>([
    ['curl --url http://a.example/x#top', 'http://a.example/x'],
    ['curl a.example', 'http://a.example/'],
    ['curl HTTPS://a.example', 'https://a.example/'],
    ['curl --url a.example/y --frob yes', 'http://a.example/y'],
    ['curl localhost', 'http://localhost/'],
    ['curl a.example/x?to=b://c', 'http://a.example/x?to=b://c'],
    ['curl --frob yes http://a.example', 'http://a.example/'],
    ['curl -G http://a.example?q=1', 'http://a.example/?q=1'],
    ['curl -G http://a.example -d q=1 -d r=2', 'http://a.example/?q=1&r=2'],
    [`curl -G 'http://a.example?p=0' -d q=1`, 'http://a.example/?p=0&q=1'],
    [`curl http://m%C3%A9:p%ZZ@a.example`, 'http://a.example/'],
  ])('goes to an address: %s', async (line, address) => {
    expect((await requestOf(line)).url.href).toBe(address);
  });

  it('takes user and password as they are written, from an option before the address', async () => {
    const userOf = async (line: string) =>
      Buffer.from(
        (await requestOf(line)).headers.get('authorization')?.slice('Basic '.length) ?? '',
        'base64',
      ).toString();
    expect(await userOf('curl http://m%C3%A9:p%ZZ@a.example')).toBe('mé:p%ZZ');
    expect(await userOf('curl http://a:b@a.example -u c:d')).toBe('c:d');
  });

  it('says of every option that it leaves out why', async () => {
    const line =
      'curl http://a.example --cert a --key b --cacert c --resolve d:1:e --config f -b jar -q --http3 -sSvifgN# -o x -w y';
    const long = ` --${'z'.repeat(50)}`;
    expect((await requestOf(line + long)).remarks).toEqual([
      '--cert is left out: the service has no client certificates.',
      '--key is left out: the service has no client certificates.',
      '--cacert is left out: start the service with NODE_EXTRA_CA_CERTS instead.',
      '--resolve is left out: the service asks its own name server.',
      '--config is left out: put its options on the line.',
      '-q is left out: it is not known.',
      '--http3 is left out: it is not known.',
      `--${'z'.repeat(40)} is left out: it is not known.`,
      '--cookie with a file is left out: give the cookies themselves.',
    ]);
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
    ['a field beside one whose name begins like it', `{"m": "x", "message": "Hi"}`, { m: 'x', message: '{{message}}' }],
    ['a field before a list', `{"message": "Hi", "messages": []}`, { message: '{{message}}', messages: [] }],
    [
      'the uppermost field',
      `{"data": {"message": "x"}, "prompt": "Hi"}`,
      { data: { message: 'x' }, prompt: '{{message}}' },
    ],
  ])('%s', async (_name, body, expected) => {
    expect((await configOf(`curl http://a.example --json '${body}'`))['body']).toEqual(expected);
  });

  it('writes messages in the usual names where nothing else is known, and looks past what is none', async () => {
    const messages = [null, { role: 'assistant', content: 'Hello' }, { role: 'user', content: 'Hi' }];
    expect(await configOf(`curl http://a.example --json '${JSON.stringify({ messages })}'`)).toStrictEqual({
      url: 'http://a.example/',
      headers: { accept: 'application/json' },
      body: { messages: '{{messages}}' },
    });
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
    const twice = `curl http://a.example --json '{"frage": "Hallo", "kopie": "Hallo"}'`;
    expect((await configOf(twice, { message: 'Hallo' }))['body']).toEqual({ frage: '{{message}}', kopie: 'Hallo' });
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

  it('has the reply where servers of chat completions have it, streamed or not, and where the caller says', async () => {
    const chat = (path: string, more = '') => `curl http://a.example${path} --json '{"message":"Hi"${more}}'`;
    const placeOf = async (line: string, options = {}) => {
      const { reply_path, stream_reply_path } = await configOf(line, options);
      return [reply_path, stream_reply_path];
    };
    const usual = 'choices[0].message.content';
    expect(await placeOf(chat('/v1/chat/completions'))).toEqual([usual, undefined]);
    expect(await placeOf(chat('/v1/chat/completions/', ',"stream":false'))).toEqual([usual, undefined]);
    expect(await placeOf(chat('/v1/chat/completions', ',"stream":true'))).toEqual([
      undefined,
      'choices[0].delta.content',
    ]);
    expect(await placeOf(chat('/v1/chat/completions', ',"stream":true'), { replyPath: 'a' })).toEqual(['a', undefined]);
    for (const path of ['/chat', '/chat/completions/7']) {
      expect(await placeOf(chat(path, ',"stream":true'))).toEqual([undefined, undefined]);
    }
    expect(await placeOf(`curl 'http://a.example/chat/completions?q=Hi' --json null`)).toEqual([usual, undefined]);
    const line = `curl http://a.example/chat/completions -H 'Content-Type: text/plain' -d Hi`;
    expect(await placeOf(line, { message: 'Hi' })).toEqual([usual, undefined]);
  });

  it('puts the message where the sample is in the query, whatever it is called', async () => {
    const line = 'curl "http://a.example/ask?lang=en&frage=Guten%20Tag&note="';
    expect(await agentOf(line, { message: 'Guten Tag' })).toEqual({
      config: { url: 'http://a.example/ask?lang=en&frage={{message}}&note=', method: 'GET' },
      messageAt: 'the query’s frage',
      sessionAt: [],
      remarks: [],
    });
    await expect(agentOf(line, { message: 'Guten' })).rejects.toThrow('does not occur in the body or the query');
  });

  it('has as its key what follows Bearer, and leaves any other credential in its header', async () => {
    const keyOf = async (authorization: string) => {
      const { api_key, headers } = await configOf(`curl http://a.example/?q=Hi -H 'Authorization: ${authorization}'`);
      return [api_key, headers];
    };
    expect(await keyOf('bearer  sk-1')).toEqual(['sk-1', undefined]);
    for (const other of ['Token Bearer sk-1', 'Bearer sk-1 sk-2', 'Bearer']) {
      expect(await keyOf(other)).toEqual([undefined, { authorization: other }]);
    }
  });

  it('leaves the type of JSON to the service, unless it is a special one', async () => {
    const typeOf = async (type: string) =>
      (await configOf(`curl http://a.example -H 'Content-Type: ${type}' -d '{"q":"Hi"}'`))['headers'];
    for (const usual of ['application/json', 'Application/JSON; charset=utf-8']) {
      expect(await typeOf(usual)).toBeUndefined();
    }
    for (const special of ['application/json-rpc', 'application/json+x; a=b']) {
      expect(await typeOf(special)).toEqual({ 'content-type': special });
    }
  });

  it('puts the message into the body alone where the query, too, has a name for it', async () => {
    expect(await configOf(`curl 'http://a.example/?q=Hi' --json '{"message":"Hi"}'`)).toMatchObject({
      url: 'http://a.example/?q=Hi',
      body: { message: '{{message}}' },
    });
  });

  it('has no body where the line has none, and keeps what is not the message', async () => {
    expect(await configOf(`curl -X POST 'http://a.example/?q=Hi'`)).toEqual({ url: 'http://a.example/?q={{message}}' });
    expect((await configOf(`curl 'http://a.example/?q=Hi' -d tenant=7`))['body']).toEqual({ tenant: '7' });
    expect((await configOf(`curl 'http://a.example/?q=Hi' -d null`))['body']).toEqual({ null: '' });
  });

  it('is made of JSON of any depth', async () => {
    const lists = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const objects = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    for (const deep of [lists, objects]) {
      const { messageAt } = await agentOf(`curl http://a.example --json '{"message":"Hi","deep":${deep}}'`);
      expect(messageAt).toBe('body.message');
    }
  });

  it('asks for what the line asks for, but not for anything at all', async () => {
    const headersOf = async (accept: string) =>
      (
        await configOf(`curl http://a.example -H 'Accept: ${accept}' -H 'Content-Type: text/plain' -d Hi`, {
          message: 'Hi',
        })
      )['headers'];
    expect(await headersOf('text/plain')).toEqual({ accept: 'text/plain', 'content-type': 'text/plain' });
    expect(await headersOf('*/*')).toEqual({ 'content-type': 'text/plain' });
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
    const withBody = await agentOf(`curl -X GET 'http://a.example/?q=Hi' -d '{"message":"Hi"}'`);
    expect(withBody.config).toMatchObject({ url: 'http://a.example/?q={{message}}', method: 'GET' });
    expect(withBody.config).not.toHaveProperty('body');
    expect(withBody.remarks).toEqual(['The body is left out: a GET request has none.']);
  });

  it.each([
    ['wget http://a.example', 'must begin with curl'],
    ['curly http://a.example', 'must begin with curl'],
    ['mycurl http://a.example', 'must begin with curl'],
    [`curl -X ${'D'.repeat(50)} http://a.example`, `sends ${'D'.repeat(20)}: POST`],
    [`curl http://a.example --json '{"messages":[{"content":"Hi"}]}'`, 'Which part of the line'],
    [`curl http://a.example --json '{"messages":[{"role":"user","parts":["Hi"]}]}'`, 'Which part of the line'],
    [`curl http://a.example --json '{"messages":["Hi"]}'`, 'Which part of the line'],
    ['curl -s', 'names no address'],
    ['curl http://a.example http://b.example', 'several addresses'],
    ['curl ftp://a.example/https:', 'no http or https address'],
    [`curl http://a.example --json '{"messages":[]}'`, 'Which part of the line'],
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

it('The name of a session is told from others, however it is written', () => {
  const isOne = ['session', 'sessionId', 'SESSION_ID', 'X-Conversation-Id', 'thread_key', 'chat-uuid', 'dialogue'];
  const isNone = ['session_name', 'session-x-id', 'my_session', 'user_id', 'id'];
  expect([...isOne, ...isNone].filter(isSessionName)).toEqual(isOne);
});
