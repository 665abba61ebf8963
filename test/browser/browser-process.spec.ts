import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, silentLog } from '../../src/platform/config/log';
import { chooseBrowser, type BrowserChoice, findBrowser } from '../../src/agents/browser/browser-choice';
import { BrowserProcess, type BrowserLimits } from '../../src/agents/browser/browser-process';
import { allowsNamespaces, otherUser } from '../../src/agents/browser/browser-user';
import { findPackagedChromium } from '../../src/agents/browser/packaged-chromium';
import { TargetGuard } from '../../src/platform/targets/target-guard';
import { startFakeChatPage, type FakeChatPage } from '../fakes/chat-page';
import { hang } from '../fakes/misbehaviour';
import { TEST_BROWSER_DIR } from '../setup/browser';
import { openBrowserBench, type BrowserBench } from '../setup/browser-bench';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { eventually } from '../setup/eventually';
import { unaborted } from '../agents/provider.contract';

const AGENT = { message_selector: '.message.agent' };

describeWithBrowser('the browser of a process', () => {
  let page: FakeChatPage;
  const benches: BrowserBench[] = [];
  const stopped: number[] = [];
  beforeEach(async () => {
    page = await startFakeChatPage();
  });
  afterEach(async () => {
    for (const pid of stopped.splice(0).filter(isAlive)) process.kill(pid, 'SIGKILL');
    await Promise.all(benches.splice(0).map((bench) => bench.close()));
    await page.close();
  });
  const open = (): BrowserBench => {
    const bench = openBrowserBench();
    benches.push(bench);
    return bench;
  };
  const newBrowser = (limits?: BrowserLimits): BrowserProcess =>
    new BrowserProcess(
      () => chooseTestBrowser(process.env['BROWSER_EXECUTABLE']),
      TEST_BROWSER_DIR,
      TargetGuard.local(),
      silentLog,
      limits,
    );

  it('is one for all conversations, which know nothing of each other', async () => {
    const browser = newBrowser();
    const [a, b] = await Promise.all([browser.openContext({}, unaborted()), browser.openContext({}, unaborted())]);
    expect(a.context.browser()).toBe(b.context.browser());
    await a.context.addCookies([{ name: 'sid', value: '1', url: page.baseUrl }]);
    expect(await b.context.cookies()).toEqual([]);
    await Promise.all([a.close(), b.close()]);
    await browser.close();
  });

  it('says nothing that nobody asked for, and no answer that is too large: its gate stands before it', async () => {
    const browser = newBrowser();
    const { page: empty } = await browser.openContext({}, unaborted());
    const heard: string[] = [];
    empty.on('console', (message) => heard.push(message.text()));
    empty.on('pageerror', (error) => heard.push(error.message));
    await empty.evaluate(`console.log('a line'); setTimeout(() => { throw new Error('an error') })`);
    expect(await empty.evaluate(`new Promise((resolve) => setTimeout(resolve, 50, 'an answer'))`)).toBe('an answer');
    const tooLong = await empty.evaluate(`'x'.repeat(9_000_000)`).catch(() => 'refused');
    const next = await empty.evaluate('1 + 1');
    await browser.close();
    expect({ heard, tooLong, next }).toEqual({ heard: [], tooLong: 'refused', next: 2 });
  });

  it('is started again when it has died; its conversations end with a typed error', async () => {
    const browser = newBrowser();
    const { context } = await browser.openContext({}, unaborted());
    const session = await context.browser()?.newBrowserCDPSession();
    await session?.send('Browser.crash').catch(() => undefined);
    await eventually(() => expect(context.browser()?.isConnected()).toBe(false));
    const again = await browser.openContext({}, unaborted());
    expect(again.context.browser()?.isConnected()).toBe(true);
    await browser.close();
  });

  it('is ended when it stops answering, and another one takes its place', async () => {
    const browser = newBrowser({ contexts: 1, answerWithinMs: 5_000 });
    const first = await browser.openContext({}, unaborted());
    await first.close();
    stopped.push(...browsersOf(process.pid));
    expect(stopped).toHaveLength(1);
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    const next = await browser.openContext({}, unaborted());
    expect(next.context.browser()).not.toBe(first.context.browser());
    await eventually(() => expect(stopped.filter(isAlive)).toEqual([]));
    await next.close();
    await browser.close();
  });

  it('frees the place of one who leaves while it does not answer', async () => {
    const browser = newBrowser({ contexts: 1, answerWithinMs: 600_000 });
    await (await browser.openContext({}, unaborted())).close();
    stopped.push(...browsersOf(process.pid));
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    const abort = new AbortController();
    const stuck = browser.openContext({}, abort.signal);
    setTimeout(() => abort.abort(), 200);
    await expect(stuck).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    const next = await browser.openContext({}, unaborted());
    // What was asked for in vain is closed when it comes.
    await eventually(() => expect(next.context.browser()?.contexts()).toEqual([next.context]));
    await next.close();
    await browser.close();
  });

  it('ends a message in flight with its pages, and takes the next conversation', async () => {
    const bench = open();
    const session = await bench.connect({ url: page.baseUrl, ...AGENT, turn_timeout_ms: 30_000 });
    page.next(hang());
    const ended = expect(session.send('Hello.', unaborted())).rejects.toMatchObject({
      code: 'provider_error',
      message: expect.stringContaining('browser ended'),
    });
    await page.until(() => page.inFlight === 1);
    for (const pid of browsersOf(process.pid)) process.kill(pid, 'SIGKILL');
    await ended;
    await session.close();
    const next = await bench.connect({ url: page.baseUrl, ...AGENT });
    expect((await next.send('Hello.', unaborted())).content).toBe('You said: Hello.');
    await next.close();
  });

  it('ends with its owner, also when that is killed', async () => {
    const owner = spawn(
      process.execPath,
      [
        '--require',
        join(__dirname, '../setup/register-typescript.cjs'),
        join(__dirname, '../setup/browser-owner.ts'),
        page.baseUrl,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    expect(line.toString()).toBe('ready\n');
    const browsers = browsersOf(owner.pid ?? 0);
    expect(browsers.length).toBeGreaterThan(0);
    owner.kill('SIGKILL');
    await eventually(() => expect(browsers.filter(isAlive)).toEqual([]));
  });

  it('is gone when the service has stopped, and opens nothing later', async () => {
    const bench = open();
    await bench.connect({ url: page.baseUrl });
    const browsers = browsersOf(process.pid);
    expect(browsers.length).toBeGreaterThan(0);
    await bench.close();
    await eventually(() => expect(browsers.filter(isAlive)).toEqual([]));
    await expect(bench.connect({ url: page.baseUrl })).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
  });

  it('opens no page for one who has left', async () => {
    const bench = open();
    await expect(bench.connect({ url: page.baseUrl }, AbortSignal.abort())).rejects.toMatchObject({
      disposition: { kind: 'canceled' },
    });
    const abort = new AbortController();
    const connecting = bench.connect({ url: page.baseUrl }, abort.signal);
    setImmediate(() => abort.abort());
    await expect(connecting).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    await page.until(() => page.openSockets === 0);
  });
});

const packaged = findPackagedChromium(TEST_BROWSER_DIR);
(packaged === null ? describe.skip : describe)('the Chromium from npm (for Linux on x64)', () => {
  it('is unpacked once and holds a conversation, in its sandbox where the system grants one', async () => {
    const choose = (): BrowserChoice => chooseTestBrowser(undefined, []);
    const { chosen } = choose();
    expect(chosen?.name).toContain('@sparticuz/chromium');
    const page = await startFakeChatPage();
    const browser = new BrowserProcess(choose, TEST_BROWSER_DIR, TargetGuard.local(), silentLog);
    const opened = await browser.openContext({}, unaborted());
    const tab = await opened.context.newPage();
    await tab.goto(page.baseUrl);
    expect(await tab.locator('h2').innerText()).toBe('Clinic chat');
    expect(browser.isSandboxed).toBe(allowsNamespaces(chosen?.user ?? null));
    await opened.close();
    await browser.close();
    await page.close();
  });
});

describe('a browser that does not start', () => {
  it.each([
    ['Check failed: no room for a sandbox', 'no room for a sandbox'],
    // Of this one the library makes a sentence of its own.
    ['No usable sandbox! Update your kernel', 'Chromium sandboxing failed'],
  ])('has the reason in the log, not the command line that it was started with: %s', async (words, reason) => {
    const folder = await mkdtemp(join(tmpdir(), 'agent-osce-browser-test-'));
    await chmod(folder, 0o755);
    const program = join(folder, 'browser');
    await writeFile(program, `#!/bin/sh\necho '${words}' >&2\nexit 133\n`, { mode: 0o755 });
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => lines.push(line) });
    const choose = (): BrowserChoice => chooseTestBrowser(program);
    const browser = new BrowserProcess(choose, TEST_BROWSER_DIR, TargetGuard.local(), log);
    await expect(browser.openContext({}, unaborted())).rejects.toThrow('The browser could not be started');
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'The browser does not start with its sandbox here; starting it without',
      'The browser could not be started',
    ]);
    for (const line of lines) {
      expect(line).toContain(reason);
      expect(line).not.toContain('<launching>');
    }
    await browser.close();
    await rm(folder, { recursive: true });
  });
});

