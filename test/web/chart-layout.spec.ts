import type { AnyStateMachine } from 'xstate';
import { defineChart } from '../../machines/chart-definition';
import { scenarioRunMachine } from '../../machines/scenario-run.machine';
import { testRunMachine } from '../../machines/test-run.machine';
import type { Machine } from '../../contract/inspection';
import { edgeOf, innermost } from '../../web/src/inspection/chart-edges';
import { layOut, type Box } from '../../web/src/inspection/chart-layout';

/** As the service answers it. */
function machineOf(kind: Machine['kind'], chart: AnyStateMachine): Machine {
  return { kind, ...JSON.parse(JSON.stringify(defineChart(chart))) };
}

describe.each([
  ['scenario run', machineOf('scenario_run', scenarioRunMachine)],
  ['test run', machineOf('test_run', testRunMachine)],
])('the drawing of the %s chart on the page', (_name, machine) => {
  const { boxes, lines, width, height } = layOut(machine);
  const boxOf = new Map(boxes.map((box) => [box.id, box]));

  it('has every state once, inside its region and on the sheet', () => {
    expect(boxes.map(({ id }) => id).sort()).toEqual(machine.states.map(({ id }) => id).sort());
    for (const { id, parent } of machine.states) {
      const region = parent === null ? { x: 0, y: 0, width, height } : boxOf.get(parent);
      const box = boxOf.get(id);
      if (box === undefined || region === undefined) throw new Error(`${id} is not drawn.`);
      expect(box.x).toBeGreaterThanOrEqual(region.x);
      expect(box.y).toBeGreaterThanOrEqual(region.y);
      expect(box.x + box.width).toBeLessThanOrEqual(region.x + region.width);
      expect(box.y + box.height).toBeLessThanOrEqual(region.y + region.height);
    }
  });

  it('has no two states over each other', () => {
    const states = boxes.filter(({ type }) => type !== 'compound');
    for (const [index, one] of states.entries()) {
      for (const other of states.slice(index + 1)) expect(isOver(one, other)).toBe(false);
    }
  });

  it('has a line for whatever an actor that lives can do', () => {
    const beginning = innermost(machine.states, machine.initial);
    const finals = new Set(machine.states.filter(({ type }) => type === 'final').map(({ id }) => id));
    for (const { source, target } of machine.transitions) {
      if (target === null || (source === beginning && finals.has(target))) continue;
      const from = innermost(machine.states, source);
      expect(edgeOf(lines, from, innermost(machine.states, target))).toBeDefined();
    }
    for (const { path } of lines) expect(path).not.toMatch(/NaN|undefined|Infinity/);
  });
});

it('a step is drawn along the line that says most of it', () => {
  const { lines } = layOut(machineOf('scenario_run', scenarioRunMachine));
  const idOf = (from: string, to: string) => edgeOf(lines, from, to)?.id;
  expect(idOf('active.conversing.awaitingReply', 'canceled')).toBe('active > canceled');
  expect(idOf('active.connecting', 'active.conversing.composing')).toBe('active.connecting > active.conversing');
  expect(idOf('active.conversing.recordingTurn', 'active.conversing.composing')).toBe(
    'active.conversing.recordingTurn > active.conversing.composing',
  );
  expect(idOf('passed', 'failed')).toBeUndefined();
});

function isOver(one: Box, other: Box): boolean {
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x;
  const isBelow = one.y + one.height <= other.y || other.y + other.height <= one.y;
  return !isBeside && !isBelow;
}
