import { AgentHungUp, ProviderError } from '../errors';
import { OneAtATime } from '../one-at-a-time';
import type { Limiter } from '../outbound/limiter';
import { timedOut } from '../outbound/http-client';
import type { Json, OwnershipAssurance, Reply, Session, SpokenTurn, Utterance } from '../provider';
import { isReadable, replyText } from '../reply-text';
import type { Secrets } from '../secrets/secrets';
import type { Answer, AgentCall } from './agent-call';
import type { Uttered } from './call-floor';
import type { Heard } from './sound-clocks';
import type { PatientCall } from './patient-call';
import { TEXT_GRACE_MS, type SpokenAccount } from './spoken-account';
import { isBrokenOffBy } from './turn-end';

/** What the config of an agent says of every spoken conversation with it. */
interface SpokenConfig {
  readonly turn_timeout_ms: number;
  readonly requests_per_minute: number | null;
}

export interface SpokenSessionParts {
  readonly call: PatientCall;
  readonly account: SpokenAccount;
  /** The end of the room or line, once it has come. */
  readonly failure: () => ProviderError | null;
  /** Whether a failure is the agent's own deliberate end of the conversation. */
  readonly hasHungUp: (error: unknown) => boolean;
  /** The error of an agent that had no voice at all. */
  readonly noVoice: () => ProviderError;
  readonly secrets: Secrets;
  readonly config: SpokenConfig;
  /** How long the agent may speak in a turn, in ms. */
  readonly longestSpeechMs: number;
  readonly limiter: Limiter;
  readonly limiterKey: string;
  readonly assureOwnership: OwnershipAssurance | undefined;
  /** Where and with whom. */
  readonly facts: () => Readonly<Record<string, Json>>;
  /** Leaves and removes what was made for the conversation; never throws. */
  readonly cleanUp: () => Promise<unknown>;
}

/** A spoken conversation, in a room or on a line. A turn is over when the agent has been silent for as long as people wait. */
export class SpokenSession implements Session {
  readonly greeting: string | null;
  private readonly messages = new OneAtATime();
  private closing: Promise<void> | null = null;

  /** @param greeting what the agent said before the patient, by its own account */
  constructor(
    private readonly parts: SpokenSessionParts,
    greeting: string,
  ) {
    this.greeting = isReadable(greeting) ? replyText(greeting) : null;
  }

  send(message: string, signal: AbortSignal): Promise<Reply> {
    return this.messages.pass(signal, async (ending) => {
      const { limiter, limiterKey, config, call, assureOwnership, failure } = this.parts;
      const utterance = await call.utter(message, ending);
      await limiter.admit(limiterKey, config.requests_per_minute, Infinity, ending);
      await assureOwnership?.(ending);
      const wasGone = failure() !== null;
      const hush = (): void => call.agent.hush();
      ending.addEventListener('abort', hush, { once: true });
      const turn: TurnSoFar = { said: null, answer: null };
      try {
        return await this.speak(utterance, turn, ending);
      } catch (error) {
        if (!this.parts.hasHungUp(error)) throw error;
        if (wasGone) throw new AgentHungUp(false);
        return this.lastWords(turn, utterance);
      } finally {
        ending.removeEventListener('abort', hush);
      }
    });
  }

  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  metadata(): Readonly<Record<string, Json>> {
    const { facts, secrets } = this.parts;
    return secrets.removeFromRecord({
      ...facts(),
      protocol: 'voice',
      ...(this.greeting === null ? {} : { greeting: this.greeting }),
    });
  }

  private async speak(utterance: Utterance, turn: TurnSoFar, signal: AbortSignal): Promise<Reply> {
    const { call, account, config, longestSpeechMs } = this.parts;
    account.beginTurn();
    turn.said = await call.agent.say(utterance, signal);
    call.uttered('turn', turn.said);
    const limits = { beginsMs: config.turn_timeout_ms, endsMs: longestSpeechMs, late: () => this.late() };
    const answer = (turn.answer = await call.agent.answer(limits, signal));
    // The rest of what an agent says that was cut off is not waited for.
    const text = answer.isCutOff ? account.textSoFar : await account.wholeText(TEXT_GRACE_MS, signal);
    const content = isReadable(text) || !call.hearsWords ? replyText(text, NOT_SAID_IN_TEXT) : '';
    return this.reply(content, text, turn.said, answer, utterance);
  }