describe('looking for a browser', () => {
  const dataDir = TEST_BROWSER_DIR;

  it('takes the configured one and no other', () => {
    expect(findBrowser({ configured: process.execPath, dataDir }).found?.name).toBe(process.execPath);
    expect(findBrowser({ configured: __dirname, dataDir })).toEqual({
      found: null,
      reason: expect.stringContaining('BROWSER_EXECUTABLE'),
    });
  });

  it('takes the first that is installed, else the one from npm, else says what to install', () => {
    const places = ['/nowhere/chromium', __filename, process.execPath];
    expect(findBrowser({ configured: null, dataDir, usualPlaces: places }).found?.name).toBe(process.execPath);
    const search = findBrowser({ configured: null, dataDir, usualPlaces: [] });
    if (packaged !== null) expect(search.found?.name).toContain('@sparticuz/chromium');
    else expect(search).toMatchObject({ found: null, reason: expect.stringContaining('install Chromium') });
  });
});

/** The browser that a service of these settings drives here. */
function chooseTestBrowser(configured: string | undefined, usualPlaces?: readonly string[]): BrowserChoice {
  const places = usualPlaces === undefined ? {} : { usualPlaces };
  const options = { configured: configured ?? null, dataDir: TEST_BROWSER_DIR, allowNoSandbox: true, ...places };
  return chooseBrowser(options, otherUser());
}

/** Browsers that this process started, each behind its gate, and that were not ended: by Linux's own list of processes. */
function browsersOf(owner: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args=']);
  const all = stdout
    .toString()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .map((match) => ({ pid: Number(match?.[1]), ppid: Number(match?.[2]), args: match?.[3] ?? '' }));
  const gates = all.filter(({ ppid, args }) => ppid === owner && args.includes('gate-program'));
  return all
    .filter(({ ppid, args }) => gates.some(({ pid }) => pid === ppid) && /chrom|edge/i.test(args))
    .map(({ pid }) => pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
