import { z } from 'zod';
import type { ProviderError } from '../errors';
import type { SpokenAccount } from '../voice/spoken-account';
import { Waiting } from '../voice/waiting';
import { timedOut } from '../outbound/http-client';
import { MAX_REPLY_BYTES } from '../reply-text';
import { FunctionCalls } from './function-calls';
import { textOf, type RtviMessage } from './rtvi-message';

/** Messages that tell what the bot says, the nearest to its sound first: a bot tells the same on several. Newer bots have the raw ones too. */
const SAID = ['bot-tts-text', 'tts-raw-text', 'bot-output', 'bot-llm-text', 'llm-raw-text'];
/** Messages that tell what it understood of the patient. */
const UNDERSTOOD = ['user-transcription', 'stt-raw-text'];
/** Words that follow each other come within this time, in ms. */
const QUIET_MS = 500;

const Output = z.object({
  text: z.string(),
  aggregated_by: z.string().optional().catch(undefined),
  output_type: z.string().optional().catch(undefined),
  spoken: z.boolean().nullable().optional().catch(undefined),
});
const Transcription = z.object({ text: z.string(), final: z.boolean() });

/** What a bot tells over RTVI of a conversation that is spoken. */
export class RtviAccount implements SpokenAccount {
  private readonly waiting = new Waiting();
  private readonly texts = new Map<string, string>();
  private calls = new FunctionCalls();
  private heardAt = 0;

  /** @param failure the room's end, once it has come */
  constructor(private readonly failure: () => ProviderError | null) {}

  hear(message: RtviMessage): void {
    if (this.calls.hear(message)) return;
    const { type } = message;
    if (UNDERSTOOD.includes(type)) this.add(type, finalOf(message));
    if (!SAID.includes(type)) return;
    this.add(type, type === 'bot-output' ? outputOf(message) : textOf(message));
    this.heardAt = performance.now();
    this.waiting.changed();
  }

  beginTurn(): void {
    this.texts.clear();
    this.calls = new FunctionCalls();
  }

  wholeText(withinMs: number, signal: AbortSignal): Promise<string> {
    const deadline = performance.now() + withinMs;
    return this.waiting.for({
      look: () => {
        const failure = this.failure();
        if (failure !== null) throw failure;
        const { textSoFar } = this;
        const isQuiet = textSoFar !== '' && performance.now() - this.heardAt >= QUIET_MS;
        return isQuiet || performance.now() >= deadline ? textSoFar : null;
      },
      lookAgainIn: () => QUIET_MS,
      deadline,
      // The check above has its answer by then.
      late: timedOut,
      signal,
    });
  }

  get textSoFar(): string {
    return this.firstOf(SAID) ?? '';
  }

  get understoodSoFar(): string | null {
    return this.firstOf(UNDERSTOOD);
  }

  get calledTools(): readonly string[] {
    return this.calls.names;
  }

  /** What the model writes has its own spaces; words and sentences have none around them. */
  private add(type: string, text: string): void {
    const known = this.texts.get(type) ?? '';
    if (text === '' || known.length > MAX_REPLY_BYTES) return;
    const isApart = type.includes('llm') || known === '' || /\s$/.test(known) || /^\s/.test(text);
    this.texts.set(type, isApart ? known + text : `${known} ${text}`);
  }

  private firstOf(types: readonly string[]): string | null {
    for (const type of types) {
      const text = this.texts.get(type)?.trim() ?? '';
      if (text !== '') return text;
    }
    return null;
  }
}

/**
 * A bot's account of a conversation that is spoken: over RTVI as soon as it tells anything there, which may be in the middle of a turn, as a
 * bot may be in the room for seconds before it listens; in text streams until then.
 */
export class BotAccount implements SpokenAccount {
  constructor(
    private readonly rtvi: RtviAccount,
    private readonly streams: SpokenAccount,
    private readonly speaksRtvi: () => boolean,
  ) {}

  beginTurn(): void {
    this.rtvi.beginTurn();
    this.streams.beginTurn();
  }

  wholeText(withinMs: number, signal: AbortSignal): Promise<string> {
    return this.told.wholeText(withinMs, signal);
  }

  get textSoFar(): string {
    return this.told.textSoFar;
  }

  get understoodSoFar(): string | null {
    return this.told.understoodSoFar;
  }

  get calledTools(): readonly string[] {
    return this.told.calledTools;
  }

  private get told(): SpokenAccount {
    return this.speaksRtvi() || this.rtvi.textSoFar !== '' ? this.rtvi : this.streams;
  }
}

/** A sentence as it leaves the bot; words of it are told again, and what was never spoken is told too. */
function outputOf({ data }: RtviMessage): string {
  const output = Output.safeParse(data).data;
  const kind = output?.output_type ?? output?.aggregated_by;
  return output === undefined || output.spoken === false || kind === 'word' || kind === 'token' ? '' : output.text;
}

function finalOf({ data }: RtviMessage): string {
  const words = Transcription.safeParse(data).data;
  return words?.final === true ? words.text : '';
}
