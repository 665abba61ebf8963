import type { Turn, ProviderKind } from '../domain';
import type { HeardActs } from './heard-acts';
import type { Json } from './json-value';
import type { Secrets } from './secrets/secrets';

export type { Json } from './json-value';

/** An agent's `config` as stored: every field may be snake_case or camelCase. */
export type AgentConfig = Readonly<Record<string, unknown>>;

/**
 * Resolves if this attempt still owns its row, otherwise rejects with the signal's reason. Awaited before every call that had to
 * wait, in line or between tries: in that time another process may have claimed the row, or the run may have been canceled.
 */
export type OwnershipAssurance = (signal: AbortSignal) => Promise<void>;

/** Asked anew for every request. */
export type TraceHeaders = () => Readonly<Record<string, string>>;

export interface ConnectRequest {
  readonly agentId: string;
  readonly config: AgentConfig;
  readonly scenarioRunId: string;
  /** Fencing token of this execution, 1 or higher; makes identities and room names unique. */
  readonly attempt: number;
  /** Turns recorded so far; empty unless the provider is resumable. */
  readonly history: readonly Turn[];
  /** What the reply to the last recorded turn returned for continuing (for example a chat id). */
  readonly continuation: Json;
  /** Absent where no row backs the conversation. */
  readonly assureOwnership?: OwnershipAssurance;
  /** Headers for the next request to the agent itself, which make it part of a trace. Absent while no traces are collected. */
  readonly traceHeaders?: TraceHeaders | undefined;
  /** Secrets that the config may hold without showing them as such, removed too: of the stored config that a changed one came from. */
  readonly otherSecrets?: readonly string[];
  /**
   * Sees answers of the agent's server in JSON, secrets removed, of a stream its first events. Given when a caller tries an
   * agent; absent in runs.
   */
  readonly onAnswer?: ((answer: unknown) => void) | undefined;
  /** The conversation is spoken, by a provider that can (`speaks`). Absent: it is in text. */
  readonly spoken?: SpokenPatient | undefined;
  /** What is removed from everything the conversation yields; it learns secrets made for it, such as tokens. */
  readonly secrets?: Secrets;
}

export interface Reply {
  /** Never empty (but see `SpokenPatient.hearsWords`), never more than MAX_REPLY_BYTES, well-formed Unicode without NUL. */
  readonly content: string;
  /** Null where it is not known: a spoken answer began before the patient's words ended. */
  readonly latencyMs: number | null;
  /** Stored with the turn; returned in ConnectRequest.continuation when another process continues. */
  readonly continuation: Json;
  /** Provider facts worth keeping (token usage); no secrets. */
  readonly metadata: Readonly<Record<string, Json>>;
  /** What the answer tells of what the agent did; absent where it tells nothing. `RedactingProvider` moves it into the metadata. */
  readonly acts?: HeardActs;
  /** The agent ended the conversation with it, by a deliberate act of its own: nothing more is to be sent. Default false. */
  readonly endsConversation?: boolean;
  /** Of a spoken conversation. */
  readonly spoken?: SpokenTurn;
}

/** When something was said, in ms since the call began. */
export interface SpokenSpan {
  readonly from: number;
  readonly to: number;
}

/** What was said while the agent spoke. */
export interface SpokenInterjection extends SpokenSpan {
  readonly kind: InterjectionKind;
  /** False when there was a hole in the patient's sound: the times say nothing. */
  readonly isReliable: boolean;
}

/** A turn of a spoken conversation, as it was heard at the patient's ear. */
export interface SpokenTurn {
  /** The patient's words. */
  readonly said: SpokenSpan;
  /** What the patient said into the agent's answer; null when it said nothing, or the agent ended before. */
  readonly interjection: SpokenInterjection | null;
  /** The agent's, with pauses longer than a breath between them. */
  readonly heard: readonly SpokenSpan[];
  /** Where the patient's own voice came back: sound that is not the agent's. */
  readonly echoes: readonly SpokenSpan[];
  /** From the end of the patient's words to the agent's first; null when it began before. */
  readonly latencyMs: number | null;
  /** False when there was a hole in the patient's sound, or too much of the agent's was lost or late: the times say nothing. */
  readonly isReliable: boolean;
  /** What the agent says in text that it said; null when it does not say. */
  readonly own: string | null;
  /** It may have said less than that: it was interrupted, fell silent at a backchannel, lost the floor or left. */
  readonly isBrokenOff: boolean;
  /** What the agent's side understood; null when it does not say. */
  readonly understood: string | null;
  /** It is known that the agent stopped before it had said all; left out where it is not. */
  readonly hadMoreToSay?: boolean;
}

