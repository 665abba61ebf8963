import type { Turn } from '../../../src/domain/conversation';
import { type AttemptRef, describe as described } from '../../../src/engine/ledger/scenario-run.changes';

const ref: AttemptRef = { scenarioRunId: 's1', testRunId: 'r1', owner: 'p1', attempt: 2 };
const AT = '2026-11-21T10:00:00.000Z';
const exchange: Turn = {
  turn: 3,
  patientMessage: 'My chest hurts.',
  patientAt: AT,
  agentMessage: 'Call 999.',
  agentAt: AT,
  latencyMs: 5,
};
const grading = { type: 'grading_started', scenario_run_id: 's1' };

describe('The start of grading', () => {
  const start = (ending: { endedBy?: 'agent' | null; unansweredMessage?: string | null }) => {
    const { row, events } = described({ ...ref, kind: 'gradingStart', ...ending });
    return { row, events };
  };

  it.each([[{}], [{ endedBy: null, unansweredMessage: null }], [{ endedBy: null, unansweredMessage: 'Hello?' }]])(
    'says nothing of an end that came with the last turn: %j',
    (ending) => {
      expect(start(ending)).toStrictEqual({
        row: { allowed_from: ['running'], status: 'grading' },
        events: [grading],
      });
    },
  );

  it.each([[{ endedBy: 'agent' as const }], [{ endedBy: 'agent' as const, unansweredMessage: null }]])(
    'names who ended the conversation early: %j',
    (ending) => {
      expect(start(ending)).toStrictEqual({
        row: { allowed_from: ['running'], status: 'grading', ended_by: 'agent' },
        events: [{ ...grading, ended_by: 'agent' }],
      });
    },
  );

  it('keeps what the patient said last without a reply, without what no row can hold', () => {
    const early = { ended_by: 'agent', unanswered_message: 'Hello?' };
    expect(start({ endedBy: 'agent', unansweredMessage: 'Hello?\0' })).toEqual({
      row: {
        allowed_from: ['running'],
        status: 'grading',
        ...early,
        unanswered_message: expect.stringMatching(/^Hello\?/),
      },
      events: [{ ...grading, ...early, unanswered_message: expect.not.stringContaining('\0') }],
    });
  });
});

describe('A turn', () => {
  const turn = (last: { startsGrading?: boolean; endedBy?: 'agent' | null }) =>
    described({ ...ref, kind: 'turn', exchange, continuation: null, metadata: {}, ...last });

  it('starts the grading when it is the last, and names who ended the conversation with it', () => {
    expect(turn({}).events.map(({ type }) => type)).toEqual(['transcript_update']);
    expect(turn({}).row.status).toBeUndefined();
    expect(turn({ endedBy: 'agent' }).row.ended_by).toBeUndefined();
    expect(turn({ startsGrading: true, endedBy: 'agent' }).events.at(-1)).toStrictEqual({
      ...grading,
      ended_by: 'agent',
    });
    expect(turn({ startsGrading: true }).row.status).toBe('grading');
  });

  it.each([
    [{ turns: 2, status: 'running' as const }, false, false],
    [{ turns: 3, status: 'running' as const }, true, false],
    [{ turns: 4, status: 'running' as const }, true, false],
    [{ turns: 3, status: 'grading' as const }, true, true],
    [{ turns: 2, status: 'grading' as const }, false, false],
  ])('is recorded already in a row with %j: %s; as the last one: %s', (row, isRecorded, isRecordedAsLast) => {
    expect(turn({}).isRecorded({ owner: 'p1', ...row })).toBe(isRecorded);
    expect(turn({ startsGrading: true }).isRecorded({ owner: 'p1', ...row })).toBe(isRecordedAsLast);
  });
});

test('a release is recorded already in a row without an owner', () => {
  const { isRecorded, row } = described({ ...ref, kind: 'release', sentTurns: 4 });
  expect(row).toEqual({ allowed_from: ['running', 'grading'], releases: true, sent_turns: 4 });
  expect(isRecorded({ owner: null, status: 'running', turns: 0 })).toBe(true);
  expect(isRecorded({ owner: 'p2', status: 'running', turns: 0 })).toBe(false);
});
