import {
  getInitialMicrosteps,
  getMicrosteps,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type StateValue,
} from 'xstate';
import {
  statePath,
  type ChartDefinition,
  defineChart,
  scenarioRunMachine,
  testRunMachine,
  eventWords,
} from '../../../machines';
import type { ActorTransition } from '../../../contract/inspection';

/** An event that an actor may receive in its current state. */
export interface Possible {
  readonly event: AnyEventObject;
  /** Of several paths to what the log holds, the cheapest is taken. */
  readonly cost: number;
}

/** One step of a walk. */
export interface WalkedStep {
  readonly from: string;
  readonly to: string;
  /** In words, as in the chart's definition. */
  readonly event: string;
  readonly heard: AnyEventObject | null;
  /** The actor's snapshot afterwards. */
  readonly snapshot: AnyMachineSnapshot;
}

export const ATTEMPT_STARTED = 'attempt started';

/** XState's event for an effect that is done. */
export function done(effect: string, output?: unknown): AnyEventObject {
  return { type: `xstate.done.actor.${effect}`, output, actorId: effect };
}

/** The same for one that has failed. */
export function failed(effect: string, error: unknown): AnyEventObject {
  return { type: `xstate.error.actor.${effect}`, error, actorId: effect };
}

/** How many situations are visited before the search gives up: several times what our charts have. */
const MOST_SITUATIONS = 200;

interface Place {
  readonly snapshot: AnyMachineSnapshot;
  /** Steps that follow immediately where a guard holds: the log may not record the facts they depend on. */
  readonly ahead: readonly AnyMachineSnapshot[];
}

interface Reached extends Place {
  readonly path: readonly WalkedStep[];
}

interface Lead {
  readonly cost: number;
  /** Only called when nothing cheaper is left: a step of a chart costs a tenth of a millisecond. */
  readonly take: () => Reached | null;
}

/**
 * Walks through a chart as an actor would, without running its effects: the chart says where each event leads. So what an
 * actor did can be derived from the events it must have received.
 */
export class ChartWalk {
  private place: Place | null = null;

  /** @param definition of the same chart */
  constructor(
    private readonly chart: AnyStateMachine,
    private readonly definition: ChartDefinition,
  ) {}

  /** The actor's snapshot; null before it began. */
  get snapshot(): AnyMachineSnapshot | null {
    return this.place?.snapshot ?? null;
  }

  /** Begins anew from a row and continues to a snapshot that is searched for, or to the first stable one. */
  begin(input: unknown, isThere: (snapshot: AnyMachineSnapshot) => boolean): WalkedStep {
    const [first, ...ahead] = getInitialMicrosteps(this.chart, input).map(([snapshot]) => snapshot);
    if (first === undefined) throw new Error('A chart begins in a state.');
    let snapshot = first;
    while (!isThere(snapshot)) {
      const next = ahead.shift();
      if (next === undefined) break;
      snapshot = next;
    }
    this.place = { snapshot, ahead };
    return { from: pathOf(first), to: pathOf(snapshot), event: ATTEMPT_STARTED, heard: null, snapshot };
  }

  /**
   * The cheapest path from here to a snapshot that is searched for; empty when the actor is there already. Null when there is
   * none: the actor then stays where it is.
   * @param possible the events possible in a situation
   */
  to(
    isThere: (snapshot: AnyMachineSnapshot) => boolean,
    possible: (snapshot: AnyMachineSnapshot) => readonly Possible[],
  ): readonly WalkedStep[] | null {
    if (this.place === null) return null;
    const met = new Set<string>();
    const leads: Lead[] = [];
    let here: Reached | null = { ...this.place, path: [] };
    let cost = 0;
    for (let looked = 0; looked < MOST_SITUATIONS; looked += 1) {
      if (here !== null && isThere(here.snapshot)) {
        this.place = here;
        return here.path;
      }
      if (here !== null && isNew(met, here)) {
        leads.push(...this.leadsFrom(here, cost, possible(here.snapshot)));
      }
      const next = cheapest(leads);
      if (next === undefined) return null;
      ({ cost } = next);
      here = next.take();
    }
    return null;
  }

  /** The effects running in a situation, by their names in the chart. */
  effectsIn(snapshot: AnyMachineSnapshot): readonly string[] {
    const path = pathOf(snapshot);
    return this.definition.states
      .filter(({ id }) => id === path || path.startsWith(`${id}.`))
      .flatMap(({ invokes }) => invokes);
  }

