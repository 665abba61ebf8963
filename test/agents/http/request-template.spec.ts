import { ChatMessages } from '../../../src/agents/chat-messages';
import { readHttpAgentConfig, UrlTemplate } from '../../../src/agents/http/http-agent-config';
import { bodyTemplate, RequestTemplate } from '../../../src/agents/http/request-template';
import type { Values } from '../../../src/agents/http/text-body';
import type { AgentConfig } from '../../../src/agents/provider';

const TYPES = { form: 'application/x-www-form-urlencoded', xml: 'application/xml' };

async function valuesOf(sessionId: string | null = 's-1'): Promise<Values> {
  const conversation = new ChatMessages();
  await conversation.add('user', 'Hi');
  return { message: 'What "now"?', conversation, sessionId };
}

const EARLIER = { role: 'user', content: 'Hi' };
const NOW = { role: 'user', content: 'What "now"?' };

async function written(template: unknown, type?: string, sessionId: string | null = 's-1'): Promise<string> {
  return String(await bodyTemplate(template, type).write(await valuesOf(sessionId)));
}

const inJson = async (template: unknown, sessionId: string | null = 's-1'): Promise<unknown> =>
  JSON.parse(await written(template, undefined, sessionId));

describe('A body in JSON', () => {
  it.each<[unknown, unknown]>([
    [
      { a: '{{message}}', b: ['x {{session_id}}', 1, null, true] },
      { a: 'What "now"?', b: ['x s-1', 1, null, true] },
    ],
    [
      { a: '{{messages}}', b: '{{history}}' },
      { a: [EARLIER, NOW], b: [EARLIER] },
    ],
    [['{{messages}}'], [EARLIER, NOW]],
    [
      [0, '{{history}}', '{{message}}'],
      [0, EARLIER, 'What "now"?'],
    ],
    [
      ['{{history}}', 0],
      [EARLIER, 0],
    ],
    [{ 'a"b': '"{{message}}"' }, { 'a"b': '"What "now"?"' }],
    [{}, {}],
    [[], []],
    [{ a: undefined }, { a: null }],
  ])('of %j is filled', async (template, body) => {
    expect(await inJson(template)).toEqual(body);
  });

  it('says nothing of a session before it has one, but where that is a part of a text', async () => {
    const template = { session: '{{session_id}}', deep: [{ id: '{{ session_id }}', x: 1 }], key: 'k-{{session_id}}' };
    expect(await inJson(template, null)).toEqual({ deep: [{ x: 1 }], key: 'k-' });
    expect(await inJson(template)).toEqual({ session: 's-1', deep: [{ id: 's-1', x: 1 }], key: 'k-s-1' });
  });

  it.each<[string, (inner: unknown) => unknown]>([
    ['lists', (inner) => [inner]],
    ['objects', (inner) => ({ a: inner })],
  ])('is nested in %s as deep as twenty levels, and no deeper', async (_, around) => {
    const nested = (levels: number) =>
      Array.from({ length: levels }).reduce<unknown>((inner) => around(inner), '{{message}}');
    expect(await written(nested(20))).toContain('What');
    expect(() => bodyTemplate(nested(21), undefined)).toThrow('is nested more than 20 levels deep');
  });

  it.each<[unknown, string]>([
    [['{{messages}}', '{{history}}'], 'holds the messages twice in one list'],
    [{ a: 'So far: {{history}}' }, 'holds {{history}} within a longer text: it is a list'],
    [{ '{{message}}': 1 }, 'holds a placeholder in the name of a field'],
    [{ a: '{{mesage}}' }, 'holds {{mesage}}, which is no placeholder'],
  ])('is refused: %j', (template, sentence) => {
    expect(() => bodyTemplate(template, undefined)).toThrow(sentence);
  });
});

describe('A body of another type', () => {
  it.each<[unknown, string | undefined, string, string]>([
    ['{{message}} in {{session_id}}', undefined, 'text/plain; charset=utf-8', 'What "now"? in s-1'],
    ['<a>{{message}}</a>', TYPES.xml, TYPES.xml, '<a>What &quot;now&quot;?</a>'],
    [
      '<a>{{message}}</a>',
      ' Application/SOAP+XML; charset=utf-8 ',
      'application/soap+xml; charset=utf-8',
      '<a>What &quot;',
    ],
    ['<a>{{message}}</a>', 'text/plain', 'text/plain', '<a>What "now"?</a>'],
    [{ a: '{{message}}', b: [1, true, null, 'x'] }, TYPES.form, TYPES.form, 'a=What+%22now%22%3F&b=1&b=true&b=&b=x'],
    [{ a: '{{message}}' }, 'application/fhir+json; charset=utf-8', 'application/json', '{"a":"What \\"now\\"?"}'],
  ])('%j of the type %s is filled', async (template, type, sent, body) => {
    expect(bodyTemplate(template, type).contentType).toBe(sent);
    expect(await written(template, type)).toContain(body);
  });

  it('leaves a field of a form out that is nothing but a session without an id', async () => {
    expect(await written({ a: '{{message}}', s: '{{session_id}}', t: 'x{{session_id}}' }, TYPES.form, null)).toBe(
      'a=What+%22now%22%3F&t=x',
    );
  });

  it.each<[unknown, string | undefined, string]>([
    ['{"a":1}', 'application/json', 'must be JSON, not text that holds it'],
    ['a=1', TYPES.form, 'must be an object for a form'],
    [[1], TYPES.form, 'must be an object for a form'],
    [null, TYPES.form, 'must be an object for a form'],
    [{ a: {} }, TYPES.form, 'holds something other than text in a: a form is flat'],
    [{ a: '{{history}}' }, TYPES.form, 'holds {{history}}, a list, which only a body of JSON can hold'],
    [{ a: 1 }, 'text/plain', 'must be text for the content-type text/plain, or the content-type another'],
    ['a', 'image/png', 'cannot be sent as image/png: JSON, application/x-www-form-urlencoded, text and XML can'],
    ['a', 'application/xmlish', 'cannot be sent as application/xmlish'],
  ])('%j of the type %s is refused', (template, type, sentence) => {
    expect(() => bodyTemplate(template, type)).toThrow(sentence);
  });
});

