import {
  getInitialMicrosteps,
  getMicrosteps,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type StateValue,
} from 'xstate';
import { statePath, type ChartDefinition } from '../../../machines/chart-definition';
import { eventWords } from '../../../machines/transition-words';

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