  private leadsFrom(here: Reached, cost: number, possible: readonly Possible[]): Lead[] {
    if (here.snapshot.status !== 'active') return [];
    const [next, ...ahead] = here.ahead;
    const leads = possible.map((one) => ({ cost: cost + one.cost, take: () => this.hear(here, one.event) }));
    return next === undefined ? leads : [...leads, { cost: cost + 1, take: () => stepTo(here, next, ahead, null) }];
  }

  private hear(here: Reached, event: AnyEventObject): Reached | null {
    const [next, ...ahead] = getMicrosteps(this.chart, here.snapshot, event).map(([snapshot]) => snapshot);
    return next === undefined ? null : stepTo(here, next, ahead, event);
  }
}

function stepTo(
  { snapshot: before, path }: Reached,
  snapshot: AnyMachineSnapshot,
  ahead: readonly AnyMachineSnapshot[],
  heard: AnyEventObject | null,
): Reached {
  const event = heard === null ? '' : eventWords(heard.type);
  return { snapshot, ahead, path: [...path, { from: pathOf(before), to: pathOf(snapshot), event, heard, snapshot }] };
}

function isNew(met: Set<string>, { snapshot, ahead }: Place): boolean {
  const situation = JSON.stringify([snapshot.value, snapshot.context, ahead.length]);
  if (met.has(situation)) return false;
  met.add(situation);
  return true;
}

/** The first of them, so that what is named first is tried first. */
function cheapest(leads: Lead[]): Lead | undefined {
  let found = 0;
  leads.forEach(({ cost }, at) => {
    if (cost < (leads[found]?.cost ?? Infinity)) found = at;
  });
  return leads.splice(found, 1)[0];
}

function pathOf({ value }: { readonly value: StateValue }): string {
  return statePath(value);
}

export const charts = {
  scenario_run: defineChart(scenarioRunMachine),
  test_run: defineChart(testRunMachine),
} as const;

/** What a transition of the chart is guarded by and does. */
interface Edge {
  readonly guard: string | null;
  readonly actions: readonly string[];
}

/** The transition that an event makes from one innermost state to another; null when the chart has none. */
export function findEdge(chart: ChartDefinition, from: string, to: string, event: string): Edge | null {
  const found = chart.transitions.find(
    ({ source, target, event: cause }) =>
      cause === event && (source === from || from.startsWith(`${source}.`)) && innermost(chart, target) === to,
  );
  return found ?? null;
}

/** One step of a path through a chart. */
interface Step extends Edge {
  readonly to: string;
  readonly event: string;
}

/**
 * The shortest path from one innermost state to another on which every effect succeeds; null when there is none.
 */
export function findWay(chart: ChartDefinition, from: string, to: string): readonly Step[] | null {
  const ways = new Map<string, readonly Step[]>([[from, []]]);
  // A map may grow while it is iterated: states found on the way are visited too.
  for (const [state, way] of ways) {
    if (state === to) return way;
    for (const { source, target, event, guard, actions } of chart.transitions) {
      const next = innermost(chart, target);
      const isUsual = event === '' || event.endsWith(' done');
      if (next === null || !isUsual || !(state === source || state.startsWith(`${source}.`)) || ways.has(next))
        continue;
      ways.set(next, [...way, { to: next, event, guard, actions }]);
    }
  }
  return null;
}

/** Entering a compound state is entering the state in which it begins. */
function innermost({ states }: ChartDefinition, target: string | null): string | null {
  for (let id = target; ;) {
    const initial: string | null = states.find((state) => state.id === id)?.initial ?? null;
    if (initial === null) return id;
    id = initial;
  }
}

/** A derived step as inspection shows it. @param source `stored` when the log itself holds its outcome */
export function transitionOf(
  chart: ChartDefinition,
  { from, to, event, snapshot }: WalkedStep,
  attempt: number,
  at: Date,
  source: 'stored' | 'inferred',
): ActorTransition {
  const { guard = null, actions = [] } = findEdge(chart, from, to, event) ?? {};
  const context: unknown = snapshot.context;
  return {
    at: at.toISOString(),
    attempt,
    from,
    to,
    event,
    guard,
    actions: [...actions],
    turn: turnIn(context),
    source,
  };
}

/** From 1 to the last one of the conversation; null for a test run, which has none. */
export function turnIn(context: unknown): number | null {
  if (typeof context !== 'object' || context === null || !('exchanges' in context && 'maxTurns' in context))
    return null;
  const { exchanges, maxTurns } = context;
  if (!Array.isArray(exchanges) || typeof maxTurns !== 'number') return null;
  return Math.min(exchanges.length + 1, maxTurns);
}