/** The agent's voice as it was heard. */
export interface AgentSound {
  /** The place of its first sample in the whole recording. */
  readonly firstSample: number;
  /** In ms since the call began. */
  readonly from: number;
  /** Mono, HEARD_RATE (16,000) a second. */
  readonly samples: Int16Array;
}

export type InterjectionKind = 'interruption' | 'backchannel';

/** A key of the telephone that is pressed while an utterance is heard. */
export interface PressedKey {
  /** One of 0-9, *, #, A-D. */
  readonly key: string;
  /** Since the utterance began, in ms: where its tone ends. Then the agent is told of it. */
  readonly afterMs: number;
}

/** What the patient says in a turn, or the tones of the keys that it presses. Samples are mono, 48,000 a second. */
export interface Utterance {
  readonly samples: Int16Array;
  /** In the order of their times; absent or empty where the patient speaks. */
  readonly keys?: readonly PressedKey[];
  /** What the patient says while the agent answers; null: it listens. */
  readonly interjection: {
    readonly kind: InterjectionKind;
    /** Since the agent's voice began, in ms. */
    readonly afterMs: number;
    readonly samples: Int16Array;
  } | null;
}

/** A patient who speaks. */
export interface SpokenPatient {
  /** Whether what the agent says is heard word by word: its own account in text is not needed then, and `Reply.content` may be empty. */
  readonly hearsWords: boolean;
  /** The sound of a message. */
  utter(message: string, signal: AbortSignal): Promise<Utterance>;
  /** Receives when a part of the last utterance went out, as far as it did, once it has. */
  onUttered(part: 'turn' | 'interjection', span: SpokenSpan): void;
  /** Receives all that the agent says, in order and without gaps. */
  onSound(sound: AgentSound): void;
  /** Receives who has the floor, whenever that changes. For those who look on: nothing of the conversation rests on it. */
  onFloor(floor: HeldFloor): void;
}

/** Who has the floor of a call, as far as that is known while it goes on. */
export interface HeldFloor {
  readonly holder: 'patient' | 'agent';
  /** False: the holder is silent. */
  readonly isSpeaking: boolean;
  /** For how long already, in ms: a voice is known to have begun or ended a little later. */
  readonly forMs: number;
}

/** A conversation with the target agent. One message is in flight at a time. */
export interface Session {
  /** What the agent said before our first message; kept as context, not as a reply. */
  readonly greeting: string | null;
  /**
   * Sends the patient's message and waits for the whole reply. Retries what is retryable inside the turn's deadline.
   * @throws AgentHungUp when the agent ended the conversation instead
   * @throws ProviderError
   */
  send(message: string, signal: AbortSignal): Promise<Reply>;
  /** Idempotent, bounded in time, never throws. */
  close(): Promise<void>;
  /** What was heard and not read, without secrets and no longer than a reply may be; absent where nothing is removed. @throws ProviderError */
  cleared?(text: string): string;
  /** Facts gathered during the session (room, data messages); no secrets. */
  metadata(): Readonly<Record<string, Json>>;
}

export type Availability =
  | {
      readonly available: true;
      /** What it runs with, where that is worth knowing. */
      readonly detail?: string;
      /** Whether the detail names something that the operator may want to change. */
      readonly isLimited?: boolean;
    }
  | { readonly available: false; readonly reason: string };

/**
 * What another conversation needs to begin with the first turns of this one: the transcript, sent along with each message; the
 * agent side's id for the end of such a turn (`ConnectRequest.continuation`); or `never`, since the agent's side keeps all that
 * was said.
 */
export type Branching = 'transcript' | 'continuation' | 'never';

/** Port: one kind of target agent. Implementations are listed in the registry and share one contract suite. */
export abstract class Provider {
  abstract readonly kind: ProviderKind;
  /** True when a session survives the process: another one continues at the next turn instead of starting again. */
  abstract readonly resumable: boolean;
  /** Whether its conversations can be spoken. */
  readonly speaks: boolean = false;
  /** Whether they can only be spoken, and nothing tells in text what was said: an ear has to hear it. */
  readonly isVoiceOnly: boolean = false;
  /** Whether this deployment can run the kind at all (a browser installed, a native library present). */
  abstract availability(): Availability;
  /**
   * Whether a conversation can go on differently from an earlier turn.
   * @throws ProviderError `config_invalid` naming the field
   */
  branching(_config: AgentConfig): Branching {
    return 'never';
  }
  /**
   * Checks the config and opens a session.
   * @throws ProviderError `config_invalid` naming the field before anything is sent; otherwise as classified.
   */
  abstract connect(request: ConnectRequest, signal: AbortSignal): Promise<Session>;
}
