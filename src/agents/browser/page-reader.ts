import type { Frame, Locator, Page } from 'playwright-core';
import { ProviderError } from '../errors';
import { MAX_REPLY_BYTES } from '../reply-text';
import { readElements, type ElementTexts } from './page-functions';
import { locate, namesFrame } from './selectors';

/** The longest label before the patient's message: `You: …`. */
const MOST_LABEL = 24;
/**
 * How many characters of new lines are searched for the patient's message, from the end: more would hold up everything else.
 * Lines that are far too long to be part of it do not count.
 */
const MAX_SEARCHED = 256 * 1024;
/** Replaces a line that is too long to be part of the message: longer than any label, and of characters that no compared text has. */
const BARRIER = '\n'.repeat(MOST_LABEL + 1);

/** Only letters and digits count: a page may render the patient's message in its own way. */
function essence(text: string): string {
  const letters = text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
  return letters === '' ? text.trim() : letters;
}

/** Whether a text is the message and nothing else. */
export function isMessage(text: string, message: string): boolean {
  const wanted = essence(message);
  return !isTooLong(text, wanted) && essence(text) === wanted;
}

/**
 * The lines after the patient's own message; all of them where the page does not show it (again), or shows it only before more text
 * than is searched.
 * @returns none when the message is there and nothing follows it
 */
export function linesAfterMessage(lines: readonly string[], message: string): readonly string[] {
  const wanted = essence(message);
  const { first, text, starts, ends } = joined(lines, wanted);
  let from = 0;
  for (const [index, end] of ends.entries()) {
    const start = end - wanted.length;
    // The message begins where a line does, or after a label there.
    while ((starts[from] ?? end) < start - MOST_LABEL) from += 1;
    if (start >= 0 && (starts[from] ?? end) <= start && text.slice(start, end) === wanted) {
      return lines.slice(first + index + 1);
    }
  }
  return lines;
}

/** How many times one line, or several consecutive ones, are the patient's message and nothing else. */
export function countMessage(lines: readonly string[], message: string): number {
  const wanted = essence(message);
  const { text, starts, ends } = joined(lines, wanted);
  const lineEnds = new Set(ends);
  return starts.filter((start) => {
    const end = start + wanted.length;
    return lineEnds.has(end) && text.slice(start, end) === wanted;
  }).length;
}

interface Joined {
  /** Index of the first line that is searched. */
  readonly first: number;
  /** The normalized text of all of them, each computed once. */
  readonly text: string;
  /** Where each of them starts and ends in it. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

function joined(lines: readonly string[], wanted: string): Joined {
  const parts: string[] = [];
  let left = MAX_SEARCHED;
  for (const line of lines.toReversed()) {
    const letters = isTooLong(line, wanted) ? BARRIER : essence(line);
    // One character may become several.
    left -= letters === BARRIER ? 0 : Math.max(line.length, letters.length);
    if (left < 0) break;
    parts.push(letters.length > wanted.length + MOST_LABEL ? BARRIER : letters);
  }
  parts.reverse();
  const starts: number[] = [];
  const ends: number[] = [];
  let length = 0;
  for (const part of parts) {
    starts.push(length);
    length += part.length;
    ends.push(length);
  }
  return { first: lines.length - parts.length, text: parts.join(''), starts, ends };
}

/** Many times as long as the message: it is something else, whatever surrounds its letters, so it is not normalized. */
function isTooLong(line: string, wanted: string): boolean {
  return line.length > 4 * wanted.length + 1_000;
}

/** Beyond this many texts on each side the comparison would cost too much. */
const MAX_COMPARED = 500;

/** A sign that a reply is coming, when it is a whole line: dots, or "… is typing". */
const PLACEHOLDER =
  /^([.…•●·∙\s]{1,12}|.{0,40}\b(typing|thinking|writing|loading|searching|generating|working on it|one moment)\b.{0,20}(\.{2,3}|…)?)$/iu;

/** What chats show beside a message: when it was sent, and whether it was read. */
const FURNITURE =
  /^(\d{1,2}:\d{2}(:\d{2})?( ?[ap]\.?m\.?)?|just now|now|sent|delivered|read|seen|today|you|me|copy|retry|[✓✔]{1,2})$/iu;

/**
 * What was added to a list of texts between two readings, in order. What is common to the beginning and end of both is old
 * first; of the rest, what is not part of their longest common subsequence is new.
 */
export function addedTexts(before: readonly string[], after: readonly string[]): string[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  const old = before.slice(start, before.length - end);
  const candidates = after.slice(start, after.length - end);
  if (old.length === 0) return candidates;
  if (old.length > MAX_COMPARED || candidates.length > MAX_COMPARED) {
    const known = new Set(old);
    return candidates.filter((text) => !known.has(text));
  }
  const numbers = new Map<string, number>();
  // Long texts that differ only at their ends are compared once each, not all with all.
  const numbered = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const added = indexesBeyondCommon(old.map(numbered), candidates.map(numbered));
  return candidates.filter((_, index) => added.has(index));
}

/** Indexes of the members of `after` that are not part of the longest common subsequence of the two. */
function indexesBeyondCommon(before: readonly number[], after: readonly number[]): Set<number> {
  const width = after.length + 1;
  // lengths[i * width + j]: how much before[i…] and after[j…] have in common.
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const added = new Set<number>();
  let i = 0;
  for (let j = 0; j < after.length; j += 1) {
    while (i < before.length && before[i] !== after[j] && at(i + 1, j) >= at(i, j + 1)) i += 1;
    if (i < before.length && before[i] === after[j]) i += 1;
    else added.add(j);
  }
  return added;
}

/**
 * The messages that are new among the nodes of a selector. Where there are more than before, they are counted: frameworks
 * change the text of old ones (`just now` becomes `1 minute ago`). A list may grow at its top.
 */
export function newMessages(before: readonly string[], after: readonly string[]): string[] {
  const more = after.length - before.length;
  if (more <= 0) return addedTexts(before, after);
  const kept = before.filter((text, index) => text === after[index]).length;
  const moved = before.filter((text, index) => text === after[index + more]).length;
  return moved > kept ? after.slice(0, more).reverse() : after.slice(before.length);
}

/** The reply among new lines of a page: without typing indicators, and without times and receipts around it. */
export function replyInLines(lines: readonly string[]): string {
  const said = lines.filter((line) => !isPlaceholder(line));
  const words = said.filter((line) => !FURNITURE.test(line.trim()));
  // A reply may be as short as a time of day.
  return (words.length > 0 ? words : said).join('\n');
}

export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text.trim());
}

