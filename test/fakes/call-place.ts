import { ProviderError } from '../../src/agents/errors';
import { AgentCall, type CallMessage, type CallPresence, type CallRoom } from '../../src/agents/voice/agent-call';
import type { CallEvent, HeardSound } from '../../src/agents/voice/call-floor';
import type { CallPlace } from '../../src/agents/voice/patient-call';
import { machineMs } from '../../src/agents/voice/sound-clocks';
import { Waiting } from '../../src/agents/voice/waiting';

/** Where a call takes place, without a room or a line: a test tells what is heard there, and when. */
export class QuietPlace implements CallPlace, CallRoom {
  readonly waiting = new Waiting();
  /** What was asked for, in order. */
  readonly asked: CallMessage[] = [];
  hushed = 0;
  failure: ProviderError | null = null;
  readonly presence: CallPresence & { agent: object | null; isListening: boolean } = {
    agent: {},
    isListening: true,
    isAgent: (identity: string) => identity.startsWith('agent'),
    agentIdentities: ['agent', 'agent-avatar'],
  };
  readonly end = {
    throwIfFailed: (): null => {
      if (this.failure !== null) throw this.failure;
      return null;
    },
  };
  /** Milliseconds of the machine: all that a test tells of lies before or after it. */
  readonly now = machineMs();
  private spoken: AgentCall | null = null;

  /** @param onAsked what becomes of what is asked for; by default an utterance went out long ago, for two seconds */
  constructor(private readonly onAsked?: (message: CallMessage, place: QuietPlace) => void) {}

  call(onSound: (sound: HeardSound) => void): Promise<AgentCall> {
    this.spoken = new AgentCall(this, onSound);
    return Promise.resolve(this.spoken);
  }

  readonly post = async (message: CallMessage): Promise<void> => {
    this.asked.push(message);
    if (this.onAsked !== undefined) this.onAsked(message, this);
    else if (message.type === 'say') this.said(message.utterance, -20_000, -18_000);
  };

  readonly hush = (): void => {
    this.hushed += 1;
  };

  readonly lost = (): ProviderError => new ProviderError('connect_failed', 'It was lost.');

  hear(...events: readonly CallEvent[]): void {
    for (const event of events) this.spoken?.hear(event);
    this.waiting.changed();
  }

  /** @param from, to in ms from `now` */
  said(utterance: number, from: number, to: number, how: { isReliable?: boolean; isWhole?: boolean } = {}): void {
    const times = { from: this.now + from, to: this.now + to };
    this.hear({ type: 'said', utterance, isReliable: true, isWhole: true, ...times, ...how });
  }

  /** The agent speaks. @param from, to in ms from `now`; it goes on speaking where it has no end */
  agentSpeaks(from: number, to: number | null = null, sender = 'agent'): void {
    this.hear({ type: 'voice', sender, isSpeaking: true, at: this.now + from });
    if (to !== null) this.hear({ type: 'voice', sender, isSpeaking: false, at: this.now + to });
  }

  fail(error: ProviderError): void {
    this.failure = error;
    this.waiting.changed();
  }
}
