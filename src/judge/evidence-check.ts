import type { Exchange } from '../../machines/conversation';
import type { Evidence } from '../../machines/rubric';
import { isStopWord, wordsOf } from '../language/words';
import { occurrences } from './occurrences';

/** Quotes kept for one criterion; more prove nothing more. */
const MAX_QUOTES = 5;
/** A longer quote is kept up to here. */
const MAX_QUOTE_CHARACTERS = 2_000;
/** A quote beyond this is no quote, and searching for it would take long. */
const LONGEST_QUOTE_READ = 20_000;

/**
 * Finds a judge's quotes in a transcript. A quote counts when it occurs word for word (runs of white space are one space,
 * Unicode in composed form, typographic quotation marks, dashes and dots as plain ones) in a message of the turn it names, begins and ends
 * where words do, and says something: at least one word that is no stop word, or the whole message.
 */
export class EvidenceCheck {
  private readonly messages = new Map<number, readonly Message[]>();

  constructor(transcript: readonly Exchange[]) {
    for (const { turn, agentMessage, patientMessage } of transcript) {
      this.messages.set(turn, [new Message(agentMessage), new Message(patientMessage)]);
    }
  }

  /** The quotes that count, each as it stands in the transcript. */
  verified(evidence: readonly Evidence[]): Evidence[] {
    const found: Evidence[] = [];
    for (const { turn, quote } of evidence) {
      if (found.length >= MAX_QUOTES) break;
      const excerpt = this.excerpt(turn, quote);
      if (excerpt !== null) found.push({ turn, quote: excerpt });
    }
    return found;
  }

  private excerpt(turn: number, quote: string): string | null {
    for (const message of this.messages.get(turn) ?? []) {
      const excerpt = message.find(quote);
      if (excerpt !== null) return shortened(excerpt);
    }
    return null;
  }
}

/** One message with its folded form, made when first needed. */
class Message {
  private foldedText: Folded | null = null;

  constructor(private readonly text: string) {}

  /** The part of the message that the quote is. */
  find(quote: string): string | null {
    if (quote.length > LONGEST_QUOTE_READ) return null;
    const literal = quote.trim();
    const wanted = fold(literal).text;
    if (!saysSomething(wanted) && (wanted === '' || wanted !== this.folded().text.trim())) return null;
    if (occurrence(this.text, literal) !== null) return literal;
    const { text, offsets } = this.folded();
    const at = occurrence(text, wanted);
    return at === null ? null : this.text.slice(offsets[at], offsets[at + wanted.length]).trim();
  }

  private folded(): Folded {
    this.foldedText ??= fold(this.text);
    return this.foldedText;
  }
}

/** Where the wanted text first stands with word boundaries around it. */
function occurrence(text: string, wanted: string): number | null {
  for (const at of occurrences(text, wanted)) {
    if (isBoundary(text, at) && isBoundary(text, at + wanted.length)) return at;
  }
  return null;
}

interface Folded {
  readonly text: string;
  /** For each index of the folded text the offset it came from; one more for its end. */
  readonly offsets: readonly number[];
}

/**
 * White space, plain text (for speed), a run of Hangul letters (which compose with one another), a character with its marks, or
 * marks alone.
 */
const CLUSTER =
  /\s+|[\x21-\x7e]+(?!\p{M})|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\uac00-\ud7a3]+|\P{M}\p{M}*|\p{M}+/gu;

const PLAIN_MARKS = new Map([
  ['‘', "'"],
  ['’', "'"],
  ['“', '"'],
  ['”', '"'],
  ['„', '"'],
  ['‐', '-'],
  ['‑', '-'],
  ['‒', '-'],
  ['–', '-'],
  ['—', '-'],
  ['−', '-'],
  ['…', '...'],
]);

function fold(text: string): Folded {
  const parts: string[] = [];
  const offsets: number[] = [];
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    const folded = cluster.trim() === '' ? ' ' : (PLAIN_MARKS.get(cluster) ?? cluster.normalize('NFC'));
    parts.push(folded);
    for (let unit = 0; unit < folded.length; unit += 1) offsets.push(index + Math.min(unit, cluster.length - 1));
  }
  offsets.push(text.length);
  return { text: parts.join(''), offsets };
}

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;

/** Whether a word may begin or end here: not between two characters of one word. */
function isBoundary(text: string, at: number): boolean {
  const before = lastCharacter(text, at);
  const after = text.codePointAt(at);
  if (before === '' || after === undefined) return true;
  return !(WORD_CHARACTER.test(before) && WORD_CHARACTER.test(String.fromCodePoint(after)));
}

function lastCharacter(text: string, end: number): string {
  const unit = text.charCodeAt(end - 1);
  const isLowSurrogate = unit >= 0xdc00 && unit <= 0xdfff;
  return text.slice(end - (isLowSurrogate ? 2 : 1), end);
}

function saysSomething(quote: string): boolean {
  return wordsOf(quote).some((word) => !isStopWord(word));
}

/** At most MAX_QUOTE_CHARACTERS, cut between words. */
function shortened(quote: string): string {
  if (quote.length <= MAX_QUOTE_CHARACTERS) return quote;
  let end = MAX_QUOTE_CHARACTERS;
  while (end > 0 && !/\s/.test(quote.charAt(end))) end -= 1;
  return end > 0 ? quote.slice(0, end).trimEnd() : quote;
}
