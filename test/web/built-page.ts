import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');
const SOURCES = ['web', 'machines', 'contract', join('src', 'domain'), 'package-lock.json'];

const run = promisify(execFile);

/**
 * The page built from its present sources, in a folder named after them: copied from what `npm run build` made of them, or built once
 * for all test files and later runs that test the same sources.
 */
export async function builtPage(): Promise<string> {
  const folder = join(tmpdir(), `agent-osce-page-${digestOfSources()}`);
  if (existsSync(join(folder, 'index.html'))) return folder;
  const building = await mkdtemp(join(tmpdir(), 'agent-osce-page-'));
  if (await isBuilt()) await cp(join(ROOT, 'dist', 'web'), building, { recursive: true });
  else await build(building);
  // Another test file may have been quicker; what it built is the same.
  await rename(building, folder).catch(() => rm(building, { recursive: true, force: true }));
  return folder;
}

/** Whether dist/ was built from the sources as they are now. */
function isBuilt(): Promise<boolean> {
  return run(process.execPath, [join(ROOT, 'scripts', 'built-from.mjs'), '--check'], { timeout: 120_000 }).then(
    () => true,
    () => false,
  );
}

async function build(folder: string): Promise<void> {
  await run(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'),
      'build',
      ...['--config', join(ROOT, 'web', 'vite.config.mjs')],
      ...['--logLevel', 'warn'],
      ...['--outDir', folder],
    ],
    // Jest's NODE_ENV would make a development build of it.
    { cwd: ROOT, timeout: 120_000, env: { ...process.env, NODE_ENV: 'production' } },
  );
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
