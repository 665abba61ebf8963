import type { Page } from 'playwright-core';

/** Enough for a page full of images; anything larger is not kept. */
const MAX_BYTES = 1024 * 1024;
const WITHIN_MS = 3_000;

/** What the page shows now, as JPEG, with password fields covered. Null when it cannot be taken: a page may be gone, or stuck. */
export async function takeScreenshot(page: Page): Promise<Uint8Array | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, WITHIN_MS, null);
  });
  try {
    return await Promise.race([take(page), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

async function take(page: Page): Promise<Uint8Array | null> {
  for (const quality of [60, 20]) {
    const mask = page
      .frames()
      .slice(0, 20)
      .map((frame) => frame.locator('input[type="password"]'));
    const jpeg = await page.screenshot({
      type: 'jpeg',
      quality,
      mask,
      timeout: WITHIN_MS,
      animations: 'disabled',
      scale: 'css',
    });
    if (jpeg.length <= MAX_BYTES) return jpeg;
  }
  return null;
}
