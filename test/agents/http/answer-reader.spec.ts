import { ProviderError } from '../../../src/agents/errors';
import { AnswerReader, type HeardAnswer } from '../../../src/agents/http/answer-reader';
import { readHttpAgentConfig } from '../../../src/agents/http/http-agent-config';
import type { AgentConfig } from '../../../src/agents/provider';
import { Secrets } from '../../../src/agents/secrets/secrets';

const KEY = 'sk-canary-0123456789';
const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';
const LINES = 'application/x-ndjson';
const WORDS = 'text/plain';

function readerFor(config: AgentConfig, onAnswer?: (answer: unknown) => void): AnswerReader {
  const settings = readHttpAgentConfig({ url: 'http://a.example', api_key: KEY, ...config });
  return new AnswerReader(settings, Secrets.of({ api_key: KEY }), onAnswer);
}

/** @param answer its text; anything else is sent as JSON */
function read(config: AgentConfig, answer: unknown, type = JSON_TYPE): Promise<HeardAnswer> {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return readerFor(config).read({ status: 200, headers: { 'content-type': type }, text });
}

/** The sentence with which an answer is refused. */
async function refusalOf(config: AgentConfig, answer: unknown, type = JSON_TYPE): Promise<string> {
  const error: unknown = await read(config, answer, type).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw new Error('It was not refused.');
  return error.message;
}

const events = (...answers: readonly unknown[]): string =>
  answers.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('');
const UNHEARD = { sessionId: null, hasEnded: false, acts: undefined, usage: null };

