// Bundles the command into packages/command/dist: one file for every Node that is supported, and the licences of what is in it.
// `npm pack ./packages/command` calls it, and then packs what CI jobs install that reach a service elsewhere.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const command = join(root, 'packages', 'command');
const folder = join(command, 'dist');

rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: join(root, 'cli', 'osce.ts'),
  platform: 'node',
  transform: { target: 'node20' },
  // A command that starts what it does not have would fail in a job, not here.
  onLog: (level, log, next) => {
    if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    next(level, log);
  },
});
const { output } = await bundle.write({
  file: join(folder, 'osce.js'),
  format: 'cjs',
  minify: { compress: true, mangle: false, codegen: true },
  codeSplitting: false,
  comments: { legal: false },
});
await bundle.close();

const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
const packages = [...new Set(modules.map(packageFolder).filter((path) => path !== null))].sort();
writeFileSync(join(folder, 'LICENSES.txt'), packages.map(licence).join(`\n${'-'.repeat(80)}\n\n`));
copyFileSync(join(root, 'LICENSE'), join(command, 'LICENSE'));

/** The folder of the npm package that a bundled file is of; null for our own. */
function packageFolder(file) {
  const at = file.lastIndexOf('/node_modules/');
  if (at === -1) return null;
  const [scope, name] = file.slice(at + '/node_modules/'.length).split('/');
  return join(file.slice(0, at), 'node_modules', scope, scope.startsWith('@') ? name : '');
}

function licence(path) {
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const file = readdirSync(path).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? '' : `\n${readFileSync(join(path, file), 'utf8').trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}
