import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/platform/config/log';
import { describeBrowser } from '../../src/agents/browser/browser.provider';
import { chooseBrowser } from '../../src/agents/browser/browser-choice';
import { BrowserProcess } from '../../src/agents/browser/browser-process';
import { allowsNamespaces, otherUser, type BrowserUser } from '../../src/agents/browser/browser-user';
import { TargetGuard } from '../../src/platform/targets/target-guard';
import { TEST_BROWSER_DIR } from '../setup/browser';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { eventually } from '../setup/eventually';
import { unaborted } from '../agents/provider.contract';

const isRoot = process.getuid?.() === 0;
const options = { dataDir: TEST_BROWSER_DIR, allowNoSandbox: false };

describeWithBrowser('whom the browser belongs to', () => {
  const user = otherUser();
  let browser: BrowserProcess;
  beforeEach(() => {
    const configured = process.env['BROWSER_EXECUTABLE'] ?? null;
    const choose = () => chooseBrowser({ ...options, configured }, user);
    browser = new BrowserProcess(choose, TEST_BROWSER_DIR, TargetGuard.local(), silentLog);
  });
  afterEach(async () => {
    await browser.close();
    delete process.env['SERVICE_API_KEY'];
  });

  it('is a user without any power when the service is root, and holds no setting of the service', async () => {
    process.env['SERVICE_API_KEY'] = 'a-key-that-no-page-may-see';
    await browser.openContext({}, unaborted());
    const [pid, ...others] = descendantsOf(process.pid).filter(
      ({ args }) => /chrom|edge/i.test(args) && !args.includes('gate-program'),
    );
    expect(others.length).toBeGreaterThan(0);
    const environment = readFileSync(`/proc/${pid?.pid}/environ`, 'utf8').split('\0');
    expect(environment.join('\n')).not.toContain('a-key-that-no-page-may-see');
    expect(environment.map((line) => line.split('=')[0])).not.toContain('DATABASE_URL');
    const uid = String(isRoot ? user?.uid : process.getuid?.());
    const status = statusOf(pid?.pid ?? 0);
    expect(status).toMatchObject({ Uid: [uid, uid, uid, uid].join('\t'), CapEff: '0000000000000000' });
    if (isRoot) expect(status).toMatchObject({ Groups: '', CapPrm: '0000000000000000', CapAmb: '0000000000000000' });
  });

  it('keeps its pages in a sandbox where the kernel grants one, and says so', async () => {
    await browser.openContext({}, unaborted());
    const renderer = descendantsOf(process.pid).find(({ args }) => args.includes('--type=renderer'));
    const isGranted = allowsNamespaces(user) === true;
    expect(browser.isSandboxed).toBe(isGranted);
    // 2: system calls are filtered.
    expect(statusOf(renderer?.pid ?? 0)['Seccomp']).toBe(isGranted ? '2' : '0');
  });

  it('leaves no profile behind', async () => {
    await browser.openContext({}, unaborted());
    const started = descendantsOf(process.pid).find(({ args }) => args.includes('--user-data-dir='));
    const profile = /--user-data-dir=(\S+)/.exec(started?.args ?? '')?.[1] ?? '';
    expect(existsSync(profile)).toBe(true);
    await browser.close();
    await eventually(() => expect(existsSync(profile)).toBe(false));
  });
});

describe('a browser as root without a sandbox', () => {
  const folders: string[] = [];
  afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

  function programIn(mode: number): string {
    const folder = mkdtempSync(join(tmpdir(), 'osce-browser-'));
    folders.push(folder);
    writeFileSync(join(folder, 'chromium'), '#!/bin/sh\n', { mode: 0o755 });
    chmodSync(folder, mode);
    return join(folder, 'chromium');
  }
  const nobodyElse: BrowserUser = { uid: 65_533, gid: 65_533, canReach: () => false };

  it('is refused with what to do when no other user can start it', () => {
    const configured = programIn(0o700);
    const choice = chooseBrowser({ ...options, configured }, otherUser() ?? nobodyElse);
    expect(choice).toEqual({
      chosen: null,
      reason: expect.stringMatching(/runs as root.*no other user can start.*BROWSER_ALLOW_NO_SANDBOX=true/),
    });
    expect(describeBrowser(choice, true)).toMatchObject({ available: false });
  });

  it('is started when it is allowed, and health tells', () => {
    const configured = programIn(0o700);
    const choice = chooseBrowser({ ...options, configured, allowNoSandbox: true }, otherUser() ?? nobodyElse);
    expect(choice.chosen).toMatchObject({ user: null, sandbox: false });
    expect(describeBrowser(choice, null)).toEqual({
      available: true,
      isLimited: true,
      detail: expect.stringMatching(/as root and without a sandbox/),
    });
  });

  it('need not be when another user can start it, even when it is allowed', () => {
    const everyone: BrowserUser = { ...nobodyElse, canReach: () => true };
    const configured = programIn(0o755);
    const { chosen } = chooseBrowser({ ...options, configured, allowNoSandbox: true }, otherUser() ?? everyone);
    expect(chosen).toMatchObject({ user: { uid: expect.any(Number) }, sandbox: true });
  });

  it('is no question for a service that is not root', () => {
    const { chosen } = chooseBrowser({ ...options, configured: programIn(0o700) }, null);
    expect(chosen).toMatchObject({ user: null, sandbox: true });
  });
});

describe('what health says of a browser', () => {
  const choice = chooseBrowser({ ...options, configured: process.execPath }, null);

  it.each([
    [true, undefined, /in its sandbox\.$/],
    [null, undefined, /examined with \S+\.$/],
    [false, true, /without a sandbox.*user namespace/],
  ])('when its sandbox is there: %s', (hasSandbox, isLimited, sentence) => {
    const said = describeBrowser(choice, hasSandbox);
    expect(said).toEqual({
      available: true,
      ...(isLimited === undefined ? {} : { isLimited }),
      detail: expect.stringMatching(sentence),
    });
  });
});

interface Listed {
  readonly pid: number;
  readonly ppid: number;
  readonly args: string;
}

function descendantsOf(ancestor: number): Listed[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args=']);
  const all = stdout
    .toString()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .map((match) => ({ pid: Number(match?.[1]), ppid: Number(match?.[2]), args: match?.[3] ?? '' }));
  const below = (parent: number): Listed[] =>
    all.filter(({ ppid }) => ppid === parent).flatMap((child) => [child, ...below(child.pid)]);
  return below(ancestor);
}

/** What Linux tells of a process. */
function statusOf(pid: number): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
  return Object.fromEntries(lines.map((line) => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 1).trim()]));
}