describe('An answer without paths', () => {
  it.each<[string, string, string, string]>([
    ['words', 'Take rest.', WORDS, 'Take rest.'],
    ['words of a type that has JSON as its parameter', 'Take rest.', 'text/plain; schema=json', 'Take rest.'],
    ['words of no type', 'Take rest.', '', 'Take rest.'],
    ['words like JSON', '{"a": 1}', WORDS, '{"a": 1}'],
    ['JSON text', '"Take\\nrest."', JSON_TYPE, 'Take\nrest.'],
    ['JSON text of another type of JSON', '"Rest."', 'application/fhir+json; charset=utf-8', 'Rest.'],
    ['JSON text that is called a page', '"Rest."', 'text/html', 'Rest.'],
    ['events', 'data: Take\n\ndata:  rest.\n\n', EVENTS, 'Take rest.'],
    ['nothing', '', WORDS, ''],
    ['an empty page', ' ', 'text/html', ' '],
  ])('is the reply: %s', async (_, text, type, reply) => {
    expect(await read({}, text, type)).toEqual({ ...UNHEARD, text: reply });
  });

  it('is the reply where it names a session, too', async () => {
    expect(await read({ session_id_path: 'id' }, '{"id":"7","say":"Hi"}', WORDS)).toEqual({
      ...UNHEARD,
      text: '{"id":"7","say":"Hi"}',
      sessionId: '7',
    });
    expect(await read({ end_path: 'over' }, '{"over":true}', WORDS)).toMatchObject({ hasEnded: true });
    expect(await read({ usage_path: 'usage' }, '{"usage":{"a":1}}', WORDS)).toMatchObject({ usage: { a: 1 } });
  });

  it.each([WORDS, JSON_TYPE, 'text/html'])('is no reply where it is an error, of the type %s', async (type) => {
    expect(await refusalOf({}, { error: `No: ${KEY}` }, type)).toMatch(
      /answered HTTP 200 with an error.*No: \[removed\]/s,
    );
  });

  it.each<[unknown, string]>([
    [{ a: 1, b: 2 }, 'an object with a, b'],
    [{}, 'an empty object'],
    [[], 'an empty list'],
    [[{ a: 1 }, 2], 'a list of 2, the first of them an object with a'],
    [[[1]], 'a list of 1, the first of them a list'],
    [[null], 'a list of 1, the first of them null'],
    [[''], 'a list of 1, the first of them an empty text'],
    [['a'], 'a list of 1, the first of them a text'],
    [7, 'a number'],
    [true, 'a boolean'],
    [null, 'null'],
    [{ [KEY]: 1, 'a\nb': 2 }, 'an object with [removed], a b'],
    [{ ['x'.repeat(50)]: 1 }, `an object with ${'x'.repeat(40)}:`],
    [
      Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`f${at}`, at])),
      'an object with f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11 and 2 more',
    ],
    [Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}`, at])), 'f10, f11: set'],
  ])('is no reply in JSON, and is described: %j', async (answer, shape) => {
    const refusal = await refusalOf({}, answer);
    expect(refusal).toContain("The agent's answer is JSON, ");
    expect(refusal).toContain(shape);
    expect(refusal).toContain(': set reply_path to where its reply is.');
    expect(refusal).not.toContain(KEY);
  });
});

describe('A reply in JSON', () => {
  it.each<[unknown, string]>([
    ['Rest.', 'Rest.'],
    ['', ''],
    [7, '7'],
    [false, 'false'],
    [['a', 1, ['b', []]], 'a\n1\nb\n'],
    [[null, 'a'], 'a'],
    [[], ''],
  ])('is what is at its path, as text: %j', async (found, text) => {
    expect(await read({ reply_path: 'say' }, { say: found })).toMatchObject({ text });
  });

  it.each<[unknown, string]>([
    [null, 'nothing'],
    [{ a: 1 }, 'an object with a'],
    [[{ a: 1 }], 'a list of 1, the first of them an object with a'],
  ])('is none where %j is', async (found, shape) => {
    expect(await refusalOf({ reply_path: 'say' }, { say: found, id: 1 })).toContain(
      `The agent's answer holds ${shape} at reply_path say, where its reply should be; the answer is an object with say, id.`,
    );
  });

  it('may be missing at the end of a conversation, and only there', async () => {
    const paths = { reply_path: 'say', end_path: "state == 'closed'" };
    expect(await read(paths, { state: 'closed' })).toMatchObject({ text: '', hasEnded: true });
    expect(await read(paths, { state: 'closed', say: 'Bye.' })).toMatchObject({ text: 'Bye.', hasEnded: true });
    expect(await refusalOf(paths, { state: 'open' })).toContain('holds nothing at reply_path say');
    expect(await refusalOf(paths, { state: 'closed', say: {} })).toContain('holds an empty object at reply_path say');
    expect(await read({ reply_path: 'say', end_path: 'over' }, { say: 'a', over: 1 })).toMatchObject({
      hasEnded: false,
    });
  });

  it.each<[unknown, string | null]>([
    ['abc', 'abc'],
    [7, '7'],
    ['', null],
    [null, null],
    [{ a: 1 }, null],
    ['x'.repeat(1_000), 'x'.repeat(1_000)],
  ])('comes with the session that it names, or none: %j', async (id, sessionId) => {
    expect(await read({ reply_path: 'say', session_id_path: 'id' }, { say: 'a', id })).toMatchObject({ sessionId });
  });

  it('does not come with a session whose id is longer than any', async () => {
    const config = { reply_path: 'say', session_id_path: 'id' };
    expect(await refusalOf(config, { say: 'a', id: 'x'.repeat(1_001) })).toBe(
      "The agent's session id is longer than 1000 characters.",
    );
  });

  it('comes with what the agent did, as far as paths lead to it', async () => {
    const answer = { say: 'a', calls: [{ name: 'find', arguments: { a: 1 } }], docs: ['one'], usage: { input: 3 } };
    const all = { reply_path: 'say', tool_calls_path: 'calls', context_path: 'docs', usage_path: 'usage' };
    expect(await read(all, answer)).toMatchObject({
      acts: { calls: [{ name: 'find', arguments: '{"a":1}' }], context: ['one'], areCallsCut: false },
      usage: { input: 3 },
    });
    expect(await read({ reply_path: 'say', context_path: 'docs' }, answer)).toMatchObject({
      acts: { calls: null, context: ['one'] },
      usage: null,
    });
    expect(await read({ reply_path: 'say', usage_path: 'usage' }, answer)).toMatchObject({
      acts: undefined,
      usage: { input: 3 },
    });
    expect(await read(all, { say: 'a' })).toMatchObject({ acts: { calls: [], context: [] }, usage: null });
  });

  it('says what it holds no more than it is read of: pieces of context beyond the most', async () => {
    const docs = Array.from({ length: 257 }, (_, at) => `${at}`);
    const { acts } = await read({ reply_path: 'say', context_path: 'docs' }, { say: 'a', docs });
    expect([acts?.context.length, acts?.isContextCut]).toEqual([256, true]);
  });
});

