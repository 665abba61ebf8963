import { charts, findEdge, ATTEMPT_STARTED } from '../../../src/features/inspection/chart-walk';
import { storedRunTransitions } from '../../../src/features/inspection/stored-run-transitions';
import { storedTransitions } from '../../../src/features/inspection/stored-transitions';
import type { LoggedStep, TurnTimes } from '../../../src/features/inspection/inspection.store';

const START = Date.parse('2030-01-01T00:00:00.000Z');
const second = (n: number): Date => new Date(START + n * 1_000);

type Event = Partial<LoggedStep> & Pick<LoggedStep, 'type'>;

/** A log with an event a second. */
const logOf = (...events: readonly Event[]): LoggedStep[] =>
  events.map((event, index) => ({
    at: second(index),
    attempt: null,
    turn: null,
    status: null,
    error_code: null,
    ended_by: null,
    ...event,
  }));

const started = (attempt = 1): Event => ({ type: 'scenario_started', attempt });
const spoke = (...turns: readonly number[]): Event[] => turns.map((turn) => ({ type: 'transcript_update', turn }));
const graded = (status: string): Event[] => [
  { type: 'grading_started' },
  { type: 'grading_complete' },
  { type: 'scenario_complete', status },
];
const erred = (error_code: string): Event => ({ type: 'scenario_error', error_code });
/** Committed with the turn before it. */
const hungUpWithReply: Event = { type: 'grading_started', ended_by: 'agent', at: second(1) };
const canceled: Event = { type: 'scenario_canceled' };

const told = (
  steps: readonly LoggedStep[],
  { turns = [] as readonly TurnTimes[], connect_ms = null as number | null } = {},
) => storedTransitions(steps, turns, { max_turns: 2, connect_ms });

const CONVERSATION = [
  'active.connecting',
  'active.conversing.composing',
  'active.conversing.awaitingReply',
  'active.conversing.recordingTurn',
  'active.conversing.composing',
  'active.conversing.awaitingReply',
  'active.conversing.recordingTurn',
];
const GRADING = ['active.grading.judging', 'active.grading.recordingVerdict'];
const FAILING = ['active.disconnecting', 'active.recordingFailure', 'error'];

