import { readChat, saysCreditIsUsedUp, saysUnknownAssistant } from '../../../src/agents/vapi/vapi-chat';

const chat = (...output: readonly object[]) => readChat({ id: 'chat-1', output });
const called = { id: 'call-1', function: { name: 'find', arguments: '{"a":1}' } };
const CALL = { id: 'call-1', name: 'find', arguments: '{"a":1}', result: null };

describe('A chat', () => {
  it('is what the assistant said, and what it did before', () => {
    const messages = [
      { role: 'assistant', content: 'One moment.', toolCalls: [called] },
      { role: 'tool', toolCallId: 'call-1', content: 'Ward 7' },
      { role: 'assistant', content: [{ text: 'Ward ' }, { type: 'image' }, { text: '7.' }] },
      { role: 'user', content: 'hello' },
      { content: '' },
      { text: 'Go there.' },
    ];
    expect(chat(...messages)).toEqual({
      chatId: 'chat-1',
      text: 'One moment.\nWard 7.\nGo there.',
      tools: ['find'],
      acts: { calls: [{ ...CALL, result: 'Ward 7' }], areCallsCut: false, context: [], isContextCut: false },
    });
  });

  it('that is words alone tells nothing of calls; one that is a message does', () => {
    const untold = { calls: null, areCallsCut: false, context: [], isContextCut: false };
    expect(readChat({ id: 'chat-1', output: 'Rest.' })).toEqual({
      ...{ chatId: 'chat-1', text: 'Rest.', tools: [], acts: untold },
    });
    const output = { role: 'assistant', content: 'Rest.' };
    expect(readChat({ id: 'chat-1', output })).toMatchObject({ text: 'Rest.', acts: { calls: [] } });
  });

  it.each<[string, object]>([
    ['a message of the assistant', { role: 'assistant', tool_call_id: 'call-1', content: 'Ward 7' }],
    ['a tool that names no call', { role: 'tool', content: 'Ward 7' }],
    ['a tool that answers another call', { role: 'tool', tool_call_id: 'call-2', content: 'Ward 7' }],
  ])('has no result of a call by %s', (_, message) => {
    const calls = chat({ role: 'assistant', tool_calls: [called] }, message)?.acts.calls;
    expect(calls).toEqual([CALL]);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['words', 'Rest.'],
    ['no output', { id: 'chat-1' }],
    ['no id', { output: 'Rest.' }],
    ['an empty id', { id: '', output: 'Rest.' }],
    ['more messages than any turn has', { id: 'chat-1', output: Array.from({ length: 1_001 }, () => ({})) }],
  ])('is none: %s', (_, json) => {
    expect(readChat(json)).toBeNull();
  });

  it.each([['find'], [{ function: { name: 'find' } }], [null]])(
    'has no calls where they are no list: %j',
    (tool_calls) => {
      expect(chat({ role: 'assistant', tool_calls })).toMatchObject({ tools: [], acts: { calls: [] } });
    },
  );

  it('may have many messages', () => {
    expect(chat(...Array.from({ length: 1_000 }, () => ({ content: 'a' })))?.text).toHaveLength(1_999);
  });
});

describe('A refusal', () => {
  it.each<[unknown, boolean]>([
    [{ message: 'Assistant a-1 does not exist.' }, true],
    [{ message: "It doesn't exist." }, true],
    [{ message: ['input must be a string', 'Assistant not found'] }, true],
    [{ message: 'The existing assistant is not foundational.' }, false],
    [{ message: 7 }, false],
    [{ error: 'not found' }, false],
    [null, false],
  ])('says that the assistant is unknown or not: %j', (json, says) => {
    expect(saysUnknownAssistant(json)).toBe(says);
  });

  it.each<[unknown, boolean]>([
    [{ message: 'Insufficient credits.' }, true],
    [{ message: 'You have no credit left.' }, true],
    [{ message: ['Out of funds'] }, true],
    [{ message: 'Check your billing.' }, true],
    [{ message: 'Over concurrency limit.' }, false],
    [{}, false],
  ])('says that the credit is used up or not: %j', (json, says) => {
    expect(saysCreditIsUsedUp(json)).toBe(says);
  });
});