describe('A reply in events', () => {
  it.each<[string, AgentConfig, string, string, string]>([
    ['joined', { stream_reply_path: 'd' }, events({ d: 'Call ' }, { x: 1 }, { d: '112.' }), EVENTS, 'Call 112.'],
    ['at the usual path', { reply_path: 'd' }, events({ d: 'a' }, { d: 'b' }), EVENTS, 'ab'],
    ['at its own path rather', { reply_path: 'd', stream_reply_path: 'e' }, events({ d: 'a', e: 'b' }), EVENTS, 'b'],
    ['in lines', { reply_path: 'd' }, '{"d":"a"}\n\n{"d":"b"}', LINES, 'ab'],
    ['until its end', { reply_path: 'd' }, events({ d: 'a' }, ' [DONE] ', { d: 'b' }), EVENTS, 'a'],
    ['which may be words', {}, events('a', 'b'), EVENTS, 'ab'],
    [
      'the last of those that repeat all so far',
      { reply_path: 'd', stream_text: 'cumulative' },
      events({ d: 'a' }, { d: 'ab' }, { d: ' ' }),
      EVENTS,
      'ab ',
    ],
  ])('is %s', async (_, config, text, type, reply) => {
    expect(await read(config, text, type)).toMatchObject({ text: reply });
  });

  it('names its session with the first event that does, and its end with any', async () => {
    const config = { reply_path: 'd', session_id_path: 'id', end_path: 'over' };
    expect(await read(config, events({ d: 'a' }, { id: '1' }, { id: '2', over: true }, {}), EVENTS)).toMatchObject({
      sessionId: '1',
      hasEnded: true,
    });
    expect(await read(config, events({ over: true }), EVENTS)).toMatchObject({ text: '', hasEnded: true });
  });

  it('is none without any text, and is described by its first event', async () => {
    expect(await refusalOf({ stream_reply_path: 'd' }, events({ e: 1 }, { f: 1 }), EVENTS)).toContain(
      "None of the 2 events of the agent's stream holds text at stream_reply_path d; the first is an object with e.",
    );
    expect(await refusalOf({ reply_path: 'd' }, events('words', { e: 1 }), EVENTS)).toContain(
      'holds text at reply_path d; the first is an object with e. It said: data: words data: {"e":1}',
    );
    expect(await refusalOf({ reply_path: 'd' }, events('words'), EVENTS)).toContain('the first is no JSON.');
    expect(await refusalOf({ reply_path: 'd' }, ': nothing\n\n', EVENTS)).toBe("The agent's stream holds no data.");
  });

  it.each<[string, string]>([
    ['by its name', `data: {"d":"a"}\n\nevent: error\ndata: overloaded ${KEY}\n\n`],
    ['by what it holds', events({ d: 'a' }, { error: `overloaded ${KEY}` })],
  ])('that ends in an error is no reply: %s', async (_, text) => {
    const refusal = await refusalOf({ reply_path: 'd' }, text, EVENTS);
    expect(refusal).toContain("The agent's stream ended in an error. It said: ");
    expect(refusal).toContain('overloaded [removed]');
  });

  it('that ends in an error is no reply where words are read, either', async () => {
    expect(await refusalOf({}, events('words', { error: 'overloaded' }), EVENTS)).toContain('ended in an error');
  });

  it('tells what the agent did over all its events, each once where they repeat', async () => {
    const config = { reply_path: 'd', tool_calls_path: 'calls', context_path: 'docs', usage_path: 'usage' };
    const told = events(
      { d: 'a', calls: [{ name: 'one' }], docs: ['x'], usage: { a: 1 } },
      { calls: [{ name: 'two' }], docs: ['y'], usage: { b: 2 } },
      { calls: [], docs: [] },
    );
    const names = ({ acts }: HeardAnswer) => acts?.calls?.map(({ name }) => name);
    const joined = await read(config, told, EVENTS);
    expect([names(joined), joined.acts?.context, joined.usage]).toEqual([['one', 'two'], ['x', 'y'], { a: 1, b: 2 }]);
    const repeated = await read({ ...config, stream_text: 'cumulative' }, told, EVENTS);
    expect([names(repeated), repeated.acts?.context]).toEqual([['two'], ['y']]);
  });

  it('tells no more context than is read, and that there was more', async () => {
    const config = { reply_path: 'd', context_path: 'docs' };
    const docs = Array.from({ length: 256 }, (_, at) => `${at}`);
    const exact = await read(config, events({ d: 'a', docs }, { docs: [] }), EVENTS);
    expect([exact.acts?.context.length, exact.acts?.isContextCut]).toEqual([256, false]);
    const more = await read(config, events({ d: 'a', docs }, { docs: ['x'] }), EVENTS);
    expect([more.acts?.context.length, more.acts?.isContextCut]).toEqual([256, true]);
  });
});

