import { z } from 'zod';
import { MAX_REPLY_BYTES } from '../reply-text';
import type { Json } from '../provider';
import { FunctionCalls } from './function-calls';
import { failureOf, textOf, type RtviMessage } from './rtvi-message';

/** Quiet after the end of the last run: another run that follows at once belongs to the same reply. */
export const SETTLE_MS = 250;
/** The last resort, where nothing shows whether more is to come. */
export const QUIET_MS = 3_000;
/** An open run may pause, since its model may; after this long its end is assumed lost. */
export const OPEN_RUN_QUIET_MS = 10_000;

/** A reply with more sentences is cut off there. */
const MAX_SEGMENTS = 10_000;

/** What the bot said on each of its channels. The first one with words is the reply: the others repeat it. */
type Channel = 'model' | 'modelRaw' | 'output' | 'speech';
const CHANNELS: readonly Channel[] = ['model', 'modelRaw', 'output', 'speech'];

const CHANNEL_OF: Readonly<Record<string, Channel>> = {
  'bot-llm-text': 'model',
  // Replaces bot-llm-text in Pipecat 2.
  'llm-raw-text': 'modelRaw',
  'bot-tts-text': 'speech',
};

const Output = z.object({
  text: z.string(),
  output_type: z.string().optional().catch(undefined),
  aggregated_by: z.string().optional().catch(undefined),
  segment_id: z.union([z.number(), z.string()]).optional().catch(undefined),
});

/**
 * Assembles the bot's reply to one message from RTVI events. Pure: it is given what arrived and says how long silence must
 * last until the reply counts as complete; its owner keeps the timers.
 */
export class RtviReply {
  private readonly texts: Record<Channel, string> = { model: '', modelRaw: '', output: '', speech: '' };
  /** The channels with more than white space, and those that end in it: needed at every message, so no text is scanned again. */
  private readonly worded = new Set<Channel>();
  private readonly spaced = new Set<Channel>();
  private readonly segments = new Set<string>();
  private readonly calls = new FunctionCalls();
  private openRuns = 0;
  private runs = 0;
  private callsBeforeLastRun = 0;
  private interrupted = false;
  private bytes = 0;
  private error: { readonly error: string; readonly isFatal: boolean } | null = null;

  /**
   * @param messageId id of our `send-text`
   * @param showsRuns the bot is known to report where a run of its model begins: text outside of one is left over
   */
  constructor(
    private readonly messageId: string | null,
    private readonly showsRuns: boolean,
  ) {}

  /** The reply so far. */
  get text(): string {
    return this.texts[CHANNELS.find((channel) => this.worded.has(channel)) ?? 'model'];
  }

  /** What the bot said went wrong, when it gave no reply; null otherwise. */
  get failure(): string | null {
    if (this.error === null) return null;
    return this.error.isFatal || this.worded.size === 0 ? this.error.error : null;
  }

  /** The tools that the bot called, as far as it names them. */
  get tools(): readonly string[] {
    return this.calls.names;
  }

  get isTooLong(): boolean {
    return this.bytes > MAX_REPLY_BYTES;
  }

  /** The model has begun to answer. */
  get hasRun(): boolean {
    return this.runs > 0;
  }

  get hasBegun(): boolean {
    return this.hasRun || this.text !== '' || this.calls.count > 0 || this.error !== null;
  }

  get facts(): Readonly<Record<string, Json>> {
    return {
      ...(this.runs > 1 ? { llm_runs: this.runs } : {}),
      ...(this.calls.count === 0 ? {} : { tool_calls: this.calls.list }),
      ...(this.calls.count > this.calls.list.length ? { tool_calls_cut: true } : {}),
    };
  }

  /** Milliseconds without a message after which the reply is complete; null: it is still being produced. */
  get quietNeeded(): number | null {
    if (this.error?.isFatal === true || this.isTooLong) return 0;
    if (!this.hasBegun || this.calls.areOpen) return null;
    const hasText = this.worded.size > 0;
    if (this.error !== null && !hasText) return this.openRuns > 0 ? QUIET_MS : SETTLE_MS;
    if (this.openRuns > 0) return hasText ? OPEN_RUN_QUIET_MS : null;
    // A tool's result makes the model continue; a bot may also be configured not to.
    const followUpExpected = this.calls.count > this.callsBeforeLastRun;
    return this.hasRun && hasText && !followUpExpected && this.hasModelText ? SETTLE_MS : QUIET_MS;
  }

