import fc from 'fast-check';
import {
  clampTurns,
  conversationWarning,
  earlyEndIn,
  earlyEndSentence,
  sendsSession,
  turnOf,
} from '../../src/domain/conversation';

describe('the number of turns of a conversation', () => {
  it.each([
    ['6 when the client does not ask', undefined, 6],
    ['at least 5', 1, 5],
    ['5 as asked', 5, 5],
    ['6 as asked', 6, 6],
    ['7 as asked', 7, 7],
    ['at most 7', 8, 7],
    ['at most 7, however many are asked for', Number.MAX_SAFE_INTEGER, 7],
  ])('is %s', (_, requested, turns) => {
    expect(clampTurns(requested)).toBe(turns);
  });

  it('is always one of 5, 6 and 7', () => {
    fc.assert(fc.property(fc.integer(), (requested) => [5, 6, 7].includes(clampTurns(requested))));
  });
});

describe('a turn', () => {
  it('joins the patient message and the reply, and what is noted of each', () => {
    const message = { turn: 3, content: 'Since Tuesday.', at: '2030-01-01T00:00:00.000Z', notes: { asked: 1 } };
    const reply = {
      turn: 3,
      content: 'Does it hurt to breathe?',
      at: '2030-01-01T00:00:02.500Z',
      latencyMs: 2_500,
      continuation: 'chat-7',
      notes: { answered: 2 },
      endsConversation: false,
    };
    expect(turnOf(message, reply)).toEqual({
      turn: 3,
      patientMessage: 'Since Tuesday.',
      patientAt: '2030-01-01T00:00:00.000Z',
      agentMessage: 'Does it hurt to breathe?',
      agentAt: '2030-01-01T00:00:02.500Z',
      latencyMs: 2_500,
      continuation: 'chat-7',
      metadata: { asked: 1, answered: 2 },
    });
  });
});

describe('a conversation that the agent ended', () => {
  it.each([
    [{}, null],
    [{ ended_by: 'patient' }, null],
    [{ ended_by: 'agent' }, { endedBy: 'agent', unansweredMessage: null }],
    [
      { ended_by: 'agent', unanswered_message: 'Hello?' },
      { endedBy: 'agent', unansweredMessage: 'Hello?' },
    ],
  ])('is known by its metadata: %j', (metadata, end) => {
    expect(earlyEndIn(metadata)).toEqual(end);
  });

  it('is told with the turns that it should have had, where they are known', () => {
    expect(earlyEndSentence(3, 6)).toBe('The agent ended the conversation after turn 3 of 6.');
    expect(earlyEndSentence(3, null)).toBe('The agent ended the conversation after turn 3.');
  });
});

describe('an agent is warned of that cannot tell conversations apart', () => {
  const url = 'https://agent.example';
  it.each([
    ['a kind that keeps conversations itself', 'openai', { url }, null],
    ['without an address', 'http', {}, null],
    ['with the session in its address', 'http', { url: `${url}/%7B%7Bsession_id%7D%7D` }, null],
    ['with the messages in its body', 'http', { url, body: { messages: '{{ messages }}' } }, null],
    ['with the history in a header', 'http', { url, headers: { 'x-history': '{{history}}' } }, null],
    ['with the last message alone', 'http', { url, body: '{{message}}' }, /^Nothing in the config/],
    ['with an empty path', 'http', { url, session_id_path: '' }, /^Nothing in the config/],
    ['with a path that no message uses', 'http', { url, session_id_path: 'id' }, /^session_id_path is set/],
    ['with a path in the other spelling', 'http', { url, sessionIdPath: 'id' }, /^session_id_path is set/],
  ])('%s', (_, provider, config, warning) => {
    if (warning === null) expect(conversationWarning(provider, config)).toBeNull();
    else expect(conversationWarning(provider, config)).toMatch(warning);
  });

  it('sends a session where one of its fields has the placeholder', () => {
    expect(sendsSession({ url, headers: {}, body: { id: '{{session_id}}' } })).toBe(true);
    expect(sendsSession({ url, headers: {}, body: '{{messages}}', other: '{{session_id}}' })).toBe(false);
  });
});
