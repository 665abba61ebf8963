import { getInitialSnapshot, getNextSnapshot, type AnyEventObject } from 'xstate';
import { EffectFailed } from '../../src/domain/failure';
import { statePath } from '../../machines/chart-definition';
import { present, type ScenarioRunInput } from '../../machines/scenario-run.context';
import { scenarioRunMachine } from '../../machines/scenario-run.machine';
import { done, failed } from './chart-paths';
import { exchangeAt, rowWith, verdictThat } from './scenario-run.walks';

const trouble = new EffectFailed({ code: 'provider_error', message: 'The agent answered 500.' });
const at = '2030-01-01T00:00:00.000Z';

const said = (turn: number) =>
  done('composeMessage', { turn, content: exchangeAt(turn).patientMessage, at, notes: { asked: turn } });
const replied = (turn: number, endsConversation = false) =>
  done('sendMessage', {
    turn,
    content: exchangeAt(turn).agentMessage,
    at,
    latencyMs: turn,
    continuation: turn,
    notes: { answered: turn },
    endsConversation,
  });
const hungUp = (turn: number) => done('sendMessage', { turn, content: null, isUnanswered: true });
const recorded = (turn: number) => done('recordTurn', { turn });
const turn = (number: number) => [said(number), replied(number), recorded(number)];

function after(row: ScenarioRunInput, events: readonly AnyEventObject[]) {
  let snapshot = getInitialSnapshot(scenarioRunMachine, row);
  // Answers of effects are events of XState's own, which the chart's type does not list.
  for (const event of events) snapshot = getNextSnapshot(scenarioRunMachine, snapshot, event as never);
  return { state: statePath(snapshot.value), context: snapshot.context };
}

describe('a scenario run goes on from what its row says', () => {
  it.each<[string, Partial<ScenarioRunInput>, string]>([
    ['passed', { status: 'passed' }, 'passed'],
    ['failed', { status: 'failed' }, 'failed'],
    ['ended in error', { status: 'error' }, 'error'],
    ['canceled', { status: 'canceled' }, 'canceled'],
    ['pending', { status: 'pending' }, 'active.connecting'],
    ['running, with a turn', { exchanges: [exchangeAt(1)] }, 'active.connecting'],
    ['running, with all turns', { exchanges: [exchangeAt(1), exchangeAt(2)] }, 'active.grading.recordingStart'],
    ['grading', { status: 'grading', exchanges: [exchangeAt(1)] }, 'active.grading.judging'],
    ['without a rubric', { hasRubric: false }, 'active.recordingFailure'],
  ])('%s', (_what, row, state) => {
    expect(after(rowWith(row), []).state).toBe(state);
  });

  it('and one without a rubric says that it cannot be graded', () => {
    expect(after(rowWith({ hasRubric: false }), []).context.failure).toMatchObject({ code: 'no_rubric' });
  });
});

describe('a conversation', () => {
  it('has each turn as it was said and answered, and is graded after the last one', () => {
    const { state, context } = after(rowWith(), [done('connect'), ...turn(1), ...turn(2)]);
    expect(state).toBe('active.grading.judging');
    expect(context).toMatchObject({ exchanges: [exchangeAt(1), exchangeAt(2)], patientMessage: null, reply: null });
  });

  it('is graded after the turn with which the agent ends it', () => {
    const events = [done('connect'), said(1), replied(1, true), recorded(1)];
    expect(after(rowWith(), events).state).toBe('active.grading.judging');
  });

  it('is graded without the turn in which the agent hangs up, once that is recorded', () => {
    const events = [done('connect'), ...turn(1), said(2), hungUp(2)];
    const { state, context } = after(rowWith(), events);
    expect(state).toBe('active.grading.recordingStart');
    expect(context).toMatchObject({ exchanges: [exchangeAt(1)], hangUp: { turn: 2, isUnanswered: true } });
    const graded = after(rowWith(), [...events, done('recordGradingStart')]);
    expect([graded.state, graded.context.status]).toEqual(['active.grading.judging', 'grading']);
  });

  it('in which the agent hangs up before its first reply has nothing to grade', () => {
    const { state, context } = after(rowWith(), [done('connect'), said(1), hungUp(1)]);
    expect([state, context.failure?.code]).toEqual(['active.disconnecting', 'provider_error']);
  });

  it.each<[string, AnyEventObject[], AnyEventObject, string]>([
    ['a message', [], said(2), 'active.conversing.composing'],
    ['a reply', [said(1)], replied(2), 'active.conversing.awaitingReply'],
    ['a hang-up', [said(1)], hungUp(2), 'active.conversing.awaitingReply'],
    ['a hang-up before', [...turn(1), said(2)], hungUp(1), 'active.conversing.awaitingReply'],
    ['a record', [said(1), replied(1)], recorded(2), 'active.conversing.recordingTurn'],
    ['a record of the last turn', [said(1), replied(1, true)], recorded(2), 'active.conversing.recordingTurn'],
  ])('does not hear %s of another turn', (_what, before, late, state) => {
    expect(after(rowWith(), [done('connect'), ...before, late]).state).toBe(state);
  });
});

describe('a scenario run in which something fails', () => {
  const graded = [done('connect'), ...turn(1), ...turn(2)];

  it.each<[string, AnyEventObject[], string]>([
    ['the session does not open', [failed('connect', trouble)], 'active.recordingFailure'],
    ['the tester', [done('connect'), failed('composeMessage', trouble)], 'active.disconnecting'],
    ['the agent', [done('connect'), said(1), failed('sendMessage', trouble)], 'active.disconnecting'],
    [
      'a turn is not stored',
      [done('connect'), said(1), replied(1), failed('recordTurn', trouble)],
      'active.disconnecting',
    ],
    ['the judge', [...graded, failed('judgeTranscript', trouble)], 'active.recordingFailure'],
  ])('keeps why: %s', (_what, events, state) => {
    const ended = after(rowWith(), events);
    expect([ended.state, ended.context.failure]).toEqual([state, trouble.failure]);
  });

  it('has no verdict where the verdict is not stored, and waits for another attempt where not even that is', () => {
    const events = [...graded, done('judgeTranscript', verdictThat(true)), failed('recordVerdict', trouble)];
    expect(after(rowWith(), events)).toMatchObject({
      state: 'active.recordingFailure',
      context: { verdict: null, failure: trouble.failure },
    });
    expect(after(rowWith(), [...events, done('recordFailure')]).state).toBe('error');
    expect(after(rowWith(), [...events, failed('recordFailure', trouble)]).state).toBe('released');
  });
});

test('an effect without its input says so', () => {
  expect(() => present(null)).toThrow('The statechart reached an effect without its input.');
  expect(present(0)).toBe(0);
});
