import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../../platform/config/child-environment';
import type { BrowserInstallation, BrowserProgram } from './browser-program';
import { configureFonts, SYSTEM_FONTS } from './packaged-fonts';

/** Comes compressed (64 MB) and is unpacked to 200 MB; takes three seconds, more on a slow disk. */
const UNPACK_WITHIN_MS = 120_000;

/**
 * What the child process does. The package unpacks into the temporary folder, which all users of a machine share
 * and which may be emptied at any time; a child can be given another one. With FULL_ENVIRONMENT set, it also unpacks the
 * libraries that a slim container lacks.
 */
const UNPACK =
  'require(process.argv[1]).executablePath().catch((error) => { console.error(error.message); process.exit(1); })';
const FULL_ENVIRONMENT = 'AWS_Lambda_nodejs20.x';

/** Where root keeps what can be recreated. Private folders, such as root's home, cannot hold what another user starts. */
const SYSTEM_CACHE = '/var/cache/agent-osce';

/**
 * The Chromium of the npm package @sparticuz/chromium: built for Linux on x64, needs no system libraries and no fonts.
 * @param systemFonts for tests: instead of this machine's list of fonts
 */
export function findPackagedChromium(dataDir: string, systemFonts = SYSTEM_FONTS): BrowserInstallation | null {
  const entry = packageEntry();
  if (entry === null) return null;
  const folders = process.getuid?.() === 0 ? [dataDir, SYSTEM_CACHE] : [dataDir];
  const unpacked = `chromium-${versionOf(entry)}`;
  return {
    name: 'the Chromium from npm (@sparticuz/chromium)',
    paths: folders.map((folder) => join(resolve(folder), unpacked, 'chromium')),
    prepare: (path, signal) => prepare(entry, path, systemFonts, signal),
  };
}

function packageEntry(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  try {
    return require.resolve('@sparticuz/chromium');
  } catch {
    return null;
  }
}

async function prepare(entry: string, path: string, systemFonts: string, signal: AbortSignal): Promise<BrowserProgram> {
  const folder = dirname(path);
  if (!existsSync(folder)) await unpack(entry, folder, signal);
  return {
    path,
    args: ['--headless=shell', '--disable-gpu', '--font-render-hinting=none'],
    environment: {
      LD_LIBRARY_PATH: [folder, join(folder, 'al2023', 'lib')].join(':'),
      FONTCONFIG_FILE: await configureFonts(folder, systemFonts),
    },
  };
}

/** A half-unpacked browser is never taken for a whole one: it becomes `folder` by a rename. */
async function unpack(entry: string, folder: string, signal: AbortSignal): Promise<void> {
  const partial = `${folder}.${process.pid}.partial`;
  try {
    await mkdir(partial, { recursive: true, mode: 0o755 });
    await promisify(execFile)(process.execPath, ['-e', UNPACK, entry], {
      env: { ...childEnvironment(), TMPDIR: partial, AWS_EXECUTION_ENV: FULL_ENVIRONMENT },
      timeout: UNPACK_WITHIN_MS,
      signal,
    });
    await openToRead(partial);
    await rename(partial, folder).catch((error: unknown) => {
      // Another process was faster; its copy is just as good.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/**
 * The package makes its program private, and as root leaves its libraries owned by whoever has its author's user id here.
 * Any user may read and start all of it, and no one but ourselves may change it.
 */
async function openToRead(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true });
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  for (const path of [folder, ...entries.map((entry) => join(folder, entry))]) {
    const { mode } = await stat(path);
    await chown(path, own.uid, own.gid);
    const opened = (mode & 0o100) === 0 ? 0o644 : 0o755;
    await chmod(path, opened);
  }
}

function versionOf(entry: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(entry, '..', '..', '..', 'package.json'), 'utf8'));
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return 'unknown';
  return String(manifest.version);
}
