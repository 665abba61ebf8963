import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');
const SOURCES = ['web', 'machines', 'contract', join('src', 'domain'), 'package-lock.json'];

/**
 * The page built from its present sources, in a folder named after them: built once for all test files and later runs that
 * test the same sources.
 */
export async function builtPage(): Promise<string> {
  const folder = join(tmpdir(), `agent-osce-page-${digestOfSources()}`);
  if (existsSync(join(folder, 'index.html'))) return folder;
  const building = await mkdtemp(join(tmpdir(), 'agent-osce-page-'));
  await promisify(execFile)(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'),
      'build',
      ...['--config', join(ROOT, 'web', 'vite.config.mjs')],
      ...['--logLevel', 'warn'],
      ...['--outDir', building],
    ],
    // Jest's NODE_ENV would make a development build of it.
    { cwd: ROOT, timeout: 120_000, env: { ...process.env, NODE_ENV: 'production' } },
  );
  // Another test file may have been quicker; what it built is the same.
  await rename(building, folder).catch(() => rm(building, { recursive: true, force: true }));
  return folder;
}

function digestOfSources(): string {
  const hash = createHash('sha1');
  for (const source of SOURCES)
    for (const path of filesBelow(source)) hash.update(path).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex').slice(0, 16);
}

function filesBelow(path: string): string[] {
  if (path.endsWith('.json')) return [path];
  const entries = readdirSync(join(ROOT, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const below = join(path, entry.name);
    return entry.isDirectory() ? filesBelow(below) : [below];
  });
}
