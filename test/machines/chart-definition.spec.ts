import type { AnyStateMachine } from 'xstate';
import { getStateNodes } from 'xstate/graph';
import { defineChart, statePath } from '../../machines/chart-definition';
import { scenarioRunMachine } from '../../machines/scenario-run.machine';
import { testRunMachine } from '../../machines/test-run.machine';

describe.each([
  ['scenario run', scenarioRunMachine],
  ['test run', testRunMachine],
] as const)('the definition of the %s chart', (_name, chart: AnyStateMachine) => {
  const define = () => defineChart(chart);

  it('names every state once, parents before their children', () => {
    const definition = define();
    const ids = definition.states.map(({ id }) => id);
    expect([...ids].sort()).toEqual(
      getStateNodes(chart)
        .map((node) => node.path.join('.'))
        .sort(),
    );
    for (const [index, { parent }] of definition.states.entries()) {
      if (parent !== null) expect(ids.slice(0, index)).toContain(parent);
    }
  });

  it('leads only from and to its own states', () => {
    const definition = define();
    const ids = new Set(definition.states.map(({ id }) => id));
    for (const { source, target } of definition.transitions) {
      expect(ids).toContain(source);
      if (target !== null) expect(ids).toContain(target);
    }
  });

  it('is plain data', () => {
    const definition = define();
    expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
  });
});

it('says what a state waits for, and what leads out of it', () => {
  const { initial, states, transitions } = defineChart(scenarioRunMachine);
  expect(initial).toBe('pending');
  expect(states.find(({ id }) => id === 'active.conversing')).toEqual({
    id: 'active.conversing',
    parent: 'active',
    type: 'compound',
    initial: 'active.conversing.composing',
    invokes: [],
    tags: ['running'],
  });
  expect(states.find(({ id }) => id === 'active.grading.judging')).toMatchObject({
    type: 'atomic',
    invokes: ['judgeTranscript'],
  });
  expect(states.find(({ id }) => id === 'passed')).toMatchObject({ parent: null, type: 'final', tags: ['passed'] });
  expect(transitions.filter(({ source }) => source === 'active.conversing.awaitingReply')).toEqual([
    {
      source: 'active.conversing.awaitingReply',
      target: 'active.conversing.recordingTurn',
      event: 'send message done',
      guard: 'hasReplied',
      actions: ['keepReply'],
    },
    {
      source: 'active.conversing.awaitingReply',
      target: 'active.grading.recordingStart',
      event: 'send message done',
      guard: 'hungUpAfterReply',
      actions: ['noteHangUp'],
    },
    {
      source: 'active.conversing.awaitingReply',
      target: 'active.disconnecting',
      event: 'send message done',
      guard: 'hungUpBeforeReply',
      actions: ['noteHangUpBeforeReply'],
    },
    {
      source: 'active.conversing.awaitingReply',
      target: 'active.disconnecting',
      event: 'send message failed',
      guard: null,
      actions: ['keepFailure'],
    },
  ]);
});

it('writes the state an actor is in as a path', () => {
  expect(statePath('passed')).toBe('passed');
  expect(statePath({})).toBe('');
  expect(statePath({ active: { conversing: 'composing' } })).toBe('active.conversing.composing');
});