describe('A request', () => {
  const templateFor = (config: AgentConfig) =>
    new RequestTemplate(readHttpAgentConfig({ url: 'http://a.example/chat', ...config }));
  const filledFor = async (config: AgentConfig, sessionId: string | null = 's-1') =>
    templateFor(config).filledWith(await valuesOf(sessionId));

  it('has its method, its path, its headers and its body', async () => {
    const config = { api_key: 'key', headers: { 'X-Session': 'id {{session_id}}' }, body: { say: '{{message}}' } };
    const { body, ...rest } = await filledFor(config);
    expect(rest).toEqual({
      method: 'POST',
      path: '/chat',
      headers: {
        accept: 'application/json, text/event-stream;q=0.9, */*;q=0.5',
        authorization: 'Bearer key',
        'content-type': 'application/json',
        'x-session': 'id s-1',
      },
    });
    expect(String(body)).toBe('{"say":"What \\"now\\"?"}');
  });

  it('has headers of the config in place of its own, and none of a session without an id', async () => {
    const config = { headers: { Accept: 'a/b', 'X-Session': '{{session_id}}' }, body: '{{message}}' };
    expect((await filledFor(config, null)).headers).toEqual({
      accept: 'a/b',
      'content-type': 'text/plain; charset=utf-8',
    });
    await expect(filledFor(config, 'a\nb')).rejects.toMatchObject({
      code: 'provider_error',
      message: "The session id that the agent's server named cannot stand in a header.",
    });
  });

  it('may carry all in its address', async () => {
    const config = { method: 'GET', url: 'http://a.example/{{session_id}}?q={{ message }}', body: '' };
    expect(await filledFor(config)).toMatchObject({ method: 'GET', path: '/s-1?q=What%20%22now%22%3F', body: null });
  });

  it.each<[AgentConfig, boolean, boolean]>([
    [{ body: '{{message}}' }, false, false],
    [{ body: { m: '{{messages}}' } }, false, true],
    [{ body: { m: '{{message}}', h: '{{history}}' } }, false, true],
    [{ body: { m: '{{message}}', s: '{{session_id}}' } }, true, false],
    [{ body: '{{message}}', headers: { s: '{{session_id}}' } }, true, false],
    [{ body: '{{message}}', url: 'http://a.example/{{session_id}}' }, true, false],
  ])('by %j keeps the conversation under an id or sends it along', (config, usesSession, usesHistory) => {
    const template = templateFor(config);
    expect([template.usesSession, template.usesHistory]).toEqual([usesSession, usesHistory]);
  });

  it.each<[AgentConfig, string]>([
    [{ body: 'a' }, 'body holds neither {{message}} nor {{messages}}: nothing would carry what the patient says'],
    [{ method: 'GET' }, 'url holds no {{message}}: nothing would carry what the patient says'],
    [{ method: 'GET', body: { a: 1 } }, 'body cannot be sent by a GET: put {{message}} into url'],
    [{ body: { a: '{{x}}' } }, 'body holds {{x}}, which is no placeholder'],
    [{ body: '{{message}}', headers: { a: '{{message}}' } }, 'headers.a holds another placeholder than {{session_id}}'],
    [{ body: '{{message}}', headers: { a: '{{x}}' } }, 'headers holds {{x}}, which is no placeholder'],
  ])('is refused: %j', (config, sentence) => {
    expect(() => templateFor(config)).toThrow(
      expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining(sentence) }),
    );
  });
});

describe('An address with placeholders', () => {
  it.each<[string, string | null, string]>([
    ['http://a.example/x/{{session_id}}/y?q={{message}}#z', 's/1', '/x/s%2F1/y?q=What%20%22now%22%3F'],
    ['http://a.example/{{session_id}}', '..', '/%252E%252E'],
    ['http://a.example/{{session_id}}', '.', '/%252E'],
    ['http://a.example/{{session_id}}', '...', '/...'],
    ['http://a.example/{{session_id}}x', null, '/x'],
    ['http://a.example/%7B%7Bsession_id%7D%7D', 's', '/s'],
    ['http://a.example/{not}', 's', '/{not}'],
  ])('%s leads to where it says', async (address, sessionId, path) => {
    expect(decodeURI(new UrlTemplate(address).pathFor(await valuesOf(sessionId)))).toBe(decodeURI(path));
  });

  it.each(['http://{{session_id}}.example', 'a.example', 'http://me@a.example', 'http://{a}.example'])(
    '%s is none',
    (address) => expect(() => new UrlTemplate(address)).toThrow('with placeholders in its path and query only'),
  );
});
