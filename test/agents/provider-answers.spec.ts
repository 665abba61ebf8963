import { jsonOf, refusal } from '../../src/agents/outbound/http-refusal';
import { readCompletion } from '../../src/agents/openai/openai-completion';
import { Secrets } from '../../src/agents/secrets/secrets';
import { readChat } from '../../src/agents/vapi/vapi-chat';
import { readStarted } from '../../src/agents/pipecat/start-answer';

const secrets = Secrets.of({ api_key: 'sk-secret' });
const answer = (text: string) => ({ status: 200, headers: {}, text });
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('an answer of a hostile server', () => {
  it.each([nested(201), '['.repeat(1_000_000), '{"a":'.repeat(201)])(
    'is no JSON when it is nested too deeply',
    (text) => expect(() => jsonOf(answer(text), secrets)).toThrow('not JSON'),
  );

  it('may nest as deeply as any vendor does, and hold any number of brackets in its words', () => {
    expect(JSON.stringify(jsonOf(answer(nested(200)), secrets))).toBe(nested(200));
    const words = { a: `"\\${'['.repeat(1_000)}`, b: '{' };
    expect(jsonOf(answer(JSON.stringify(words)), secrets)).toEqual(words);
  });

  it.each([
    ['parts of a reply', `{"choices":[{"message":{"content":[${'1,'.repeat(500_000)}1]}}]}`],
    ['fields', `{${Array.from({ length: 20_001 }, (_, at) => `"f${at}":0`).join()}}`],
  ])('is left unread when it holds more %s than anybody sends', (_, text) => {
    expect(() => jsonOf(answer(text), secrets)).toThrow('HTTP 200 with JSON of more than 20,000 values');
  });

  it('may hold twenty thousand values, and any number of commas in its words', () => {
    const values = Array.from({ length: 20_000 }, () => 0);
    expect(jsonOf(answer(JSON.stringify(values)), secrets)).toEqual(values);
    expect(jsonOf(answer(JSON.stringify(','.repeat(100_000))), secrets)).toBe(','.repeat(100_000));
  });

  it('is read no further than its first choice', () => {
    const choices = [{ message: { content: 'Rest.' } }, ...Array.from({ length: 60_000 }, () => 'no choice')];
    expect(readCompletion({ choices })?.text).toBe('Rest.');
  });

  it('is no chat when it holds more messages than anybody sends', () => {
    const messages = (count: number) => Array.from({ length: count }, () => ({ role: 'assistant', content: 'a' }));
    expect(readChat({ id: 'chat-1', output: messages(1_000) })?.text).toHaveLength(1_999);
    expect(readChat({ id: 'chat-1', output: messages(1_001) })).toBeNull();
  });

  it('is no start when it holds more fields than anybody sends', () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]));
    expect(readStarted({ sessionId: 's', ...fields(999) })?.sessionId).toBe('s');
    expect(readStarted({ sessionId: 's', ...fields(1_000) })).toBeNull();
  });

  it('is quoted from its beginning, without secrets, wherever those stand', () => {
    const long = `Error: sk-secret ${'sk-secret'.repeat(100_000)}`;
    const { message } = refusal({ status: 400, headers: {}, text: long }, null, secrets, 0);
    expect(message).toContain('It said: Error: [removed] [removed]');
    expect(message).not.toContain('sk-secret');
    expect(message.length).toBeLessThan(700);
  });
});
