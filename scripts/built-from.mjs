// What dist/ was built from: a hash over every source file that goes into it, kept beside what came out.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['bench', 'cli', 'client', 'contract', 'demo', 'machines', 'migrations', 'src', 'web'];
const FILES = [
  'nest-cli.json',
  'package-lock.json',
  'package.json',
  'scripts/bundle-programs.mjs',
  'scripts/program-bundle.mjs',
  'scripts/bundled-start.cjs',
  'tsconfig.json',
  'tsconfig.build.json',
];
const STAMP = join(ROOT, 'dist', '.built-from');

function sources() {
  const hash = createHash('sha256');
  const within = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const path of [...within.sort(), ...FILES.map((name) => join(ROOT, name))]) {
    hash.update(path.slice(ROOT.length)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/** Whether dist/ is there and was built from the sources as they are now. */
export function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources();
}

// `npm run build` calls this file once everything else has been built; with --check it fails where that is not so.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) process.exitCode = isBuilt() ? 0 : 1;
  else writeFileSync(STAMP, sources());
}
