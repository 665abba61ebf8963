import { randomUUID } from 'node:crypto';
import type { AnyTransitionDefinition, InspectionEvent, StateValue } from 'xstate';
import { statePath, eventWords, nameOf } from '../../../machines';
import type { LiveActor } from '../../engine/actors';
import { ATTEMPT_STARTED, turnIn } from './chart-walk';
import type { ActorNotice } from './inspection-messages';
import type { ActorTransition, HeldFloor } from '../../../contract/inspection';

/** What the snapshots of both charts have in common. */
interface ChartSnapshot {
  readonly value: StateValue;
  readonly context: object;
}

/** Transitions kept for those who begin to watch later. */
const KEPT = 200;

/**
 * Observes every transition of one actor, including those between two stable states, and who has the floor of its call. XState's inspection is attached to the actor's
 * own system, so that no other actor pays for it.
 */
export class ActorWatch {
  readonly id = randomUUID();
  private readonly seen: ActorTransition[] = [];
  private number = 0;
  private state: string;
  private readonly inspection: { unsubscribe(): void };
  private readonly leaveFloor: (() => void) | undefined;

  /** @param isNew the actor was created a moment ago and is about to start: its first step has been taken already */
  constructor(
    readonly live: LiveActor,
    isNew: boolean,
    private readonly publish: (notice: ActorNotice) => void,
  ) {
    const { actor } = live;
    const snapshot = actor.getSnapshot();
    this.state = statePath(snapshot.value);
    if (isNew) {
      const from = live.kind === 'test_run' ? 'live.restored' : 'pending';
      this.add({ from, to: this.state, event: ATTEMPT_STARTED, guard: null, actions: [] }, snapshot);
    }
    this.inspection = actor.system.inspect((event) => this.hear(event));
    if (live.kind === 'scenario_run') {
      this.leaveFloor = live.floor?.follow(() => this.publish({ watch_id: this.id, floor: floorOf(live) }));
    }
  }

  get transitions(): readonly ActorTransition[] {
    return this.seen;
  }

  get last(): number {
    return this.number;
  }

  end(): void {
    this.inspection.unsubscribe();
    this.leaveFloor?.();
  }

  private hear(inspected: InspectionEvent): void {
    if (inspected.type !== '@xstate.microstep' || inspected.actorRef !== this.live.actor) return;
    const { snapshot, event, _transitions } = inspected;
    if (!isMachineSnapshot(snapshot)) return;
    const to = statePath(snapshot.value);
    const [taken] = _transitions;
    const actions = taken === undefined ? [] : taken.actions.map(nameOf);
    // A late event of an effect, which the chart drops.
    if (to === this.state && actions.length === 0) return;
    const isAutomatic = taken?.eventType === '';
    const guard = guardOf(taken);
    this.add({ from: this.state, to, event: isAutomatic ? '' : eventWords(event.type), guard, actions }, snapshot);
    this.state = to;
  }

  private add(
    step: Pick<ActorTransition, 'from' | 'to' | 'event' | 'guard' | 'actions'>,
    { context }: ChartSnapshot,
  ): void {
    const transition: ActorTransition = {
      at: new Date().toISOString(),
      attempt: this.live.attempt,
      ...step,
      turn: turnIn(context),
      source: 'live',
    };
    this.number += 1;
    this.seen.push(transition);
    if (this.seen.length > KEPT) this.seen.shift();
    this.publish({ watch_id: this.id, number: this.number, transition });
  }
}

/** Who has the floor of the actor's call; null in text, and without a call. */
export function floorOf(live: LiveActor): HeldFloor | null {
  const floor = live.kind === 'scenario_run' ? (live.floor?.now ?? null) : null;
  return floor && { holder: floor.holder, speaking: floor.isSpeaking, for_ms: Math.round(floor.forMs) };
}

function isMachineSnapshot(snapshot: object): snapshot is ChartSnapshot {
  return 'value' in snapshot && 'context' in snapshot;
}

function guardOf(transition: AnyTransitionDefinition | undefined): string | null {
  return transition?.guard === undefined ? null : nameOf(transition.guard);
}
