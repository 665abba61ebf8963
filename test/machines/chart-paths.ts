import {
  createActor,
  fromPromise,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
} from 'xstate';
import { getAdjacencyMap, getSimplePaths, getStateNodes, type AdjacencyValue, type StatePath } from 'xstate/graph';
import { eventWords } from '../../machines/transition-words';

/** What generates a chart's paths from one row. */
export interface Walk {
  readonly input: unknown;
  /** Every event that may arrive in a state: facts from outside and each outcome of each effect. */
  readonly events: (snapshot: AnyMachineSnapshot) => readonly AnyEventObject[];
  /** What of the context tells two situations in the same state apart. */
  readonly distinguish: (snapshot: AnyMachineSnapshot) => readonly unknown[];
}

/** XState counts each event tried in each situation: our charts take up to 2,000, and a path through all still fits on the stack. */
const MOST_TRIES = 4_000;
/** How much of a path that has no end is named: enough to see where it goes round. */
const NAMED_STEPS = 12;

export function done(effect: string, output?: unknown): AnyEventObject {
  return { type: `xstate.done.actor.${effect}`, output, actorId: effect };
}

export function failed(effect: string, error: unknown): AnyEventObject {
  return { type: `xstate.error.actor.${effect}`, error, actorId: effect };
}

/** The chart with effects that never answer, so that the test says what they answer, and when. */
export function withSilentEffects(chart: AnyStateMachine): AnyStateMachine {
  const silent = fromPromise(() => new Promise(() => undefined));
  const names = Object.keys(chart.implementations.actors);
  return chart.provide({ actors: Object.fromEntries(names.map((name) => [name, silent])) });
}

/** The events of every simple path from the row to a final state. @throws Error when a walk does not come to an end */
export function pathsOf(chart: AnyStateMachine, walk: Walk): readonly (readonly AnyEventObject[])[] {
  const paths: readonly StatePath<AnyMachineSnapshot, AnyEventObject>[] = bounded(walk, (options) =>
    getSimplePaths(chart, options),
  );
  return paths
    .filter((path) => path.state.status === 'done')
    .map((path) => path.steps.slice(1).map((step) => step.event));
}