  /** The agent ended the conversation in the middle of a turn: what was heard until then. */
  private lastWords({ said, answer }: TurnSoFar, utterance: Utterance): Reply {
    const { call, account } = this.parts;
    const text = account.textSoFar;
    const heard = answer ?? heardSoFar(call.agent);
    const isAudible = heard.heard.length > 0;
    if (said === null || !(isReadable(text) || (isAudible && call.hearsWords))) throw new AgentHungUp();
    const content = isReadable(text) ? replyText(text) : '';
    return { ...this.reply(content, text, said, heard, utterance, true), endsConversation: true };
  }

  private reply(
    content: string,
    text: string,
    said: Uttered,
    answer: Answer,
    utterance: Utterance,
    hasLeft = false,
  ): Reply {
    const { call, account } = this.parts;
    const latencyMs = latencyOf(said, answer.heard);
    const kind = utterance.interjection?.kind;
    const { interjection } = answer;
    const [echo] = answer.echoes;
    const spoken: SpokenTurn = {
      said: call.span(said),
      interjection:
        interjection === null || kind === undefined
          ? null
          : {
              ...call.uttered('interjection', interjection),
              kind,
              isReliable: interjection.isReliable && answer.isTimeable,
            },
      heard: answer.heard.map((span) => call.span(span)),
      echoes: answer.echoes.map((span) => call.span(span)),
      latencyMs,
      isReliable: said.isReliable && answer.isTimeable,
      own: isReadable(text) ? replyText(text) : null,
      isBrokenOff:
        hasLeft ||
        answer.isCutOff ||
        (interjection !== null && kind !== undefined && isBrokenOffBy({ ...interjection, kind }, answer.heard)),
      understood: account.understoodSoFar,
      ...(account.hadMoreToSay === true ? { hadMoreToSay: true } : {}),
    };
    const metadata: Reply['metadata'] = {
      // The patient took the floor from an agent that did not give it.
      ...(answer.isCutOff ? { cut_off_after_ms: this.parts.longestSpeechMs } : {}),
      ...(echo === undefined ? {} : { echo_ms: Math.round(echo.delayMs) }),
    };
    return { content, latencyMs, continuation: null, metadata, spoken };
  }

  /** An agent that was never heard is no agent that gave a bad answer. */
  private late(): ProviderError {
    const { call, account } = this.parts;
    if (!call.agent.agentHasVoice) return this.parts.noVoice();
    if (call.agent.echoMs !== null) return new ProviderError('provider_error', onlyEchoed(call.agent.echoMs));
    return isReadable(account.textSoFar) ? new ProviderError('provider_timeout', ONLY_WRITTEN) : timedOut();
  }

  private async end(): Promise<void> {
    this.messages.close();
    await this.parts.cleanUp();
  }
}

interface TurnSoFar {
  said: Uttered | null;
  answer: Answer | null;
}

/** Its times may be those of a line that was breaking. */
function heardSoFar({ heardSoFar: heard, interjectionSoFar: interjection, echoes }: AgentCall): Answer {
  return { heard, interjection, echoes, isCutOff: false, isTimeable: false };
}

/** From the end of the patient's words to the agent's first after it; null when it spoke through the end. */
function latencyOf({ to: end }: Heard, heard: readonly Heard[]): number | null {
  if (heard.some(({ from, to }) => from < end && to > end)) return null;
  const first = heard.find(({ from }) => from >= end);
  return first === undefined ? null : first.from - end;
}

function onlyEchoed(delayMs: number): string {
  return (
    `All that was heard from the agent was the patient's own voice, ${Math.round(delayMs)} ms later, and no answer followed: what it hears is led ` +
    'back into its track. Separate the two, or let it cancel echoes.'
  );
}

const ONLY_WRITTEN =
  "The agent wrote an answer, but nothing of it could be heard before the turn's deadline: check its speech synthesis, and that its track is not muted.";

const NOT_SAID_IN_TEXT =
  'The agent was heard, but it does not say in text (lk.transcription) what it said, and only what is known word by word is marked.';
