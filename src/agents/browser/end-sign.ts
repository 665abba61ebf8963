import type { Frame, Page } from 'playwright-core';
import { locate, namesFrame, type ChatSelectors } from './selectors';

/** What a page shows when its agent has ended the conversation, by the config's selector; without one nothing does. */
export class EndSign {
  constructor(
    private readonly page: Page,
    private readonly selectors: ChatSelectors,
    /** Of the input: a chat in a frame has its signs there. */
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
