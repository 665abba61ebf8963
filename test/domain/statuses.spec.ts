import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { getStateNodes } from 'xstate/graph';
import { scenarioRunMachine } from '../../machines/scenario-run.machine';
import {
  FINAL_SCENARIO_RUN_STATUSES,
  FINAL_TEST_RUN_STATUSES,
  isFinalScenarioRun,
  isFinalTestRun,
  SCENARIO_RUN_STATUSES,
  TEST_RUN_STATUSES,
} from '../../src/domain/statuses';
import { testRunMachine } from '../../machines/test-run.machine';

/** Tags of a state and of the regions around it: the status that the API shows meanwhile. */
function statusesOf(node: AnyStateNode): readonly string[] {
  return [...node.tags, ...(node.parent === undefined ? [] : statusesOf(node.parent))];
}

/** Leaves are where an actor can be; one that is left at once, whatever the row says, is never seen. */
function statesWithStatus(chart: AnyStateMachine): ReadonlyMap<string, readonly string[]> {
  const leaves = getStateNodes(chart).filter((node) => Object.keys(node.states).length === 0);
  const lasting = leaves.filter((node) => node.always?.every(({ guard }) => guard !== undefined) ?? true);
  return new Map(lasting.map((node) => [node.path.join('.'), statusesOf(node)]));
}

/**
 * How many statuses a state may stand for, where it is not one. With the row given away the row's status is another process's;
 * a failure is recorded of either, and the actor's context knows which one it is.
 */
const STATUSES_OF: Readonly<Record<string, number>> = {
  superseded: 0,
  released: 0,
  'active.recordingFailure': 2,
};

describe.each([
  ['scenario run', scenarioRunMachine, SCENARIO_RUN_STATUSES, FINAL_SCENARIO_RUN_STATUSES],
  ['test run', testRunMachine, TEST_RUN_STATUSES, FINAL_TEST_RUN_STATUSES],
] as const)('the states of a %s', (_name, chart: AnyStateMachine, statuses, finalStatuses) => {
  const states = statesWithStatus(chart);

  it('have one status of the API each, but for those that leave the row to others and the record of a failure', () => {
    const wrong = [...states].filter(([state, tags]) => tags.length !== (STATUSES_OF[state] ?? 1));
    expect(wrong).toEqual([]);
  });

  it('show every final status in the final state of that name, and in no other', () => {
    const final = [...states].filter(([, [status]]) => finalStatuses.some((each) => each === status));
    expect(final).toEqual(finalStatuses.map((status) => [status, [status]]));
    for (const status of finalStatuses) expect(chart.root.states[status]?.type).toBe('final');
  });

  it('show no status that the API does not know', () => {
    const shown = new Set([...states.values()].flat());
    expect([...shown].filter((status) => !statuses.some((each) => each === status))).toEqual([]);
  });
});

describe('the statuses of the API', () => {
  it('are those of the specification', () => {
    expect([...TEST_RUN_STATUSES].sort()).toEqual(
      ['pending', 'running', 'completed', 'failed', 'canceled', 'scheduled'].sort(),
    );
    expect([...SCENARIO_RUN_STATUSES].sort()).toEqual(
      ['pending', 'running', 'grading', 'passed', 'failed', 'error', 'canceled'].sort(),
    );
  });

  it('know which of them are final', () => {
    expect(TEST_RUN_STATUSES.filter(isFinalTestRun)).toEqual(['completed', 'failed', 'canceled']);
    expect(SCENARIO_RUN_STATUSES.filter(isFinalScenarioRun)).toEqual(['passed', 'failed', 'error', 'canceled']);
  });
});
