import type { LiveKitConfig } from '../config';
import { AgentHungUp, ProviderError } from '../errors';
import { OneAtATime } from '../one-at-a-time';
import type { Limiter } from '../outbound/limiter';
import { timedOut } from '../outbound/http-client';
import type { Json, OwnershipAssurance, Reply, Session, SpokenPatient, SpokenSpan, Utterance } from '../provider';
import { isReadable, replyText } from '../reply-text';
import type { Secrets } from '../secrets/secrets';
import type { AgentRoom } from './agent-room';
import type { Heard, HeardSound } from './call-floor';
import { hasHungUp, lastWords } from './room-failure';
import { machineMs } from './sound-clocks';

/** The agent is silent for so long: the floor is the patient's. Longer than people pause, shorter than they wait. */
const SILENCE_MS = 1_200;
/** Text follows the sound; what has not come by then does not come. */
const TEXT_GRACE_MS = 3_000;
/** An agent that greets begins by then. */
const GREETING_BEGINS_MS = 4_000;
const GREETING_ENDS_MS = 15_000;

/** A call that began: the room's clock made one of the call. */
export class Call {
  private beganAt: number | null = null;

  constructor(private readonly patient: SpokenPatient) {}

  /** @param machine ms */
  since(moment: number): number {
    this.beganAt ??= moment;
    return moment - this.beganAt;
  }

  span({ from, to }: Heard): SpokenSpan {
    return { from: this.since(from), to: this.since(to) };
  }

  hear({ firstSample, at, samples }: HeardSound): void {
    this.patient.onSound({ firstSample, from: this.since(at), samples });
  }

  utter(message: string, signal: AbortSignal): Promise<Utterance> {
    return this.patient.utter(message, signal);
  }

  /** Whether a reply may be without words of its own. */
  get hearsWords(): boolean {
    return this.patient.hearsWords;
  }

  uttered(part: 'turn' | 'interjection', heard: Heard): SpokenSpan {
    const span = this.span(heard);
    this.patient.onUttered(part, span);
    return span;
  }
}

export interface SpokenSessionParts {
  readonly room: AgentRoom;
  readonly call: Call;
  readonly secrets: Secrets;
  readonly config: LiveKitConfig;
  readonly limiter: Limiter;
  readonly limiterKey: string;
  readonly assureOwnership: OwnershipAssurance | undefined;
  /** Leaves the room and deletes it; never throws. */
  readonly cleanUp: () => Promise<void>;
}

/**
 * Takes up the patient's voice in a room.
 * @throws ProviderError `config_invalid` where the patient may not speak
 */
export async function beginCall(room: AgentRoom, patient: SpokenPatient, signal: AbortSignal): Promise<Call> {
  const call = new Call(patient);
  call.since(machineMs());
  try {
    await room.call((sound) => call.hear(sound), signal);
    return call;
  } catch (error) {
    if (signal.aborted || room.failure !== null) throw error;
    throw new ProviderError(
      'config_invalid',
      'The patient could not take up a voice in the LiveKit room: its token must permit to publish (canPublish) a microphone. Use auth_mode "api", or have the token server grant it.',
    );
  }
}

/** What the agent says before the patient does; null when it waits. */
export async function spokenGreeting(room: AgentRoom, signal: AbortSignal): Promise<string | null> {
  const limit = (milliseconds: number) => ({ deadline: performance.now() + milliseconds, late: timedOut });
  try {
    await room.spokenBeginning(0, limit(GREETING_BEGINS_MS), signal);
    await room.spokenReply({ since: 0, silenceMs: SILENCE_MS }, limit(GREETING_ENDS_MS), signal);
  } catch (error) {
    // An agent that waits for the patient, or that talks on: the patient speaks.
    const isLate = error instanceof ProviderError && error.code === 'provider_timeout';
    if (!isLate || signal.aborted) throw error;
  }
  const text = room.textSoFar;
  return isReadable(text) ? replyText(text) : null;
}

/** A spoken conversation in a LiveKit room. A turn is over when the agent has been silent for as long as people wait. */
export class SpokenSession implements Session {
  private readonly messages = new OneAtATime();
  private closing: Promise<void> | null = null;

  constructor(
    private readonly parts: SpokenSessionParts,
    readonly greeting: string | null,
  ) {}

  send(message: string, signal: AbortSignal): Promise<Reply> {
    return this.messages.pass(signal, async (ending) => {
      const { limiter, limiterKey, config, room, call, assureOwnership } = this.parts;
      const { samples } = await call.utter(message, ending);
      await limiter.admit(limiterKey, config.requests_per_minute, Infinity, ending);
      await assureOwnership?.(ending);
      const wasGone = room.failure !== null;
      try {
        const said = await room.say(samples, ending);
        const saidSpan = call.uttered('turn', said);
        const limit = { deadline: performance.now() + config.turn_timeout_ms, late: () => this.late() };
        const heard = await room.spokenReply({ since: said.from, silenceMs: SILENCE_MS }, limit, ending);
        const text = await room.wholeText(TEXT_GRACE_MS, ending);
        const own = isReadable(text) ? replyText(text) : null;
        const content = own ?? (call.hearsWords ? '' : replyText(text, NOT_SAID_IN_TEXT));
        const first = heard.find(({ from }) => from >= said.to);
        const latencyMs = first === undefined ? null : first.from - said.to;
        return {
          content,
          latencyMs: latencyMs ?? 0,
          continuation: null,
          metadata: {},
          spoken: {
            said: saidSpan,
            interjection: null,
            heard: heard.map((span) => call.span(span)),
            latencyMs,
            isReliable: said.isReliable,
            own,
            understood: room.understoodSoFar,
          },
        };
      } catch (error) {
        if (!hasHungUp(error, [], config)) throw error;
        if (wasGone) throw new AgentHungUp(false);
        return { ...lastWords(room.textSoFar), latencyMs: 0, continuation: null, metadata: {} };
      }
    });
  }

  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  metadata(): Readonly<Record<string, Json>> {
    const { room, secrets } = this.parts;
    return secrets.removeFromRecord({
      room: room.name,
      agent_identity: room.agent?.identity ?? null,
      protocol: 'voice',
      ...(this.greeting === null ? {} : { greeting: this.greeting }),
    });
  }

  /** An agent that was never heard is no agent that gave a bad answer. */
  private late(): ProviderError {
    if (this.parts.room.agentHasVoice) return timedOut();
    return new ProviderError(
      'config_invalid',
      'The agent publishes no sound in the LiveKit room, so it cannot be examined by voice: run it as text, or give it a voice.',
    );
  }

  private async end(): Promise<void> {
    this.messages.close();
    await this.parts.cleanUp();
  }
}

const NOT_SAID_IN_TEXT =
  'The agent was heard, but it does not say in text (lk.transcription) what it said, and only what is known word by word is marked.';
