import type { Browser } from 'playwright-core';

/** The process id of the browser itself, to kill it when it does not respond; null when it is not known. */
export async function pidOf(browser: Browser): Promise<number | null> {
  try {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    return processInfo.find(({ type }) => type === 'browser')?.id ?? null;
  } catch {
    return null;
  }
}

/** Ends a process that may have stopped responding. */
export function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** Waits for work that may fail, or never end. */
export async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  const done = work.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([done, late]);
  clearTimeout(timer);
}
