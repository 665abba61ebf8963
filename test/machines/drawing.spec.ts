import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assign, setup, type AnyStateMachine } from 'xstate';
import { getStateNodes } from 'xstate/graph';
import { diagramIdOf, drawChart } from '../../machines/drawing';
import { scenarioRunMachine } from '../../machines/scenario-run.machine';
import { testRunMachine } from '../../machines/test-run.machine';

describe.each([
  ['scenario-run', scenarioRunMachine],
  ['test-run', testRunMachine],
] as const)('the drawing of the %s chart', (name, chart: AnyStateMachine) => {
  const draw = () => drawChart(chart);

  it('is the one in the documentation ("npm run charts" draws it anew)', () => {
    const page = readFileSync(join(__dirname, '../../docs/charts', `${name}.md`), 'utf8');
    const [, committed] = /```mermaid\n([^]*?)```/.exec(page) ?? [];
    expect(committed).toBe(draw());
  });

  it('shows every state once', () => {
    const drawn = [...draw().matchAll(/state ".+" as (\w+)/g)].map(([, id]) => id);
    expect(drawn.sort()).toEqual(
      getStateNodes(chart)
        .map((node) => diagramIdOf(node.path))
        .sort(),
    );
  });

  it('shows no name that only the library uses', () => {
    expect(draw()).not.toMatch(/xstate|actor\.|#|\*(?!\])/);
  });
});

describe('a drawing', () => {
  const chart = setup({
    types: {},
    guards: { isBroken: () => false, isHot: () => false },
    actions: { countPulse: assign({ count: ({ context }) => context.count + 1 }) },
  }).createMachine({
    context: { count: 0 },
    initial: 'off',
    on: { '*': {} },
    states: {
      off: { on: { turnedOn: [{ guard: 'isBroken', target: 'broken' }, { target: 'on' }] } },
      on: {
        initial: 'warmingUp',
        on: { turnedOff: 'off', pulsed: { actions: 'countPulse' } },
        states: {
          warmingUp: { always: { guard: 'isHot', target: 'bright' } },
          bright: { on: { turnedOff: { guard: 'isBroken', target: '#(machine).off' } } },
        },
      },
      broken: { type: 'final' },
    },
  });

  it('says in words what leads from state to state', () => {
    expect(drawChart(chart)).toBe(`stateDiagram-v2
  direction TB
  [*] --> off
  state "off" as off
  state "on, pulsed / count pulse" as on {
    [*] --> on_warmingUp
    state "warming up" as on_warmingUp
    state "bright" as on_bright
    on_warmingUp --> on_bright : [is hot]
  }
  state "broken" as broken
  off --> broken : turned on [is broken]
  off --> on : turned on [otherwise]
  on --> off
  note right of off
    turned off
    turned off [is broken]
  end note
  classDef final stroke-width:3px
  class broken final
`);
  });

  it('draws what leads out of a region once, after all regions, and nothing of what changes nothing', () => {
    const leaving = setup({}).createMachine({
      id: 'leaving',
      initial: 'inside',
      states: {
        inside: { initial: 'waiting', states: { waiting: { on: { called: '#leaving.outside', ignored: {} } } } },
        outside: { type: 'final' },
      },
    });
    expect(drawChart(leaving)).toBe(`stateDiagram-v2
  direction TB
  [*] --> inside
  state "inside" as inside {
    [*] --> inside_waiting
    state "waiting" as inside_waiting
  }
  state "outside" as outside
  inside_waiting --> outside : called
  classDef final stroke-width:3px
  class outside final
`);
  });
});