  /** @returns whether it concerns the reply; most of what a bot sends (metrics, levels, echoes) does not */
  hear(message: RtviMessage): boolean {
    if (this.calls.hear(message)) return true;
    switch (message.type) {
      case 'bot-llm-started':
        if (this.runs === 0) this.forget();
        this.runs += 1;
        this.openRuns += 1;
        this.beginParagraph();
        this.callsBeforeLastRun = this.calls.count;
        return true;
      case 'bot-llm-stopped':
        this.openRuns = Math.max(0, this.openRuns - 1);
        return true;
      case 'bot-interrupted':
        this.beInterrupted();
        return true;
      case 'bot-output':
        return this.addOutput(message);
      case 'error':
        this.error = failureOf(message);
        return true;
      case 'error-response':
        if (this.messageId === null || message.id !== this.messageId) return false;
        this.error = { ...failureOf(message), isFatal: true };
        return true;
      default:
        return this.addDelta(message);
    }
  }

  private get hasModelText(): boolean {
    return this.texts.model !== '' || this.texts.modelRaw !== '';
  }

  private addDelta(message: RtviMessage): boolean {
    const channel = Object.hasOwn(CHANNEL_OF, message.type) ? CHANNEL_OF[message.type] : undefined;
    if (channel === undefined) return false;
    const isModels = channel !== 'speech';
    if (isModels ? this.showsRuns && this.openRuns === 0 : this.isLeftOver) return false;
    const text = textOf(message);
    this.add(channel, isModels || this.texts.speech === '' ? text : ` ${text}`);
    return isModels || !this.hasModelText;
  }

  /** A sentence as it leaves the bot; a spoken one is reported again as its words are spoken. */
  private addOutput({ data }: RtviMessage): boolean {
    const output = Output.safeParse(data).data;
    if (output === undefined || this.isLeftOver) return false;
    const kind = output.output_type ?? output.aggregated_by;
    if (kind === 'word' || kind === 'token') return false;
    const segment = String(output.segment_id ?? `text ${output.text}`);
    if (this.segments.has(segment) || this.segments.size >= MAX_SEGMENTS) return false;
    this.segments.add(segment);
    const isApart = this.texts.output === '' || this.spaced.has('output') || /^\s/.test(output.text);
    this.add('output', isApart ? output.text : ` ${output.text}`);
    return !this.hasModelText;
  }

  /** Nothing of the model's answer has arrived yet, so what leaves the bot now was produced before our message. */
  private get isLeftOver(): boolean {
    return this.showsRuns && this.runs === 0;
  }

  private add(channel: Channel, text: string): void {
    this.bytes += Buffer.byteLength(text);
    if (this.isTooLong) return;
    this.texts[channel] += text;
    if (!this.worded.has(channel) && /\S/.test(text)) this.worded.add(channel);
    if (/\s/.test(text.at(-1) ?? '')) this.spaced.add(channel);
    else if (text !== '') this.spaced.delete(channel);
  }

  /** A run after a tool's result continues the reply; its first word does not continue the last word before it. */
  private beginParagraph(): void {
    for (const channel of ['model', 'modelRaw'] as const) {
      if (this.texts[channel] !== '' && !this.spaced.has(channel)) this.add(channel, '\n');
    }
  }

  /** Our own message interrupts the bot first: what it said before that was not a reply to it. */
  private beInterrupted(): void {
    this.openRuns = 0;
    if (this.interrupted || this.messageId === null) return;
    this.interrupted = true;
    this.runs = 0;
    this.forget();
  }

  private forget(): void {
    for (const channel of CHANNELS) this.texts[channel] = '';
    this.worded.clear();
    this.spaced.clear();
    this.segments.clear();
    this.bytes = 0;
    this.error = null;
  }
}
