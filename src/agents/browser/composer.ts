import type { Frame, Locator, Page } from 'playwright-core';
import { ProviderError } from '../errors';
import { isTimeout } from './page-failure';
import { findComposers } from './page-functions';
import { locate, type ChatSelectors } from './selectors';

const WRITABLE = 'textarea, [contenteditable]:not([contenteditable="false"]), input:not([type]), input[type="text"]';
/** In a page with more frames, only the first ones are searched. */
const MAX_FRAMES = 20;
const MAX_MATCHES = 10;
/** How long a button may stay disabled or covered after the message is written. */
const PRESS_WITHIN_MS = 5_000;

/** Where the patient's messages are written. */
export interface Composer {
  readonly field: Locator;
  readonly frame: Frame;
}

/** The input matching the config's selector; otherwise the one nearest the bottom of the page. Null while none is writable. */
export async function findComposer(page: Page, { input_selector }: ChatSelectors): Promise<Composer | null> {
  const field = input_selector === undefined ? await nearestBottom(page) : await firstWritable(page, input_selector);
  if (field === null) return null;
  const handle = await field.elementHandle({ timeout: 1_000 }).catch(() => null);
  const frame = await handle?.ownerFrame();
  await handle?.dispose();
  return frame ? { field, frame } : null;
}

async function firstWritable(page: Page, selector: string): Promise<Locator | null> {
  const matches = locate(page, selector);
  const count = Math.min(await matches.count(), MAX_MATCHES);
  for (let index = 0; index < count; index += 1) {
    const match = matches.nth(index);
    if (!(await match.isVisible())) continue;
    if (await isWritable(match)) return match;
  }
  return null;
}

async function isWritable(field: Locator): Promise<boolean> {
  try {
    return await field.isEditable({ timeout: 1_000 });
  } catch (error) {
    // It was replaced meanwhile: search again.
    if (isTimeout(error)) return false;
    throw new ProviderError(
      'config_invalid',
      "The agent's config cannot be used: input_selector matches an element that is not writable.",
      undefined,
      { cause: error },
    );
  }
}

async function nearestBottom(page: Page): Promise<Locator | null> {
  let found: { field: Locator; bottom: number } | null = null;
  for (const frame of page.frames().slice(0, MAX_FRAMES)) {
    const fields = frame.locator(WRITABLE);
    const [candidates, top] = await Promise.all([fields.evaluateAll(findComposers), topOf(frame)]);
    if (top === null) continue;
    for (const { index, bottom } of candidates) {
      if (found === null || top + bottom >= found.bottom) found = { field: fields.nth(index), bottom: top + bottom };
    }
  }
  return found?.field ?? null;
}

/** How far below the page's upper edge a frame begins; null when it is hidden. */
async function topOf(frame: Frame): Promise<number | null> {
  if (frame.parentFrame() === null) return 0;
  const element = await frame.frameElement();
  const box = await element.boundingBox();
  await element.dispose();
  return box?.y ?? null;
}

/**
 * Writes the message and sends it, in one way only: by the config's button, else the submit button of the same form, else Enter.
 * Resolves when the message is on its way: what the page then does may take any length of time.
 * @throws ProviderError when the page does not accept the message
 */
export async function say(page: Page, composer: Composer, message: string, selectors: ChatSelectors): Promise<void> {
  const { field } = composer;
  // Filled, not typed: typing a line break sends what is there so far.
  await field.fill(await asTaken(field, message), { timeout: PRESS_WITHIN_MS });
  const button = await findButton(page, composer, selectors);
  if (button === null) return unawaited(field.press('Enter', { timeout: PRESS_WITHIN_MS }));
  try {
    await button.click({ trial: true, timeout: PRESS_WITHIN_MS });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw new ProviderError(
      'provider_error',
      "The page's send button cannot be pressed: it is missing, disabled or covered by something else. Set send_selector, or " +
        'accept cookies and notices once and give the agent that storage_state.',
      undefined,
      { cause: error },
    );
  }
  unawaited(button.click({ timeout: PRESS_WITHIN_MS }));
}

/** A single-line field would join the words at the end of one line and the beginning of the next. */
async function asTaken(field: Locator, message: string): Promise<string> {
  if (!message.includes('\n')) return message;
  const isOneLine = (await field.locator('xpath=self::input').count()) > 0;
  return isOneLine ? oneLineOf(message) : message;
}

/** The message on one line, its lines joined by spaces. */
export function oneLineOf(message: string): string {
  const lines = message.split('\n');
  const last = lines.length - 1;
  return lines
    .map((line, at) => (at === 0 ? line.trimEnd() : at === last ? line.trimStart() : line.trim()))
    .filter((line, at) => line !== '' || at === 0 || at === last)
    .join(' ');
}

/** A key press or click is over long before the page has handled it; one that had no effect shows as a reply that never comes. */
function unawaited(action: Promise<void>): void {
  action.catch(() => undefined);
}

async function findButton(
  page: Page,
  { field, frame }: Composer,
  { send_selector }: ChatSelectors,
): Promise<Locator | null> {
  if (send_selector !== undefined) {
    const inPage = locate(page, send_selector);
    return (await inPage.count()) > 0 ? inPage.first() : locate(page, send_selector, frame).first();
  }
  const form = field.locator('xpath=ancestor::form[1]');
  for (const selector of ['button[type="submit"], input[type="submit"]', 'button:not([type])']) {
    const buttons = form.locator(selector).filter({ visible: true });
    if ((await buttons.count()) > 0) return buttons.last();
  }
  return null;
}

/** Whether the message is still where it was written: then nothing has sent it. */
export async function isUnsent({ field }: Composer, message: string): Promise<boolean> {
  const written = await field.inputValue({ timeout: 500 }).catch(() => field.innerText({ timeout: 500 }));
  return written.trim() !== '' && message.trim().startsWith(written.trim().slice(0, 100));
}
