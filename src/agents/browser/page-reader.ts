import type { Frame, Locator, Page } from 'playwright-core';
import { ProviderError } from '../errors';
import { MAX_REPLY_BYTES } from '../reply-text';
import { addedTexts, isPlaceholder, newMessages, replyInLines } from './new-text';
import { readElements, type ElementTexts } from './page-functions';
import { linesOf } from './page-lines';
import { countMessage, isMessage, linesAfterMessage } from './patient-message';
import { locate, namesFrame } from './selectors';

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
