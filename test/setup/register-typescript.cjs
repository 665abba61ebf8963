// node -r ./test/setup/register-typescript.cjs file.ts: runs TypeScript in a process of its own, as specs are run.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');
const options = require('./swc-options.cjs');

// Tests start the same programs a hundred times: each file is compiled once, and the compiler loaded only for that.
const cache = join(__dirname, '..', '..', 'node_modules', '.cache', 'agent-osce-typescript');
const optionsKey = JSON.stringify(options);

/** Where the map of each file's compiled lines to its own lines stands, by the file's path. */
const sourceMaps = new Map();

/** What is compiled instead of a file's own text, by the file's path: `npm run mutation` puts its faults there. */
const sourcesInstead = new Map();

// What is imported only when it is needed is named as it will be built.
const resolve = Module._resolveFilename;
Module._resolveFilename = (request, parent, ...others) => {
  const isOurs = /^\.{1,2}\/.*\.js$/.test(request) && parent?.filename?.endsWith('.ts') === true;
  return resolve(isOurs ? request.replace(/\.js$/, '') : request, parent, ...others);
};

require.extensions['.ts'] = (module, filename) => {
  module._compile(compiled(filename), filename);
};

/** The JavaScript of a file. */
function compiled(filename) {
  const source = sourcesInstead.get(filename) ?? readFileSync(filename, 'utf8');
  const path = compiledPath(source, filename);
  sourceMaps.set(filename, mapOf(path));
  return read(path) ?? compile(source, filename, path);
}

/** Compiles the files that have changed since they were last compiled. Otherwise each worker of a fresh checkout compiles nearly all of them. */
async function compileAll(filenames) {
  const { transform } = require('@swc/core');
  const left = filenames[Symbol.iterator]();
  const inTurn = async () => {
    for (const filename of left) {
      const source = readFileSync(filename, 'utf8');
      const path = compiledPath(source, filename);
      // What does not compile is told by the spec that needs it.
      if (!existsSync(path))
        await transform(source, optionsOf(filename)).then(
          (it) => keep(it, path),
          () => undefined,
        );
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, inTurn));
}

function compiledPath(source, filename) {
  const key = createHash('sha1').update(`${optionsKey}\n${filename}\n${source}`).digest('hex');
  return join(cache, `${key}.js`);
}

function mapOf(path) {
  return path.replace(/\.js$/, '.map');
}

function optionsOf(filename) {
  return { filename, swcrc: false, ...options };
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function compile(source, filename, path) {
  const result = require('@swc/core').transformSync(source, optionsOf(filename));
  keep(result, path);
  return result.code;
}

function keep({ code, map }, path) {
  try {
    mkdirSync(cache, { recursive: true });
    write(mapOf(path), map);
    write(path, code);
  } catch {
    // A user who may not write here compiles every time.
  }
}

/** Renamed into place: another process may be reading. */
function write(path, text) {
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

module.exports = { compileAll, compiled, sourceMaps, sourcesInstead };
