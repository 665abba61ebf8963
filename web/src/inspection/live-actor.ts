import {
  streamPathOf,
  readActorMessage,
  type ActorDetail,
  type ActorMessage,
  type HeldFloor,
  type Transition,
} from '../api/inspection';
import { serviceKey } from '../api/service-key';

export type Connection = 'connecting' | 'open' | 'lost' | 'ended';

/** Who has the floor of a call. */
export interface LiveFloor extends Pick<HeldFloor, 'holder' | 'speaking'> {
  /** By this browser's clock, in ms: the service's may differ. */
  readonly since: number;
}

export interface LiveActorState {
  readonly connection: Connection;
  /** The last full snapshot received; null before the first. */
  readonly actor: ActorDetail | null;
  /** All transitions known so far. */
  readonly transitions: readonly Transition[];
  /** How many of them are on the screen: an actor may be faster than a reader can follow. */
  readonly shown: number;
  /** Null in text, and while no call is held. */
  readonly floor: LiveFloor | null;
}

/** How long each step stays on the screen, unless many are waiting. */
const STEP_MS = 140;
const CATCH_UP_PART = 12;
const KEPT = 1_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;

/** One actor as its stream reports it, step by step, for `useSyncExternalStore`. It listens while someone is subscribed. */
export class LiveActor {
  private readonly listeners = new Set<() => void>();
  private state: LiveActorState = {
    connection: 'connecting',
    actor: null,
    transitions: [],
    shown: 0,
    floor: null,
  };
  private source: EventSource | null = null;
  private step: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private retryMs = FIRST_RETRY_MS;

  constructor(private readonly id: string) {}

  readonly get = (): LiveActorState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    if (this.listeners.size === 1) this.connect();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.disconnect();
    };
  };

  private connect(): void {
    const { key } = serviceKey.get();
    const query = key === null ? '' : `?${new URLSearchParams({ access_token: key })}`;
    const source = new EventSource(`${streamPathOf(this.id)}${query}`);
    this.source = source;
    source.onopen = () => {
      this.retryMs = FIRST_RETRY_MS;
      this.update({ connection: 'open' });
    };
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const message = readActorMessage(data);
      if (message !== null) this.hear(message);
    };
    source.onerror = () => {
      if (this.state.connection === 'ended') return;
      this.update({ connection: 'lost' });
      if (source.readyState !== EventSource.CLOSED) return;
      this.retry = setTimeout(() => this.connect(), this.retryMs);
      this.retryMs = Math.min(this.retryMs * 2, LONGEST_RETRY_MS);
    };
  }

  private disconnect(): void {
    clearTimeout(this.retry);
    clearTimeout(this.step);
    this.step = undefined;
    this.source?.close();
  }

  private hear(message: ActorMessage): void {
    switch (message.type) {
      case 'actor': {
        const { transitions } = message.actor;
        // Steps from before the page was opened are shown at once.
        const shown = this.state.actor === null ? transitions.length : Math.min(this.state.shown, transitions.length);
        this.update({ actor: message.actor, transitions, shown, floor: liveFloor(message.actor.floor) });
        break;
      }
      case 'transition': {
        const all = [...this.state.transitions, message.transition];
        const dropped = Math.max(0, all.length - KEPT);
        this.update({ transitions: all.slice(dropped), shown: Math.max(0, this.state.shown - dropped) });
        break;
      }
      case 'floor':
        this.update({ floor: liveFloor(message.floor) });
        break;
      case 'ended':
        this.source?.close();
        this.update({ connection: 'ended', floor: null });
        break;
    }
    this.stepOn();
  }

  private stepOn(): void {
    if (this.step !== undefined) return;
    const behind = this.state.transitions.length - this.state.shown;
    if (behind <= 0) return;
    this.update({ shown: this.state.shown + Math.max(1, Math.floor(behind / CATCH_UP_PART)) });
    this.step = setTimeout(() => {
      this.step = undefined;
      this.stepOn();
    }, STEP_MS);
  }

  private update(changes: Partial<LiveActorState>): void {
    this.state = { ...this.state, ...changes };
    for (const listener of this.listeners) listener();
  }
}

function liveFloor(floor: HeldFloor | null): LiveFloor | null {
  return floor && { holder: floor.holder, speaking: floor.speaking, since: Date.now() - floor.for_ms };
}
