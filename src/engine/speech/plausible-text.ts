import { spokenText } from '../audio/spoken-text';

/**
 * What a text and the sound it was heard in say of each other. `silence`: there is text, and next to no voice. `too_fast`: nobody says so
 * much in the time. `repeated`: the same words three times and more in a row, as recognisers invent them.
 */
export type TextDoubt = 'silence' | 'too_fast' | 'repeated';

/** A syllable lasts longer. */
const LEAST_VOICED_MS = 80;
/** People say 12 to 17 characters a second, fast readers 25; engines at twice their rate 35. */
const MOST_CHARACTERS_A_SECOND = 40;
/** A word at the end of what was voiced is still heard. */
const SPARE_CHARACTERS = 12;
const REPEATS = 3;
/** The longest phrase whose repetition is looked for, in words. */
const LONGEST_PHRASE = 8;
const MOST_WORDS = 5_000;
/** People say these several times in a row: a number to call, an answer. */
const SAID_OFTEN =
  /^(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|no|yes|yeah|very|really|so|ha|okay|ok|please|help|ow|bye|sorry)$/;

/**
 * Why words are perhaps not what was said; null where they may be.
 * @param voicedMs how much of the sound is voice
 */
export function doubtOf(text: string, voicedMs: number, language = 'en'): TextDoubt | null {
  const words = spokenText(text, language);
  if (!holdsWord(words)) return null;
  if (voicedMs < LEAST_VOICED_MS) return 'silence';
  if (isTooMuch(words, voicedMs)) return 'too_fast';
  return isRepeated(words) ? 'repeated' : null;
}

/** As `doubtOf`, of what a recogniser wrote: all of it counts, since it is kept as it is, also what would not be said (tags, addresses). */
export function doubtOfHeard(text: string, voicedMs: number, language = 'en'): TextDoubt | null {
  return doubtOf(text, voicedMs, language) ?? (isTooMuch(text, voicedMs) ? 'too_fast' : null);
}

/** Whether there is a letter or a digit in it. */
export function holdsWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function isTooMuch({ length }: string, voicedMs: number): boolean {
  return length > SPARE_CHARACTERS + (voicedMs / 1_000) * MOST_CHARACTERS_A_SECOND;
}

/** Characters as they are spoken, for each second of voice; null without voice. */
export function charactersASecond(text: string, voicedMs: number, language = 'en'): number | null {
  return voicedMs <= 0 ? null : spokenText(text, language).length / (voicedMs / 1_000);
}

/** Whether a phrase of one to eight words follows itself twice. */
function isRepeated(text: string): boolean {
  const words = (text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).slice(0, MOST_WORDS);
  for (let length = 1; length <= LONGEST_PHRASE; length += 1) {
    let same = 0;
    for (let at = length; at < words.length; at += 1) {
      same = words[at] === words[at - length] ? same + 1 : 0;
      const phrase = words.slice(at - length + 1, at + 1);
      if (same >= length * (REPEATS - 1) && !phrase.every((word) => SAID_OFTEN.test(word))) return true;
    }
  }
  return false;
}