/** How many lines of a page are read, counted from the end: no reader follows more, and each costs time in every read. */
export const MAX_LINES = 20_000;

/** The non-empty lines of texts, trimmed. */
export function linesOf(texts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const text of texts.toReversed()) {
    for (let end = text.length; end >= 0 && lines.length < MAX_LINES;) {
      const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
      const line = start === end ? '' : text.slice(start, end).trim();
      if (line !== '') lines.push(line);
      end = start - 1;
    }
  }
  return lines.reverse();
}

/** Of a list of messages only the last ones are read; of a page or a message, at most twice what a reply may hold. */
const LIMITS = { elements: 400, characters: 2 * MAX_REPLY_BYTES };

/** Signs that a reply is being written. A page that shows one all the time shows it before our message too. */
const BUSY = [
  '[aria-busy="true"]',
  '[role="progressbar"]',
  '[data-streaming="true"], [data-is-streaming="true"]',
  '[class*="typing" i]:not(textarea, input, form)',
  '[class*="spinner" i]',
  '[data-testid*="typing" i], [data-testid*="stop" i]',
  '[aria-label*="typing" i]:not(textarea, input)',
  'button[aria-label^="stop" i], button[title^="stop" i], button:text-matches("^\\\\s*stop\\\\b", "i")',
].join(', ');

/** What the page shows at one moment. */
export interface Reading {
  readonly texts: readonly string[];
}

/** Reads what the agent says: in the nodes of the config's selector, or without one in the text of the page. */
export class PageReader {
  constructor(
    private readonly page: Page,
    private readonly selector: string | undefined,
    /** The input's frame: a chat in a frame has its messages there. */
    private readonly frame: Frame,
  ) {}

  /** @throws ProviderError `provider_error` when there is more text than a conversation may have */
  async read(): Promise<Reading> {
    if (this.selector !== undefined) return { texts: (await this.readMessages(this.selector)).texts };
    const { texts, isCut } = await this.frame.locator('body').evaluateAll(readElements, LIMITS);
    if (isCut) throw tooMuch();
    return { texts: linesOf(texts) };
  }

  /** The reply so far to a message that was sent after the first reading; empty while there is none. */
  async replyBetween(before: Reading, after: Reading, message: string): Promise<string> {
    if (this.selector === undefined) {
      return replyInLines(linesAfterMessage(addedTexts(before.texts, after.texts), message));
    }
    const added = newMessages(before.texts, after.texts);
    const [first, ...rest] = added;
    const isEcho = first !== undefined && isMessage(first, message) && (await this.listsPatient(after, message));
    const reply = (isEcho ? rest : added).filter((text) => text.trim() !== '');
    return reply.every(isPlaceholder) ? '' : reply.join('\n');
  }

  /** How many signs show that a reply is being written. */
  countBusy(): Promise<number> {
    return this.frame.locator(BUSY).filter({ visible: true }).count();
  }

  /** What the agent has said already, as far as the page shows it; null when it said nothing or that cannot be determined. */
  async greeting(): Promise<string | null> {
    const { texts } =
      this.selector === undefined
        ? await this.frame.locator('[role="log"]').filter({ visible: true }).evaluateAll(readElements, LIMITS)
        : await this.readMessages(this.selector);
    const said = texts.map((text) => text.trim()).filter((text) => text !== '' && !isPlaceholder(text));
    return said.length > 0 ? said.join('\n') : null;
  }

  private async readMessages(selector: string): Promise<ElementTexts> {
    const reading = await read(locate(this.page, selector));
    if (reading.count > 0 || namesFrame(selector) || this.frame === this.page.mainFrame()) return reading;
    return read(locate(this.page, selector, this.frame));
  }

  /** Whether the selector matches the patient's messages too: then the page shows this one nowhere else. */
  private async listsPatient({ texts }: Reading, message: string): Promise<boolean> {
    const page = await this.frame.locator('body').evaluateAll(readElements, LIMITS);
    return countMessage(linesOf(page.texts), message) <= countMessage(linesOf(texts), message);
  }
}

async function read(nodes: Locator): Promise<ElementTexts> {
  const reading = await nodes.evaluateAll(readElements, LIMITS);
  if (reading.isCut) throw tooMuch();
  return reading;
}

function tooMuch(): ProviderError {
  return new ProviderError(
    'provider_error',
    `The page shows more than ${LIMITS.characters} characters of text: set message_selector to the agent's messages.`,
  );
}
