import { decodeMuLaw } from '../../src/domain/sound';
import { sentenceSpans } from '../../src/examiners/rules';
import type { BotCall } from '../fakes/media-stream-bot';
import type { KnownSounds } from './known-sounds';
import { misheard } from './misheard';

/** What a speaker does when it is spoken into, and what it hears. */
export interface Habits {
  /** It falls silent once the caller has spoken for so long; null: never. In ms. */
  readonly yieldsAfterMs: number | null;
  readonly mishears: boolean;
}

/** Agents whose worth is known in advance, by name. All say what the ideal clinician of the station says. */
export const SPEAKERS = {
  good: { yieldsAfterMs: 700, mishears: false },
  'stops-at-uh-huh': { yieldsAfterMs: 60, mishears: false },
  'never-yields': { yieldsAfterMs: null, mishears: false },
  'mishears-doses': { yieldsAfterMs: 700, mishears: true },
} as const satisfies Record<string, Habits>;

export type SpeakerName = keyof typeof SPEAKERS;

const FRAME_MS = 20;
const SAMPLES_A_MS = 8;
/** The caller has finished: longer than a breath, and than the second between the sentences of one who speaks slowly. */
const ENDS_AFTER_MS = 1_500;
/** Gaps inside words. */
const GAP_MS = 300;
/** "Uh-huh" is shorter, and "hold on, please" is longer. */
const LEAST_INTERRUPTION_MS = 700;
const BETWEEN_SENTENCES_MS = 200;
/** About −47 dBFS: the weakest patient is 10 dB louder, and the line is silent. */
const LOUD = 150;
const GOODBYE = 'Please tell me if anything changes.';

interface Talk {
  /** Of a sentence, with the ms at which it begins. */
  readonly sentences: readonly { readonly words: string; readonly from: number }[];
  readonly from: number;
  readonly to: number;
}

/** One call that a known agent takes. Time is counted in the caller's frames, so that a machine that stands still changes nothing. */
export class KnownSpeaker {
  private now = 0;
  private turn = 0;
  private talk: Talk | null = null;
  /** Where the caller's voice began, without gaps of more than GAP_MS; null while it is silent. */
  private voiceFrom: number | null = null;
  private voiceTo = -Infinity;
  private hasHeard = false;
  private cut: { readonly rest: readonly string[]; readonly from: number } | null = null;
  private isPreparing = false;

  /** @param replies what the ideal clinician says, turn by turn */
  constructor(
    private readonly call: Pick<BotCall, 'say' | 'clear'>,
    private readonly sounds: KnownSounds,
    private readonly habits: Habits,
    private readonly replies: Promise<readonly string[]>,
  ) {}

  /** @param codes µ-law of 20 ms */
  hear(codes: Uint8Array): void {
    this.now += FRAME_MS;
    const isLoud = levelOf(decodeMuLaw(codes)) > LOUD;
    if (isLoud) {
      if (this.voiceFrom === null) this.voiceFrom = this.now - FRAME_MS;
      this.voiceTo = this.now;
    } else if (this.now - this.voiceTo > GAP_MS) this.voiceFrom = null;
    if (this.isTalking) return this.spokenInto();
    // What began while it talked is no turn of the caller.
    if (isLoud && this.voiceFrom !== null && this.voiceFrom >= (this.talk?.to ?? 0)) this.hasHeard = true;
    if (this.now - this.voiceTo < ENDS_AFTER_MS || this.isPreparing) return;
    if (this.cut !== null) return this.goOn(this.cut);
    if (this.hasHeard) this.answer();
  }

  private get isTalking(): boolean {
    return this.talk !== null && this.now < this.talk.to;
  }

  private spokenInto(): void {
    const { yieldsAfterMs } = this.habits;
    const { talk, voiceFrom } = this;
    if (talk === null || voiceFrom === null || voiceFrom < talk.from || yieldsAfterMs === null) return;
    if (this.voiceTo !== this.now || this.now - voiceFrom < yieldsAfterMs) return;
    this.call.clear();
    const heard = talk.sentences.findLastIndex(({ from }) => from <= this.now);
    this.cut = { rest: talk.sentences.slice(Math.max(0, heard)).map(({ words }) => words), from: voiceFrom };
    this.talk = { ...talk, to: this.now };
  }

  /** After an interruption it says the rest; after a backchannel there was no reason to stop, and it has lost its thread. */
  private goOn({ rest, from }: NonNullable<KnownSpeaker['cut']>): void {
    this.cut = null;
    this.hasHeard = false;
    if (this.voiceTo - from >= LEAST_INTERRUPTION_MS) void this.say(rest);
  }

  private answer(): void {
    this.hasHeard = false;
    this.turn += 1;
    const { turn } = this;
    this.isPreparing = true;
    void this.replies.then((replies) => {
      const reply = replies[turn - 1] ?? GOODBYE;
      return this.say(sentencesOf(this.habits.mishears ? misheard(reply) : reply));
    });
  }

  private async say(sentences: readonly string[]): Promise<void> {
    this.isPreparing = true;
    const sounds = await Promise.all(sentences.map((words) => this.sounds.of(words)));
    const gap = new Int16Array(BETWEEN_SENTENCES_MS * SAMPLES_A_MS);
    const parts = sounds.flatMap((sound) => [sound, gap]);
    const samples = new Int16Array(parts.reduce((length, part) => length + part.length, 0));
    const placed: { words: string; from: number }[] = [];
    let at = 0;
    for (const [place, part] of parts.entries()) {
      if (place % 2 === 0) placed.push({ words: sentences[place / 2] ?? '', from: this.now + at / SAMPLES_A_MS });
      samples.set(part, at);
      at += part.length;
    }
    this.talk = { sentences: placed, from: this.now, to: this.now + samples.length / SAMPLES_A_MS };
    this.call.say(samples);
    this.isPreparing = false;
  }
}

export function sentencesOf(text: string): string[] {
  return sentenceSpans(text).map(({ start, end }) => text.slice(start, end).trim());
}

function levelOf(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));
}
