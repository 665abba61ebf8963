import type { Turn } from '../../../src/domain/conversation';
import { PASSED } from '../../setup/stored-run';
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

describe('What an agent did in place of a reply', () => {
  it('is kept with the row alone', () => {
    const acts = { agent: { tools: ['transfer'] } };
    const { row, events } = described({ ...ref, kind: 'gradingStart', closingActs: acts });
    expect(row).toStrictEqual({ allowed_from: ['running'], status: 'grading', closing_acts: acts });
    expect(events).toStrictEqual([grading]);
  });
});

test.each([
  ['running' as const, false],
  ['grading' as const, true],
])('the start of grading is recorded already in a row that is %s: %s', (status, isRecorded) => {
  const start = described({ ...ref, kind: 'gradingStart' });
  expect(start.isRecorded({ owner: 'p1', turns: 3, status })).toBe(isRecorded);
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

  it('that is not the last has no other event', () => {
    expect(turn({}).events).toStrictEqual([
      {
        type: 'transcript_update',
        scenario_run_id: 's1',
        turn: 3,
        patient_message: 'My chest hurts.',
        agent_message: 'Call 999.',
        latency_ms: 5,
      },
    ]);
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

describe('A verdict', () => {
  const verdict = (passed: boolean, criteria = PASSED.criteria) =>
    described({ ...ref, kind: 'verdict', verdict: { ...PASSED, passed, criteria }, metadata: { attempts: 1 } });

  it.each([
    [true, 'passed' as const, 'failed' as const],
    [false, 'failed' as const, 'passed' as const],
  ])('passed: %s; makes the row %s and final, and leaves it without an owner', (passed, status, other) => {
    const { row, events, isRecorded } = verdict(passed);
    expect(row).toMatchObject({ allowed_from: ['grading'], status, is_final: true, releases: true, passed });
    expect(events).toStrictEqual([
      { type: 'grading_complete', scenario_run_id: 's1', passed, score_percent: 100 },
      { type: 'scenario_complete', scenario_run_id: 's1', status },
    ]);
    expect(isRecorded({ owner: null, turns: 1, status })).toBe(true);
    expect(isRecorded({ owner: null, turns: 1, status: other })).toBe(false);
  });

  it('names the replies that a criterion was read in only where that was less than all', () => {
    const [criterion] = PASSED.criteria;
    if (criterion === undefined) throw new Error('The verdict has a criterion.');
    const { row } = verdict(true, [criterion, { ...criterion, repliesRead: 1 }]);
    expect(row.criteria_results?.map((result) => result['replies_read'])).toEqual([undefined, 1]);
    expect(row.criteria_results?.[0]).not.toHaveProperty('replies_read');
    expect(row.decisions).toHaveLength(2);
  });
});

test('a failure makes the row an error and final, and leaves it without an owner', () => {
  const failure = { code: 'provider_timeout', message: 'No \0 answer.' } as const;
  const { row, events, isRecorded } = described({ ...ref, kind: 'failure', failure, metadata: { attempts: 1 } });
  const error = 'No \ufffd answer.';
  expect(row).toStrictEqual({
    allowed_from: ['running', 'grading'],
    status: 'error',
    is_final: true,
    releases: true,
    error_code: 'provider_timeout',
    error_message: error,
    metadata: { attempts: 1 },
  });
  expect(events).toStrictEqual([
    { type: 'scenario_error', scenario_run_id: 's1', error_code: 'provider_timeout', error },
  ]);
  expect(isRecorded({ owner: null, turns: 1, status: 'error' })).toBe(true);
  expect(isRecorded({ owner: null, turns: 1, status: 'canceled' })).toBe(false);
});

test('a release is recorded already in a row without an owner', () => {
  const { isRecorded, row, events } = described({ ...ref, kind: 'release', sentTurns: 4 });
  expect(events).toEqual([]);
  expect(row).toEqual({ allowed_from: ['running', 'grading'], releases: true, sent_turns: 4 });
  expect(isRecorded({ owner: null, status: 'running', turns: 0 })).toBe(true);
  expect(isRecorded({ owner: 'p2', status: 'running', turns: 0 })).toBe(false);
});
