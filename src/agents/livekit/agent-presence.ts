import { isPatient } from './room-token';
import type { RoomTimes } from './room-times';
import type { Participant } from './room-wire';

/** The attribute in which the agent framework reports its agent's state. */
export const AGENT_STATE = 'lk.agent.state';
/** An avatar speaks for the agent whose identity this attribute names. */
const ON_BEHALF = 'lk.publish_on_behalf';
/** The attribute in which LiveKit's SIP service reports a telephone call's state. */
const CALL_STATUS = 'sip.callStatus';

/** Whether a participant joined that could be the agent: none, one that is present, or one that left before it was ready. */
export type Visit = 'nobody' | 'present' | 'left';

/** The participants in the room, which of them is the agent, and what it does. */
export class AgentPresence {
  private readonly present = new Map<string, { participant: Participant; readonly since: number }>();
  private identity: string | null = null;
  private readonly heard = new Set<string>();
  /** The identity of the participant that answered as only the agent does; empty while the server has not announced it. */
  private answering: string | null = null;
  private hadVisitor = false;

  /** @param expected the identity of the only participant that can be the agent; null: the first that behaves like one */
  constructor(
    private readonly times: RoomTimes,
    private readonly expected: string | null = null,
  ) {}

  /** @param now in milliseconds of `performance.now()` */
  see(participant: Participant, now: number): void {
    this.hadVisitor = true;
    const known = this.present.get(participant.identity);
    if (known === undefined) this.present.set(participant.identity, { participant, since: now });
    else known.participant = participant;
  }

  /** @returns whether it was the agent who left */
  leave(identity: string): boolean {
    this.present.delete(identity);
    this.heard.delete(identity);
    return identity === this.identity;
  }

  /** A participant was heard, so it is ready to listen. */
  hear(identity: string): void {
    this.heard.add(identity);
  }

  /**
   * A participant answered as only the agent does, so it is the agent and can hear us.
   * @param identity empty when the server has not announced it yet: then it is the first to join
   */
  answered(identity: string): void {
    if (this.answering === null || this.answering === '') this.answering = identity;
  }

  /** The agent, once chosen: it stays the agent. */
  get agent(): Participant | null {
    return this.identity === null ? null : (this.present.get(this.identity)?.participant ?? null);
  }

  /** Chooses the agent once it is present and ready to listen; null until then. */
  ready(now: number): Participant | null {
    const candidate = this.candidate(now);
    if (candidate === undefined) return null;
    const { participant, since } = candidate;
    const call = participant.attributes[CALL_STATUS];
    if (call === 'dialing' || call === 'ringing') return null;
    const state = participant.attributes[AGENT_STATE];
    const showsItself =
      call === 'active' ||
      (state !== undefined && state !== 'initializing') ||
      participant.publications > 0 ||
      this.heard.has(participant.identity);
    const isMute = state === undefined && now - since >= this.times.readyAfter;
    if (this.answering === null && !showsItself && !isMute) return null;
    this.identity = participant.identity;
    return participant;
  }

  /** The chosen agent is not in the room now. */
  get isMissing(): boolean {
    return this.identity !== null && !this.present.has(this.identity);
  }

  get visit(): Visit {
    if (this.present.size > 0) return 'present';
    return this.hadVisitor ? 'left' : 'nobody';
  }

  /** A participant is present that is not ready yet. */
  get isAwaited(): boolean {
    return this.present.size > 0;
  }

  /** Neither thinking nor speaking; true when the agent reports no state. */
  get isListening(): boolean {
    const state = this.agent?.attributes[AGENT_STATE];
    return state === undefined || state === '' || state === 'listening' || state === 'idle';
  }

  get reportsState(): boolean {
    const state = this.agent?.attributes[AGENT_STATE];
    return state !== undefined && state !== '';
  }

  /** The agent itself or an avatar that speaks for it. */
  isAgent(identity: string): boolean {
    if (this.identity === null) return false;
    return (
      identity === this.identity || this.present.get(identity)?.participant.attributes[ON_BEHALF] === this.identity
    );
  }

  /** Of the agent and of those present that speak for it. */
  get agentIdentities(): readonly string[] {
    return [...this.present.keys()].filter((identity) => this.isAgent(identity));
  }

  private candidate(now: number) {
    if (this.expected !== null) return this.present.get(this.expected);
    const all = [...this.present.values()].filter(
      ({ participant: { attributes, identity } }) => attributes[ON_BEHALF] === undefined && !isPatient(identity),
    );
    if (this.answering !== null && this.answering !== '') return this.present.get(this.answering);
    const patience = this.answering === null ? this.times.standardAfter : 0;
    return (
      all.find(({ participant }) => participant.kind === 'agent') ??
      all.find(({ participant, since }) => participant.kind === 'standard' && now - since >= patience)
    );
  }
}
