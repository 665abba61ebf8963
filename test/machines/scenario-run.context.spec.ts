import { endingOf } from '../../machines/scenario-run.context';
import type { AgentReply, HangUp } from '../../src/domain/conversation';

const at = '2026-01-01T00:00:00.000Z';
const patientMessage = { turn: 1, content: 'I feel worse.', at, notes: {} };
const reply: AgentReply = {
  turn: 1,
  content: 'Goodbye.',
  at,
  latencyMs: 1,
  continuation: null,
  notes: {},
  endsConversation: true,
};
const hangUp: HangUp = { turn: 1, content: null, isUnanswered: true };
const begun = { exchanges: [], maxTurns: 2, patientMessage, reply: null, hangUp: null };

describe('the ending of a conversation', () => {
  it('is the agent’s where it hangs up, with what it did in place of a reply', () => {
    const unansweredMessage = patientMessage.content;
    expect(endingOf({ ...begun, hangUp })).toEqual({ endedBy: 'agent', unansweredMessage });
    const notes = { agent: { tool_calls: [] } };
    expect(endingOf({ ...begun, hangUp: { ...hangUp, notes } })).toEqual({
      endedBy: 'agent',
      unansweredMessage,
      closingActs: notes,
    });
    expect(endingOf({ ...begun, hangUp: { ...hangUp, isUnanswered: false } }).unansweredMessage).toBeNull();
  });

  it.each([
    ['says goodbye before the last turn', reply, 2, 'agent'],
    ['says goodbye in the last turn', reply, 1, null],
    ['only replies', { ...reply, endsConversation: false }, 2, null],
    ['has not replied', null, 2, null],
  ])('where the agent %s', (_, given, maxTurns, endedBy) => {
    expect(endingOf({ ...begun, reply: given, maxTurns })).toEqual({ endedBy, unansweredMessage: null });
  });
});
