import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, rename, rm, stat, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../../platform/config';

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
 * The package makes its program private, and as root leaves its libraries owned by the user that has its author's user id on this
 * machine. Any user may read and start all of it, and only we may change it.
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

/** Where Linux says which fonts a machine has. A slim container has neither the file nor any font. */
const SYSTEM_FONTS = '/etc/fonts/fonts.conf';

/**
 * Tells the packaged Chromium where its own fonts are: their package looks for them below `/tmp`. Text without any font
 * has no width, so that a page has no visible words at all. The machine's own fonts come first, where it has some.
 * @param folder where the browser is unpacked, with its fonts in `fonts`
 * @returns the path of a configuration for FONTCONFIG_FILE
 */
async function configureFonts(folder: string, systemFonts: string): Promise<string> {
  const path = join(folder, 'agent-osce-fonts.conf');
  const content = configuration(folder, systemFonts);
  const present = await readFile(path, 'utf8').catch(() => null);
  if (present === content) return path;
  // Another process may be starting its browser from the same folder: it never reads half a file.
  const partial = `${path}.${process.pid}.partial`;
  await writeFile(partial, content, { mode: 0o644 });
  await rename(partial, path);
  return path;
}

function configuration(folder: string, systemFonts: string): string {
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    `  <include ignore_missing="yes">${escaped(systemFonts)}</include>`,
    // Where an operator may mount further fonts.
    '  <dir>/usr/local/share/fonts</dir>',
    `  <dir>${escaped(join(folder, 'fonts'))}</dir>`,
    '  <cachedir prefix="xdg">fontconfig</cachedir>',
    '</fontconfig>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The program that is started. */
export interface BrowserProgram {
  readonly path: string;
  readonly args: readonly string[];
  /** Added to the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface BrowserInstallation {
  /** For messages: its path, or where it comes from. */
  readonly name: string;
  /** Where it is, or could be unpacked, best first. Absolute, never empty. */
  readonly paths: readonly string[];
  /**
   * Prepares it to be started from one of `paths`; only the packaged one has work to do, once.
   * @throws Error when it cannot be unpacked
   */
  prepare(path: string, signal: AbortSignal): Promise<BrowserProgram>;
}
