// Starts a program from the one file that scripts/program-bundle.mjs has made of its modules, with the compiled form of it that V8 has
// stored beside it. V8 compares release, processor and flags, and compiles the file itself where one of them differs.
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

/** Runs the bundle, and answers what it exports. `afterwards` is given the script, from which the compiled form is made. */
function runBundle(file, afterwards = () => undefined) {
  // The bundle is written in ASCII, so that V8 keeps it with one byte a character.
  const source = readFileSync(file, 'latin1');
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    cachedData: compiledForm(file),
  });
  const bundle = { exports: {} };
  script.runInThisContext()(bundle.exports, createRequire(file), bundle, file, dirname(file));
  afterwards(script);
  return bundle.exports;
}

function compiledForm(file) {
  try {
    return readFileSync(`${file}.v8`);
  } catch {
    return undefined;
  }
}

module.exports = { runBundle };
