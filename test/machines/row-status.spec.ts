import { getInitialSnapshot, getNextSnapshot, type AnyEventObject } from 'xstate';
import { EffectFailed } from '../../src/domain/failure';
import { scenarioRunMachine } from '../../machines/scenario-run.machine';
import { testRunMachine } from '../../machines/test-run.machine';
import { done, failed } from './chart-paths';
import { outcomesOfTurn, rowWith, verdictThat } from './scenario-run.walks';
import { rowWith as runWith } from './test-run.walks';

const trouble = new EffectFailed({ code: 'provider_error', message: 'The agent answered 500.' });
const conversation = [done('connect'), ...outcomesOfTurn(1), ...outcomesOfTurn(2)];

/** The status in the actor's context, and those that its state may stand for, after each event. */
function statusesOfScenarioRun(events: readonly AnyEventObject[]): string[] {
  let snapshot = getInitialSnapshot(scenarioRunMachine, rowWith());
  return events.map((event) => {
    // Outcomes of effects are events of XState's own, which the chart's type does not list.
    snapshot = getNextSnapshot(scenarioRunMachine, snapshot, event as never);
    return `${snapshot.context.status} ${[...snapshot.tags].join()}`;
  });
}

describe('the status that a scenario run’s actor keeps in mind', () => {
  const before = Array.from({ length: conversation.length }, (_, at) =>
    at < conversation.length - 1 ? 'running running' : 'grading grading',
  );

  it.each([
    ['passed', true],
    ['failed', false],
  ])('is that of its row: %s', (end, passes) => {
    const events = [...conversation, done('judgeTranscript', verdictThat(passes)), done('recordVerdict')];
    expect(statusesOfScenarioRun(events)).toEqual([...before, 'grading grading', `${end} ${end}`]);
  });

  it.each([
    ['the session does not open', [failed('connect', trouble)], 'running running,grading'],
    [
      'the agent fails',
      [done('connect'), ...outcomesOfTurn(1), failed('composeMessage', trouble), done('disconnect')],
      'running running,grading',
    ],
    ['the judge fails', [...conversation, failed('judgeTranscript', trouble)], 'grading running,grading'],
    [
      'the verdict cannot be written',
      [...conversation, done('judgeTranscript', verdictThat(true)), failed('recordVerdict', trouble)],
      'grading running,grading',
    ],
  ])('is that of its row while a failure is recorded: %s', (_what, events, status) => {
    expect(statusesOfScenarioRun([...events, done('recordFailure')]).slice(-2)).toEqual([status, 'error error']);
  });
});

describe('the status that a test run’s actor keeps in mind', () => {
  it('is that of its row', () => {
    const row = runWith({ status: 'scheduled', scheduledAt: '2030-01-01T00:00:00.000Z' });
    let snapshot = getInitialSnapshot(testRunMachine, row);
    const statuses = [snapshot.context.status];
    for (const event of [done('waitUntilDue'), done('recordStart', { kind: 'started' })]) {
      snapshot = getNextSnapshot(testRunMachine, snapshot, event as never);
      statuses.push(snapshot.context.status);
    }
    expect(statuses).toEqual(['scheduled', 'scheduled', 'running']);
  });
});
