import { samplesIn, type Sound, type Span } from '../../domain/sound';
import { speechIn } from '../audio/speech-detection';
import { charactersASecond, doubtOfHeard, doubtOf, holdsWord, type TextDoubt } from './plausible-text';
import { LONGEST_CLIP_SECONDS, type Transcriber, type TranscriberIdentity } from './transcriber';

/** A stretch of the agent's sound that was transcribed. */
export interface HeardSegment {
  /** In ms from the beginning of the sound. */
  readonly fromMs: number;
  readonly toMs: number;
  /** How much of it is voice. */
  readonly voicedMs: number;
  readonly text: string;
  /** Null: the words may be what was said. */
  readonly doubt: TextDoubt | null;
}

/** What was heard of a sound. */
export interface HeardSound {
  readonly segments: readonly HeardSegment[];
  /** The words of all segments without doubt. */
  readonly text: string;
  /** Whether words were left out because they were doubted, or because there were too many stretches. */
  readonly isTranscriptionDoubtful: boolean;
  readonly voicedMs: number;
}

/** What an agent says it said, beside the sound in which it said it. */
export interface OwnAccount {
  readonly text: string;
  readonly voicedMs: number;
  readonly charactersASecond: number | null;
  /** `inaudible`: there is no voice for these words, or far too little; they prove nothing. */
  readonly outcome: 'audible' | 'inaudible' | 'nothing_said';
}

/** A shorter pause does not end a stretch: words at its edges are recognised better with what is around them. */
const PAUSE_MS = 700;
/** Recognisers lose words that begin with the file. */
const MARGIN_MS = 200;
/** About as many as there are in ten minutes of short utterances; a reply that goes on is doubtful as a whole. */
const MOST_SEGMENTS = 400;

/** Where the agent can be heard, and in which words. Only stretches with speech are transcribed: recognisers invent words for silence. */
export class Ear {
  constructor(
    private readonly transcriber: Transcriber,
    private readonly language = 'en',
  ) {}

  get identity(): TranscriberIdentity {
    return this.transcriber.identity;
  }

  /** @throws SpeechError */
  async hear(sound: Sound, signal: AbortSignal): Promise<HeardSound> {
    const segments: HeardSegment[] = [];
    const stretches = stretchesOf(sound);
    for (const stretch of stretches.slice(0, MOST_SEGMENTS)) {
      const clip = { samples: sound.samples.subarray(stretch.from, stretch.to), rate: sound.rate };
      const answer = await this.transcriber.transcribe(clip, this.language, signal);
      // Dots, notes and faces are what recognisers write where they understood nothing.
      const text = holdsWord(answer) ? answer : '';
      const { voicedMs } = stretch;
      const doubt = doubtOfHeard(text, voicedMs, this.language);
      const [fromMs, toMs] = [inMs(stretch.from, sound.rate), inMs(stretch.to, sound.rate)];
      segments.push({ fromMs, toMs, voicedMs, text, doubt });
    }
    const certain = segments.filter(({ doubt, text }) => doubt === null && text !== '');
    return {
      segments,
      text: certain.map(({ text }) => text).join(' '),
      isTranscriptionDoubtful: stretches.length > MOST_SEGMENTS || segments.some(({ doubt }) => doubt !== null),
      voicedMs: segments.reduce((sum, { voicedMs }) => sum + voicedMs, 0),
    };
  }

  /** Ends what is under way. Idempotent. */
  close(): Promise<void> {
    return this.transcriber.close();
  }
}

/**
 * Without a transcriber: whether the words that the agent reports could have been heard in a sound. They are still the agent's own account;
 * which of them were said is not known.
 */
export function ownAccountOf(text: string, sound: Sound, language = 'en'): OwnAccount {
  const voicedMs = speechIn(sound).reduce((sum, { from, to }) => sum + inMs(to - from, sound.rate), 0);
  const doubt = doubtOf(text, voicedMs, language);
  return {
    text,
    voicedMs,
    charactersASecond: charactersASecond(text, voicedMs, language),
    // What an agent repeats it may have said.
    outcome: !holdsWord(text) ? 'nothing_said' : doubt === 'silence' || doubt === 'too_fast' ? 'inaudible' : 'audible',
  };
}

interface Stretch extends Span {
  readonly voicedMs: number;
}

/** Speech with short pauses between, each with a margin, and none longer than a clip may be. */
function stretchesOf({ samples, rate }: Sound): Stretch[] {
  const [pause, margin] = [samplesIn(PAUSE_MS, rate), samplesIn(MARGIN_MS, rate)];
  const longest = LONGEST_CLIP_SECONDS * rate - 2 * margin;
  const joined: { from: number; to: number; voiced: number }[] = [];
  for (const speech of speechIn({ samples, rate }).flatMap((span) => piecesOf(span, longest))) {
    const last = joined.at(-1);
    if (last !== undefined && speech.from - last.to <= pause && speech.to - last.from <= longest) {
      last.to = speech.to;
      last.voiced += speech.to - speech.from;
    } else joined.push({ ...speech, voiced: speech.to - speech.from });
  }
  return joined.map(({ from, to, voiced }) => ({
    from: Math.max(0, from - margin),
    to: Math.min(samples.length, to + margin),
    voicedMs: inMs(voiced, rate),
  }));
}

function piecesOf({ from, to }: Span, longest: number): Span[] {
  const pieces: Span[] = [];
  for (let at = from; at < to; at += longest) pieces.push({ from: at, to: Math.min(to, at + longest) });
  return pieces;
}

const inMs = (samples: number, rate: number) => Math.round((samples * 1_000) / rate);
