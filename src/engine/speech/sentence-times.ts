import { sentenceSpans } from '../../examiners/rules';

/** Times in ms. */
export interface TimedSpan {
  readonly from: number;
  readonly to: number;
}

/** A part of a text that is known to be said in this time, and when there is voice in it. */
export interface TimedText {
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  readonly voiced: readonly TimedSpan[];
}

/** When a sentence was heard. */
export interface SentenceTime extends TimedSpan {
  /** By its place in the text, from `s1`: the sentences are those of `sentenceSpans`. */
  readonly id: string;
  /** False: its part of the voice was found by its share of the characters. */
  readonly certain: boolean;
}

/** Between two sentences people pause: an estimated boundary so near a pause, as a share of the voice of its part, is that pause. */
const SNAP_SHARE = 0.15;

/** When each sentence of a text was said. A text of which no part has a voice has no times. */
export function sentenceTimes(text: string, parts: readonly TimedText[]): SentenceTime[] {
  const voiced = parts.filter((part) => part.voiced.length > 0 && part.end > part.start);
  if (voiced.length === 0) return [];
  return sentenceSpans(text).flatMap((sentence, at): SentenceTime[] => {
    const first = voiced.find((part) => part.end > sentence.start);
    const last = voiced.findLast((part) => part.start < sentence.end);
    if (first === undefined || last === undefined || first.start > last.start) return [];
    const isWhole = sentence.start <= textStart(text, first) && sentence.end >= textEnd(text, last);
    return [
      {
        id: `s${at + 1}`,
        from: timeOf(shareOf(text, first, sentence.start), first.voiced, 'from'),
        to: timeOf(shareOf(text, last, sentence.end), last.voiced, 'to'),
        certain: isWhole,
      },
    ];
  });
}

const textStart = (text: string, { start, end }: TimedText) => start + leading(text.slice(start, end));
const textEnd = (text: string, { start, end }: TimedText) => start + text.slice(start, end).trimEnd().length;
const leading = (part: string) => part.length - part.trimStart().length;

/** How much of the part's characters stand before this place. */
function shareOf(text: string, part: TimedText, place: number): number {
  const [start, end] = [textStart(text, part), textEnd(text, part)];
  return Math.min(1, Math.max(0, (place - start) / Math.max(1, end - start)));
}

/** When this share of the voice is over. @param edge of the sentence: in a pause one begins after it, and one ends before it */
function timeOf(share: number, voiced: readonly TimedSpan[], edge: 'from' | 'to'): number {
  const total = voiced.reduce((sum, { from, to }) => sum + to - from, 0);
  const place = share * total;
  const boundaries = boundariesOf(voiced);
  const nearest = boundaries.toSorted((one, other) => Math.abs(one.place - place) - Math.abs(other.place - place))[0];
  if (nearest !== undefined && Math.abs(nearest.place - place) <= SNAP_SHARE * total) return nearest[edge];
  let before = 0;
  for (const { from, to } of voiced) {
    if (place <= before + to - from) return from + place - before;
    before += to - from;
  }
  return voiced.at(-1)?.to ?? 0;
}

interface Boundary {
  /** How much voice is before it. */
  readonly place: number;
  /** What begins at it. */
  readonly from: number;
  /** What ends at it. */
  readonly to: number;
}

/** The beginning, the pauses, and the end. */
function boundariesOf(voiced: readonly TimedSpan[]): Boundary[] {
  let place = 0;
  return [null, ...voiced].map((before, at) => {
    place += before === null ? 0 : before.to - before.from;
    const after = voiced[at];
    return { place, from: after?.from ?? before?.to ?? 0, to: before?.to ?? after?.from ?? 0 };
  });
}
