import { sentenceSpans } from '../../examiners/rules';
import { speechIn } from '../audio/speech-detection';
import { spokenText } from '../audio/spoken-text';
import type { Sound } from '../../domain/sound';
import { ownAccountOf, type Ear, type HeardSound } from './ear';
import { SpeechError } from './speech-error';
import { RECORDED_RATE } from './recorded-rate';
import { sentenceTimes, type SentenceTime, type TimedSpan, type TimedText } from './sentence-times';

export interface TurnSound {
  /** RECORDED_RATE samples a second: what was heard just before, for the detector, and then what belongs to the turn. */
  readonly samples: Int16Array;
  /** Where the turn begins in it. */
  readonly turnFrom: number;
  /** What the agent says in text that it said; null when it does not say. */
  readonly own: string | null;
  /** It may say less than it planned: it was interrupted, fell silent at a backchannel, lost the floor or left. */
  readonly isBrokenOff: boolean;
  /** BCP 47. */
  readonly language: string;
}

/** What was audible of the agent in a turn. Times are in ms from the beginning of the turn's sound. */
export interface HeardReply {
  /** Where it has a voice, in order and apart. */
  readonly voiced: readonly TimedSpan[];
  /** What may be marked: words that were audible, and nothing else. Empty where none were. */
  readonly content: string;
  /** The words that the ear heard; null without an ear. */
  readonly heard: string | null;
  /** Words were left out because they were doubted. */
  readonly isDoubtful: boolean;
  /** Of `content`. */
  readonly sentences: readonly SentenceTime[];
  /** Of what it says that it said, nothing was audible; with an ear: nothing that it said was. */
  readonly isInaudible: boolean;
  /** Whether its account of what it said breaks off; null without one. */
  readonly isUnfinished: boolean | null;
}

/** A shorter voice may be a noise, or a sound that is no word. */
const DEAF_FROM_MS = 1_000;

/** @param ear null: the agent's own account counts, checked against its sound. @throws SpeechError of the ear */
export async function heardReply(turn: TurnSound, ear: Ear | null, signal: AbortSignal): Promise<HeardReply> {
  const { samples, turnFrom, own, isBrokenOff, language } = turn;
  const voiced = voicedIn({ samples, rate: RECORDED_RATE }, turnFrom);
  const isUnfinished = own === null ? null : !/[.!?…。！？]["'”’)\]]*$/u.test(own.trimEnd());
  const sound: Sound = { samples: samples.subarray(turnFrom), rate: RECORDED_RATE };
  if (ear !== null) {
    const heard = await ear.hear(sound, signal);
    checkEar(heard);
    return {
      voiced,
      content: heard.text,
      heard: heard.text,
      isDoubtful: heard.isTranscriptionDoubtful,
      sentences: sentenceTimes(heard.text, timedSegments(heard, voiced)),
      isInaudible: heard.text === '',
      isUnfinished,
    };
  }
  const { outcome, voicedMs } = ownAccountOf(own ?? '', sound, language);
  const audible = outcome === 'audible' && own !== null ? own : '';
  const content = isBrokenOff ? fitting(audible, voicedMs, language) : audible;
  return {
    voiced,
    content,
    heard: null,
    isDoubtful: false,
    sentences: sentenceTimes(content, [{ start: 0, end: content.length, voiced }]),
    isInaudible: content === '',
    isUnfinished,
  };
}

/** People and engines say 12 to 17 characters a second: at this rate hardly a sentence counts that was not said to its end. */
const SAID_A_SECOND = 15;

/** The sentences from the beginning that there was voice for. */
function fitting(text: string, voicedMs: number, language: string): string {
  const said = (voicedMs / 1_000) * SAID_A_SECOND;
  const fits = (part: string): boolean => spokenText(part, language).length <= said;
  if (fits(text)) return text;
  return text.slice(0, sentenceSpans(text).findLast(({ end }) => fits(text.slice(0, end)))?.end ?? 0).trimEnd();
}

/** The agent may have said anything then: what the ear did not understand says nothing of the agent. @throws SpeechError */
function checkEar({ text, voicedMs }: HeardSound): void {
  if (text !== '' || voicedMs < DEAF_FROM_MS) return;
  throw new SpeechError(
    'answer_unusable',
    `The examiner's ear understood no word of ${(voicedMs / 1_000).toFixed(1)} s of the agent's voice: listen to the recording, and check TRANSCRIPTION_URL with osce speech check.`,
  );
}

function voicedIn(sound: Sound, turnFrom: number): TimedSpan[] {
  return speechIn(sound)
    .filter(({ to }) => to > turnFrom)
    .map(({ from, to }) => ({ from: inMs(Math.max(0, from - turnFrom)), to: inMs(to - turnFrom) }));
}

const inMs = (samples: number) => (samples * 1_000) / RECORDED_RATE;

/** The segments that make up the text, joined as `Ear` joins them. */
function timedSegments({ segments }: HeardSound, voiced: readonly TimedSpan[]): TimedText[] {
  let start = 0;
  return segments
    .filter(({ doubt, text }) => doubt === null && text !== '')
    .map(({ text, fromMs, toMs }) => {
      const end = start + text.length;
      const part = { start, end, voiced: voiced.filter(({ from, to }) => to > fromMs && from < toMs) };
      start = end + 1;
      return part;
    });
}
