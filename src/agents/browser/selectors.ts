import type { Frame, Locator, Page } from 'playwright-core';
import { ProviderError } from '../errors';

/** The selectors of an agent's config; where undefined, the element is found by inspecting the page. */
export interface ChatSelectors {
  readonly input_selector?: string | undefined;
  readonly send_selector?: string | undefined;
  readonly message_selector?: string | undefined;
  readonly end_selector?: string | undefined;
}

/**
 * The element that a selector of the config refers to. CSS selectors see into open shadow roots by themselves; `frame >> selector`
 * looks inside the frame that the first part names, and so on for frames within frames.
 * @param elsewhere where a selector that names no frame is searched
 */
export function locate(page: Page, selector: string, elsewhere: Page | Frame = page): Locator {
  const parts = selector.split('>>').map((part) => part.trim());
  const last = parts.pop() ?? '';
  const [first, ...inner] = parts;
  if (first === undefined) return elsewhere.locator(last);
  let frame = page.frameLocator(first);
  for (const part of inner) frame = frame.frameLocator(part);
  return frame.locator(last);
}

export function namesFrame(selector: string): boolean {
  return selector.includes('>>');
}

/**
 * Refuses selectors that the browser does not understand.
 * @param blank an empty page, where a failure has no other cause
 * @throws ProviderError `config_invalid` naming the fields
 */
export async function checkSelectors(blank: Page, selectors: ChatSelectors): Promise<void> {
  const wrong: string[] = [];
  for (const [field, selector] of Object.entries(selectors)) {
    if (selector === undefined) continue;
    await locate(blank, String(selector))
      .count()
      .catch(() => wrong.push(`${field} is not a selector that the browser understands`));
  }
  if (wrong.length === 0) return;
  throw new ProviderError('config_invalid', `The agent's config cannot be used: ${wrong.join('; ')}.`);
}

/** What a page shows when its agent has ended the conversation, by the config's selector; without one nothing does. */
export class EndSign {
  constructor(
    private readonly page: Page,
    private readonly selectors: ChatSelectors,
    /** The frame of the input: a chat in a frame has its signs there. */
    private readonly frame: Frame = page.mainFrame(),
  ) {}

  async isShown(): Promise<boolean> {
    const { end_selector: selector } = this.selectors;
    if (selector === undefined) return false;
    const places = namesFrame(selector) ? [this.page] : [...new Set([this.page.mainFrame(), this.frame])];
    for (const place of places) {
      if ((await locate(this.page, selector, place).filter({ visible: true }).count()) > 0) return true;
    }
    return false;
  }
}
