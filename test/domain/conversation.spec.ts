import fc from 'fast-check';
import { clampTurns, turnOf } from '../../src/domain/conversation';

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