/** Snapshots by the state they are in, for one test a state. */
export function byState(
  snapshots: readonly AnyMachineSnapshot[],
): readonly (readonly [string, AnyMachineSnapshot[]])[] {
  const groups = new Map<string, AnyMachineSnapshot[]>();
  for (const snapshot of snapshots) {
    const state = JSON.stringify(snapshot.value).replaceAll(/[{}"]/g, '').replaceAll(':', '.');
    groups.set(state, [...(groups.get(state) ?? []), snapshot]);
  }
  return [...groups];
}

/**
 * Every situation that can be reached from the rows, for those who make one test of each state. They are looked for before
 * there is a test to fail: a walk that does not come to an end is `problem`, for a test to name.
 */
export function survey(
  chart: AnyStateMachine,
  walks: readonly Walk[],
): { readonly situations: readonly AnyMachineSnapshot[]; readonly problem: string | null } {
  const situations: AnyMachineSnapshot[] = [];
  for (const walk of walks) {
    try {
      const vertices: readonly AdjacencyValue<AnyMachineSnapshot, AnyEventObject>[] = Object.values(
        bounded(walk, (options) => getAdjacencyMap(chart, options)),
      );
      situations.push(...vertices.map((vertex) => vertex.state));
    } catch (error) {
      return { situations, problem: String(error) };
    }
  }
  return { situations, problem: null };
}

type Traversal = ReturnType<typeof traversal>;

/** Names the path of a walk that has no end, or is too deep to be followed. */
function bounded<Found>(walk: Walk, find: (options: Traversal) => Found): Found {
  const options = traversal(walk);
  const cameFrom = new Map<string, { readonly before: string; readonly event: string }>();
  let newest = '';
  try {
    return find({
      ...options,
      serializeState: (snapshot, event, before) => {
        const situation = options.serializeState(snapshot);
        const last = before === undefined ? situation : options.serializeState(before);
        if (event !== undefined && last !== situation && !cameFrom.has(situation)) {
          cameFrom.set(situation, { before: last, event: eventWords(event.type) });
          newest = situation;
        }
        return situation;
      },
    });
  } catch (error) {
    const steps: string[] = [];
    for (let step = cameFrom.get(newest); step !== undefined && steps.length < NAMED_STEPS;) {
      steps.unshift(step.event);
      step = cameFrom.get(step.before);
    }
    throw new Error(`A path through the chart does not come to an end: … → ${steps.join(' → ')}.`, { cause: error });
  }
}

function traversal({ input, events, distinguish }: Walk) {
  return {
    input,
    events,
    limit: MOST_TRIES,
    stopWhen: (snapshot: AnyMachineSnapshot) => snapshot.status !== 'active',
    serializeState: (snapshot: AnyMachineSnapshot, _event?: AnyEventObject, _before?: AnyMachineSnapshot) =>
      JSON.stringify([snapshot.value, snapshot.status, distinguish(snapshot)]),
  };
}

export interface Replay {
  /** After the start, and then after each event. */
  readonly situations: readonly Situation[];
  readonly taken: ReadonlySet<AnyTransitionDefinition>;
  /** Those of them that second and later deliveries of an event took. */
  readonly takenByRepeats: ReadonlySet<AnyTransitionDefinition>;
}

export type Situation = ReturnType<typeof situation>;

/** What must be equal for two snapshots to be the same. */
export function situation({ value, status, context }: AnyMachineSnapshot) {
  return { value: value as unknown, status, context: context as unknown };
}

/** Lets a real actor live through the events, each delivered so many times in a row. */
export function replay(
  chart: AnyStateMachine,
  input: unknown,
  events: readonly AnyEventObject[],
  deliveries = 1,
): Replay {
  const taken = new Set<AnyTransitionDefinition>();
  const takenByRepeats = new Set<AnyTransitionDefinition>();
  let isRepeat = false;
  const actor = createActor(chart, {
    input,
    inspect: (event) => {
      if (event.type !== '@xstate.microstep') return;
      for (const transition of event._transitions) {
        taken.add(transition);
        if (isRepeat) takenByRepeats.add(transition);
      }
    },
  });
  actor.subscribe({ error: () => undefined });
  actor.start();
  const situations = [situation(actor.getSnapshot())];
  for (const event of events) {
    for (let delivery = 1; delivery <= deliveries; delivery += 1) {
      isRepeat = delivery > 1;
      actor.send(event);
    }
    situations.push(situation(actor.getSnapshot()));
  }
  actor.stop();
  return { situations, taken, takenByRepeats };
}

/** Every transition the chart defines, each guarded candidate by itself, with a name for messages. */
export function transitionsOf(chart: AnyStateMachine): ReadonlyMap<AnyTransitionDefinition, string> {
  const names = new Map<AnyTransitionDefinition, string>();
  for (const node of [chart.root, ...getStateNodes(chart)]) {
    for (const transition of [...[...node.transitions.values()].flat(), ...(node.always ?? [])]) {
      names.set(transition, nameOf(transition));
    }
  }
  return names;
}

function nameOf(transition: AnyTransitionDefinition): string {
  const targets = (transition.target ?? []).map((target) => target.id);
  return `${transition.source.id} --${transition.eventType}--> ${targets.join(', ') || 'nothing'}`;
}

/** Ids of the states that a transition enters or leaves, with the regions around them. */
export function statesAlong(taken: ReadonlySet<AnyTransitionDefinition>): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { source, target } of taken) {
    for (const start of [source, ...(target ?? [])]) {
      for (let node: typeof start | undefined = start; node !== undefined; node = node.parent) ids.add(node.id);
    }
  }
  return ids;
}

/** Ids of every state the chart defines. */
export function statesOf(chart: AnyStateMachine): readonly string[] {
  return [chart.root, ...getStateNodes(chart)].map((node) => node.id);
}
