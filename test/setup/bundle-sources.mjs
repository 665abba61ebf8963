// Makes one file of the service and one of the command, as scripts/bundle-programs.mjs makes of what is built, for the processes that
// tests start: a hundred times 2,000 files otherwise. Prints their folder; what was made of the same sources is taken as it is.
//
// Usage: node --require ./test/setup/register-typescript.cjs test/setup/bundle-sources.mjs
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asWhereItWas, bundleProgram, compileBundle } from '../../scripts/program-bundle.mjs';

const require = createRequire(import.meta.url);
const { compiled } = require('./register-typescript.cjs');
const root = fileURLToPath(new URL('../..', import.meta.url));
const place = join(root, 'node_modules', '.cache', 'agent-osce-programs');

const FOLDERS = ['cli', 'client', 'contract', 'demo', 'machines', 'migrations', 'src'];
const FILES = [
  'package-lock.json',
  'scripts/program-bundle.mjs',
  'scripts/bundled-start.cjs',
  'test/setup/bundle-sources.mjs',
  'test/setup/swc-options.cjs',
];

/** Of all that goes into it. */
function key() {
  const hash = createHash('sha1').update(`${process.version} ${process.arch} ${root}`);
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|json)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const path of [...sources.sort(), ...FILES.map((name) => join(root, name))])
    hash.update(path).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex').slice(0, 20);
}

/** Our modules as the hook compiles them for the tests. */
const ours = {
  name: 'sources',
  load(id) {
    if (!id.endsWith('.ts') || id.includes('/node_modules/')) return null;
    const code = compiled(id).replace(/^#!.*/, '');
    return { code: asWhereItWas(code, id, JSON.stringify), moduleType: 'js' };
  },
};

const PROGRAMS = [
  { source: join(root, 'src', 'main.ts'), name: 'main', trial: ['--help'] },
  { source: join(root, 'cli', 'osce.ts'), name: 'osce', trial: ['runs', 'list', '--help'] },
];

async function make(folder, { source, name, trial }) {
  const target = join(folder, `${name}.bundle.js`);
  const starter = JSON.stringify(join(root, 'scripts', 'bundled-start.cjs'));
  writeFileSync(join(folder, `${name}.js`), `require(${starter}).runBundle(require.resolve('./${name}.bundle.js'));\n`);
  const resolve = { extensions: ['.ts', '.js', '.json'], extensionAlias: { '.js': ['.ts', '.js'] } };
  await bundleProgram({ input: source, target, ours, resolve });
  compileBundle({ target, entry: null, trial, options: ['--require', require.resolve('./register-typescript.cjs')] });
}

/** No run of the tests takes as long. */
const UNUSED_MS = 3_600_000;

function removeUnused() {
  for (const name of readdirSync(place)) {
    const path = join(place, name);
    // Another run may be removing it too.
    const usedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - usedAt > UNUSED_MS) rmSync(path, { recursive: true, force: true });
  }
}

const folder = join(place, key());
if (!existsSync(folder)) {
  mkdirSync(place, { recursive: true });
  removeUnused();
  const unfinished = mkdtempSync(`${folder}-`);
  // Some tests start a program as another user.
  chmodSync(unfinished, 0o755);
  for (const program of PROGRAMS) await make(unfinished, program);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Two runs began at the same time, and the other one was first.
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true, force: true });
  }
}
const now = new Date();
utimesSync(folder, now, now);
process.stdout.write(folder);