describe('what a scenario run did, told from its log', () => {
  it.each<[string, Event[], readonly string[], readonly string[]]>([
    ['passed', [started(), ...spoke(1, 2), ...graded('passed')], [...CONVERSATION, ...GRADING, 'passed'], []],
    ['failed', [started(), ...spoke(1, 2), ...graded('failed')], [...CONVERSATION, ...GRADING, 'failed'], []],
    [
      'was not connected',
      [started(), erred('connect_failed')],
      ['active.connecting', ...FAILING.slice(1)],
      ['connect failed'],
    ],
    [
      'got no answer to the second message',
      [started(), ...spoke(1), erred('provider_timeout')],
      [...CONVERSATION.slice(0, 6), ...FAILING],
      ['send message failed'],
    ],
    [
      'had no second message',
      [started(), ...spoke(1), erred('tester_failed')],
      [...CONVERSATION.slice(0, 5), ...FAILING],
      ['compose message failed'],
    ],
    [
      'was not graded',
      [started(), ...spoke(1, 2), { type: 'grading_started' }, erred('grading_failed')],
      [...CONVERSATION, ...GRADING.slice(0, 1), 'active.recordingFailure', 'error'],
      ['judge transcript failed'],
    ],
    [
      'met an unexpected error while it was graded',
      [started(), ...spoke(1, 2), { type: 'grading_started' }, erred('internal')],
      [...CONVERSATION, ...GRADING.slice(0, 1), 'active.recordingFailure', 'error'],
      ['judge transcript failed'],
    ],
    ['has no rubric', [started(), erred('no_rubric')], ['active.recordingFailure', 'error'], []],
    [
      'was canceled in its second turn',
      [started(), ...spoke(1), canceled],
      [...CONVERSATION.slice(0, 5), 'canceled'],
      [],
    ],
    ['was canceled while it was being connected', [started(), canceled], ['active.connecting', 'canceled'], []],
    ['was canceled before it began', [canceled], ['canceled'], []],
    [
      'was taken on by another attempt after its first turn',
      [started(), ...spoke(1), started(2), ...spoke(2), ...graded('passed')],
      [...CONVERSATION.slice(0, 5), ...CONVERSATION.slice(0, 2), ...CONVERSATION.slice(5), ...GRADING, 'passed'],
      [],
    ],
    [
      'began its conversation again',
      [started(), ...spoke(1), started(2), ...spoke(1, 2), ...graded('passed')],
      [...CONVERSATION.slice(0, 5), ...CONVERSATION, ...GRADING, 'passed'],
      [],
    ],
    [
      'was graded by another attempt',
      [started(), ...spoke(1, 2), { type: 'grading_started' }, started(2), ...graded('passed').slice(1)],
      [...CONVERSATION, ...GRADING.slice(0, 1), ...GRADING, 'passed'],
      [],
    ],
    [
      'ended with the reply of its first turn, by the agent',
      [started(), ...spoke(1), hungUpWithReply, ...graded('passed').slice(1)],
      [...CONVERSATION.slice(0, 4), ...GRADING, 'passed'],
      [],
    ],
    [
      'ended in place of its second reply, by the agent',
      [started(), ...spoke(1), { type: 'grading_started', ended_by: 'agent' }, ...graded('failed').slice(1)],
      [...CONVERSATION.slice(0, 6), 'active.grading.recordingStart', ...GRADING, 'failed'],
      [],
    ],
    [
      'was ended by the agent and graded by another attempt',
      [started(), ...spoke(1), hungUpWithReply, started(2), ...graded('passed').slice(1)],
      [...CONVERSATION.slice(0, 4), ...GRADING.slice(0, 1), ...GRADING, 'passed'],
      [],
    ],
    [
      'holds an event of a newer version',
      [started(), { type: 'patient_smiled' }, canceled],
      ['active.connecting', 'canceled'],
      [],
    ],
  ])('that %s', async (_what, events, states, failures) => {
    const transitions = await told(logOf(...events));
    expect(transitions.map(({ to }) => to)).toEqual(states);
    expect(transitions.map(({ event }) => event).filter((event) => event.endsWith('failed'))).toEqual(failures);
    for (const { from, to, event } of transitions) {
      if (event !== ATTEMPT_STARTED)
        expect({ from, to, event, edge: findEdge(charts.scenario_run, from, to, event) }).toMatchObject({ edge: {} });
    }
    expect(transitions.at(-1)?.source).toBe('stored');
  });

  it('says of a session that was opened, by how long that took, that it did not fail to open', async () => {
    const transitions = await told(logOf(started(), erred('provider_error')), { connect_ms: 12 });
    expect(transitions.map(({ to }) => to)).toEqual([...CONVERSATION.slice(0, 3), ...FAILING]);
  });

  it('takes the times of messages from their turn, and marks what only must have been', async () => {
    const turns = [{ conversation: 1, turn: 1, patient_at: second(0.4), agent_at: second(0.9), tester_ms: 100 }];
    expect(
      (await told(logOf(started(), ...spoke(1)), { turns })).map(({ event, at, source, turn, attempt }) => [
        event,
        Date.parse(at) - START,
        source,
        turn,
        attempt,
      ]),
    ).toEqual([
      ['attempt started', 0, 'stored', 1, 1],
      ['connect done', 300, 'inferred', 1, 1],
      ['compose message done', 400, 'stored', 1, 1],
      ['send message done', 900, 'stored', 1, 1],
      ['record turn done', 1_000, 'stored', 2, 1],
    ]);
  });

  it('lets others in between one attempt and the next, as many as there may be', async () => {
    const attempts = Array.from({ length: 50 }, (_, index) => [started(index + 1), ...spoke(1)]).flat();
    let turns = 0;
    const count = (): void => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    expect(await told(logOf(...attempts, ...spoke(2), ...graded('passed')))).toHaveLength(50 * 5 + 3 + 2);
    clearImmediate(counting);
    expect(turns).toBeGreaterThan(40);
  });
});

describe('what a test run did, told from its log', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['started', ['test_run_started'], ['live.running.supervising']],
    [
      'completed',
      ['test_run_started', 'test_run_complete'],
      ['live.running.supervising', 'live.running.recordingFinish', 'completed'],
    ],
    [
      'failed',
      ['test_run_started', 'test_run_failed'],
      ['live.running.supervising', 'live.running.recordingFinish', 'failed'],
    ],
    ['canceled', ['test_run_started', 'test_run_canceled'], ['live.running.supervising', 'canceled']],
    [
      'started on time',
      ['test_run_scheduled', 'test_run_started'],
      ['live.scheduled', 'live.pending', 'live.running.supervising'],
    ],
    ['came too late', ['test_run_scheduled', 'test_run_failed'], ['live.scheduled', 'live.pending', 'failed']],
    ['canceled before its time', ['test_run_scheduled', 'test_run_canceled'], ['live.scheduled', 'canceled']],
  ])('that %s', (_what, types, states) => {
    const transitions = storedRunTransitions(logOf(...types.map((type) => ({ type }))), 3);
    expect(transitions.map(({ to }) => to)).toEqual(states);
    expect(transitions.every(({ attempt, turn }) => attempt === 3 && turn === null)).toBe(true);
    for (const { from, to, event } of transitions) {
      if (event !== ATTEMPT_STARTED) expect(findEdge(charts.test_run, from, to, event)).not.toBeNull();
    }
  });
});