describe('What the caller who tries an agent is shown', () => {
  async function shownOf(config: AgentConfig, text: string, type: string): Promise<readonly unknown[]> {
    const shown: unknown[] = [];
    const reader = readerFor(config, (answer) => shown.push(answer));
    await reader.read({ status: 200, headers: { 'content-type': type }, text });
    return shown;
  }

  it('is the answer, without secrets', async () => {
    const text = JSON.stringify({ d: 'a', key: KEY });
    expect(await shownOf({ reply_path: 'd' }, text, JSON_TYPE)).toEqual([{ d: 'a', key: '[removed]' }]);
  });

  it('is the first events of a stream that are JSON', async () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ d: `${at}` }));
    const shown = await shownOf({ reply_path: 'd' }, events('words', ...many), EVENTS);
    expect(shown).toEqual(many.slice(0, 49));
    expect(await shownOf({}, events('words', { d: 'a' }), EVENTS)).toEqual([]);
  });
});

describe('A page in place of an answer', () => {
  const PAGE = '<!doctype html><title>Gate</title><p>Hello</p>';
  const LOGIN = '<!doctype html><input type="password">';

  it.each([
    [{}, PAGE, WORDS, 'a web page ("Gate")'],
    [{ reply_path: 'd' }, PAGE, JSON_TYPE, 'a web page ("Gate")'],
    [{ reply_path: 'd' }, PAGE, EVENTS, 'a web page ("Gate")'],
    [{}, LOGIN, WORDS, 'a login page'],
    [{ reply_format: 'html' }, LOGIN, 'text/html', 'a login page'],
    [{}, 'Words.', 'text/html', 'a web page'],
  ])('is refused: %j %s', async (config, text, type, what) => {
    expect(await refusalOf(config, text, type)).toContain(
      `The agent's server answered HTTP 200 with ${what}, which is not`,
    );
  });

  it('is the reply of an agent that replies in HTML', async () => {
    expect(await read({ reply_format: 'html' }, PAGE, 'text/html')).toMatchObject({ text: PAGE });
    expect(await refusalOf({}, PAGE, 'text/html')).toContain('If the agent replies in HTML, set reply_format to html.');
  });
});
