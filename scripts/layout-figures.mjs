// The figures of the source's layout in docs/architecture.md: `node scripts/layout-figures.mjs [checkout]`, of this one when none is named.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cruise } from 'dependency-cruiser';

const checkout = resolve(process.argv[2] ?? '.');
const foldersIn = (path) => readdirSync(join(checkout, path), { withFileTypes: true }).filter((it) => it.isDirectory());
const linesOf = (path) => readFileSync(join(checkout, path), 'utf8').split('\n').length - 1;

const { output } = await cruise(
  ['contract', 'machines', 'src', 'migrations', 'web/src', 'cli', 'demo'].filter((path) =>
    existsSync(join(checkout, path)),
  ),
  {
    baseDir: checkout,
    tsPreCompilationDeps: true,
    exclude: { path: '^(dist|node_modules)/' },
  },
);
const isDoor = (path) => path.endsWith('/index.ts');
const files = output.modules
  .filter(({ source }) => /^(contract|src|machines)\/.*[.]ts$/.test(source))
  .map(({ source, dependents }) => ({ source, importers: dependents, lines: linesOf(source) }));
const lines = (some) => some.reduce((sum, file) => sum + file.lines, 0);

console.log(
  `files                   ${files.length}, of which doors ${files.filter(({ source }) => isDoor(source)).length}`,
);
console.log(`lines                   ${lines(files)}`);
console.log(`files per 1,000 lines   ${((1_000 * files.length) / lines(files)).toFixed(1)}`);
console.log(`longest file            ${Math.max(...files.map((file) => file.lines))} lines`);
console.log(
  `files with one importer ${files.filter(({ importers }) => importers.length === 1 && !isDoor(importers[0])).length}`,
);
console.log('\nfolder of src           folders  files  lines');
for (const name of ['contract', 'machines', ...foldersIn('src').map((folder) => `src/${folder.name}`)]) {
  const inside = files.filter(({ source }) => source.startsWith(`${name}/`));
  const numbers = [inside.length && foldersIn(name).length, inside.length, lines(inside)];
  console.log(`${name.padEnd(24)}${numbers.map((number) => String(number).padStart(7)).join('')}`);
}
