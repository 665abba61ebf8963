import { comparableWords } from '../audio/spoken-text';
import type { WordErrors } from '../audio/word-errors';
import type { KeptSpokenTurn } from '../../../contract/spoken-turns';

/** A spoken turn as it was stored. */
export interface MeasuredTurn {
  readonly turn: number;
  readonly said: string;
  /** The reply that was marked. */
  readonly replied: string;
  readonly spoken: KeptSpokenTurn;
}

/** @param said the patient's message; keys that were pressed in its place are no words */
export function measuredTurn(turn: number, said: string, replied: string, spoken: KeptSpokenTurn): MeasuredTurn {
  return { turn, said: spoken.keys === null ? said : '', replied, spoken };
}

/** Longer texts of a turn are not read: nobody says them in a turn, and each is compared word by word. */
export const MOST_CHARACTERS = 4_000;

export interface Tally {
  readonly events: number;
  readonly hits: number;
}

/** What an agent heard of what was said, or an ear of what the agent said. Sums over the turns of which it is known. */
export interface WordTally extends WordErrors {
  readonly turns: number;
  /** Turns of which it is not known, and those whose texts were too long to be read. */
  readonly notMeasurable: number;
}

export function isReliable(turn: MeasuredTurn | undefined): boolean {
  return turn?.spoken.timing_reliable === true;
}

/** Whether the words that the examiner's ear heard are doubted: they count for nothing. */
export function isDoubted(doubtful: MeasuredTurn['spoken']['heard_doubtful']): boolean {
  return doubtful !== null && doubtful !== undefined && doubtful !== false;
}

export function stretchOf({ from_ms, to_ms }: { readonly from_ms: number; readonly to_ms: number }) {
  return { from: from_ms, to: to_ms };
}

export function wordsOf(text: string, language: string): readonly string[] {
  return comparableWords(text.slice(0, MOST_CHARACTERS), language);
}

/** All that the patient said in a turn: the message, and what it said into the answer. */
export function utteredIn(said: string, { interjection }: MeasuredTurn['spoken']): string {
  return `${said} ${interjection?.words ?? ''}`;
}

export function isReadable(...texts: readonly string[]): boolean {
  return texts.every(({ length }) => length <= MOST_CHARACTERS);
}

export function sumOfWords(turns: readonly MeasuredTurn[], found: readonly (WordErrors | null)[]): WordTally {
  const sum = { substitutions: 0, deletions: 0, insertions: 0, words: 0, turns: 0, notMeasurable: 0 };
  for (const [at, errors] of found.entries()) {
    if (errors === null) {
      if (isReliable(turns[at])) sum.notMeasurable += 1;
      continue;
    }
    sum.turns += 1;
    for (const kind of ['substitutions', 'deletions', 'insertions', 'words'] as const) sum[kind] += errors[kind];
  }
  return sum;
}
