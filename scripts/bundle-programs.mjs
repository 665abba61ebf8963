// Makes one file of each program that should start quickly, of its built modules. `npm run build` calls it once dist/ is compiled; the
// program's own file then starts the bundle (bundled-start.cjs).
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asWhereItWas, bundleProgram, compileBundle } from './program-bundle.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

const PROGRAMS = [
  { file: join(dist, 'src', 'main.js'), entry: null, trial: ['--help'] },
  { file: join(dist, 'cli', 'run-command.js'), entry: 'runCommand', trial: ['runs', 'list', '--help'] },
];
/** What the program's own file says once its bundle stands beside it. */
const STARTS_BUNDLE = '.runBundle(';

async function bundle({ file, entry, trial }) {
  if (readFileSync(file, 'utf8').includes(STARTS_BUNDLE))
    throw new Error(`${file} starts a bundle already: npm run build compiles it anew.`);
  const folder = dirname(file);
  const target = file.replace(/\.js$/, '.bundle.js');
  const place = (path) => `require("node:path").join(__dirname, ${JSON.stringify(relative(folder, path))})`;
  const transform = (code, id) => (id.startsWith(`${dist}/`) ? asWhereItWas(code, id, place) : null);
  await bundleProgram({ input: file, target, ours: { name: 'places', transform } });
  const started = `require(${JSON.stringify(`${relative(folder, dist)}/bundled-start.cjs`)})${STARTS_BUNDLE}require.resolve(${JSON.stringify(`./${basename(target)}`)}))`;
  writeFileSync(file, entry === null ? `${started};\n` : `exports.${entry} = ${started}.${entry};\n`);
  rmSync(`${file}.map`, { force: true });
  compileBundle({ target, entry, trial });
}

copyFileSync(join(root, 'scripts', 'bundled-start.cjs'), join(dist, 'bundled-start.cjs'));
for (const program of PROGRAMS) await bundle(program);
