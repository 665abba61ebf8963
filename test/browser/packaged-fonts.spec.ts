import { chromium, type Browser, type Page } from 'playwright-core';
import { z } from 'zod';
import { findPackagedChromium } from '../../src/agents/browser/packaged-chromium';
import { TEST_BROWSER_DIR } from '../setup/browser';

/** As in a slim container, which has neither a list of fonts nor any font. */
const NO_FONTS = '/nowhere/fonts.conf';

const packaged = findPackagedChromium(TEST_BROWSER_DIR, NO_FONTS);

(packaged === null ? describe.skip : describe)('the Chromium from npm, on a machine without fonts', () => {
  let browser: Browser;
  beforeAll(async () => {
    const program = await packaged?.prepare(packaged.paths[0] ?? '', new AbortController().signal);
    browser = await chromium.launch({
      executablePath: program?.path ?? '',
      args: [...(program?.args ?? [])],
      env: { ...process.env, ...program?.environment },
    });
  });
  afterAll(() => browser.close());

  it('shows words in the fonts that come with it: without any, a page has no visible words', async () => {
    const page = await browser.newPage();
    await page.setContent('<p style="font-family: serif">Since when does it hurt?</p>');
    expect(await page.locator('p').innerText()).toBe('Since when does it hurt?');
    expect(await fontsOf(page, 'p')).toEqual(['Open Sans']);
  });
});

/** The fonts that Chromium drew an element's words with. */
async function fontsOf(page: Page, selector: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  return z
    .array(z.object({ familyName: z.string() }))
    .parse(fonts)
    .map(({ familyName }) => familyName);
}
