import { readCompletion, refusesField, saysQuotaIsUsedUp } from '../../../src/agents/openai/openai-completion';
import { completionIn } from '../../../src/agents/openai/openai-stream';
import { below } from '../../../src/agents/outbound/agent-endpoint';
import { Secrets } from '../../../src/agents/secrets/secrets';

const UNHEARD = { areCallsCut: false, context: [], isContextCut: false };
const completion = (message: object, more: object = {}, choice: object = {}) => ({
  choices: [{ message, ...choice }],
  ...more,
});

describe('A completion', () => {
  it('is its text, and what is worth keeping beside it', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4 };
    const answer = completion({ content: 'Rest.' }, { id: 'c-1', model: 'm', usage }, { finish_reason: 'stop' });
    expect(readCompletion(answer)).toEqual({
      text: 'Rest.',
      tools: [],
      acts: { calls: null, ...UNHEARD },
      facts: { response_id: 'c-1', model: 'm', finish_reason: 'stop', usage },
    });
    expect(readCompletion(completion({}))?.facts).toEqual({
      response_id: null,
      model: null,
      finish_reason: null,
      usage: null,
    });
    const long = 'x'.repeat(300);
    expect(readCompletion(completion({}, { id: long, model: long }, { finish_reason: long }))?.facts).toMatchObject({
      response_id: 'x'.repeat(200),
      model: 'x'.repeat(200),
      finish_reason: 'x'.repeat(200),
    });
  });

  it.each<[object, string]>([
    [{ content: [{ text: 'a' }, { type: 'image' }, { text: 'b' }] }, 'ab'],
    [{ content: [] }, ''],
    [{ content: null, refusal: 'No.' }, 'No.'],
    [{ content: '', refusal: 'No.' }, ''],
    [{ content: null }, ''],
    [{}, ''],
  ])('says something or nothing: %j', (message, text) => {
    expect(readCompletion(completion(message))?.text).toBe(text);
  });

  it('tells of tool calls where it does, or where its config says that it would', () => {
    const tool_calls = [{ id: 'a', function: { name: 'find', arguments: '{}' } }];
    expect(readCompletion(completion({ tool_calls }))).toMatchObject({
      tools: ['find'],
      acts: { calls: [{ id: 'a', name: 'find', arguments: '{}' }] },
    });
    expect(readCompletion(completion({ tool_calls: [] }))?.acts.calls).toEqual([]);
    expect(readCompletion(completion({ tool_calls: 'none' }))).toMatchObject({ tools: [], acts: { calls: [] } });
    expect(readCompletion(completion({}))?.acts.calls).toBeNull();
    expect(readCompletion(completion({}), true)?.acts.calls).toEqual([]);
  });

  it.each<[unknown]>([
    [null],
    [{}],
    [{ choices: [] }],
    [{ choices: [{}] }],
    [completion({ content: 'So f' }, {}, { finish_reason: 'error' })],
    [completion({ content: 'So f' }, {}, { error: { code: 502 } })],
  ])('is none: %j', (json) => {
    expect(readCompletion(json)).toBeNull();
  });

  it('with an error that is none is whole', () => {
    for (const error of [null, 'none', []]) {
      expect(readCompletion(completion({ content: 'Rest.' }, {}, { error }))?.text).toBe('Rest.');
    }
  });
});

describe('A completion in chunks', () => {
  const inEvents = (...events: readonly string[]) =>
    completionIn(
      {
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        text: events.map((one) => `${one}\n\n`).join(''),
      },
      Secrets.of({}),
    );
  const chunk = (delta: object | null, more: object = {}, choice: object = {}) =>
    `data: ${JSON.stringify({ choices: [{ delta, ...choice }], ...more })}`;

  it('is put together, with what each told last', async () => {
    const calls = [{ index: 0, function: { name: 'find' } }];
    expect(
      await inEvents(
        chunk({ content: 'Take ' }, { id: 'c-1', model: 'm' }),
        chunk({ content: 'rest.', tool_calls: calls }, { model: null }, { finish_reason: null }),
        chunk(null, {}, { finish_reason: 'stop' }),
        'data: {"choices":[],"usage":{"a":1}}',
        'data: [DONE]',
        chunk({ content: ' And more.' }),
      ),
    ).toEqual({
      id: 'c-1',
      model: 'm',
      usage: { a: 1 },
      choices: [{ message: { content: 'Take rest.', refusal: null, tool_calls: calls }, finish_reason: 'stop' }],
    });
  });

  it('may say nothing, refuse, or tell that no tool was called', async () => {
    expect(await inEvents(chunk({}))).toEqual({ choices: [{ message: { content: null, refusal: null } }] });
    expect(await inEvents(chunk({ refusal: 'N' }), chunk({ refusal: 'o.' }))).toMatchObject({
      choices: [{ message: { content: null, refusal: 'No.' } }],
    });
    expect(await inEvents(chunk({ tool_calls: null }))).toMatchObject({ choices: [{ message: { tool_calls: [] } }] });
  });

  it('with an error among them is that error, as it came', async () => {
    expect(await inEvents(chunk({ content: 'a' }), 'data: {"error":{"message":"no"}}')).toEqual({
      error: { message: 'no' },
    });
    expect(await inEvents(chunk({ content: 'a' }), `event: error\n${chunk({ content: 'b' })}`)).toEqual({
      choices: [{ delta: { content: 'b' } }],
    });
  });

  it('is none where a chunk is no JSON, and is read as JSON where there are no chunks', async () => {
    await expect(inEvents(chunk({ content: 'a' }), 'data: words')).rejects.toMatchObject({
      message: expect.stringContaining('in a shape that this kind of agent does not use'),
    });
    await expect(inEvents(': nothing')).rejects.toMatchObject({ message: expect.stringContaining('not JSON') });
    const json = { status: 200, headers: {}, text: '{"a":1}' };
    expect(await completionIn(json, Secrets.of({}))).toEqual({ a: 1 });
  });
});

describe('A refusal', () => {
  it.each<[unknown, boolean]>([
    [{ error: { code: 'insufficient_quota' } }, true],
    [{ error: { type: 'insufficient_quota', code: 7 } }, true],
    [{ error: { code: 'billing_hard_limit_reached' } }, true],
    [{ error: { code: 'rate_limit_exceeded', type: 'requests' } }, false],
    [{ error: {} }, false],
    [{ error: 'insufficient_quota' }, false],
    [null, false],
  ])('says that the quota is used up or not: %j', (json, says) => {
    expect(saysQuotaIsUsedUp(json)).toBe(says);
  });

  it.each<[unknown, boolean]>([
    [{ error: { param: 'max_tokens' } }, true],
    [{ error: { message: 'Unknown field max_tokens.' } }, true],
    [{ error: { message: 7, param: 'model' } }, false],
    [{ error: { message: 'No.' } }, false],
    [{ message: 'max_tokens' }, false],
  ])('is about a field or not: %j', (json, is) => {
    expect(refusesField(json, 'max_tokens')).toBe(is);
  });
});

it.each([
  ['http://a.example', 'http://a.example/chat/completions'],
  ['http://a.example/v1//', 'http://a.example/v1/chat/completions'],
  ['http://a.example/v1?api-version=2#top', 'http://a.example/v1/chat/completions?api-version=2'],
])('The address below %s is %s', (base, address) => {
  expect(below(new URL(base), 'chat/completions').href).toBe(address);
});
