// node -r ./test/setup/register-typescript.cjs file.ts: runs TypeScript in a process of its own, compiled as Jest does it.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const options = require('./swc-options.cjs');

// Tests start the same programs a hundred times: each file is compiled once, and the compiler loaded only for that.
const cache = join(__dirname, '..', '..', 'node_modules', '.cache', 'agent-osce-typescript');

// What is imported only when it is needed is named as it will be built.
const resolve = Module._resolveFilename;
Module._resolveFilename = (request, parent, ...others) => {
  const isOurs = /^\.{1,2}\/.*\.js$/.test(request) && parent?.filename?.endsWith('.ts') === true;
  return resolve(isOurs ? request.replace(/\.js$/, '') : request, parent, ...others);
};

require.extensions['.ts'] = (module, filename) => {
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha1')
    .update(JSON.stringify([options, filename, source]))
    .digest('hex');
  const compiled = join(cache, `${key}.js`);
  module._compile(
    existsSync(compiled) ? readFileSync(compiled, 'utf8') : compile(source, filename, compiled),
    filename,
  );
};

function compile(source, filename, compiled) {
  const { code } = require('@swc/core').transformSync(source, { filename, swcrc: false, ...options });
  try {
    mkdirSync(cache, { recursive: true });
    // Renamed into place: another process may be reading.
    writeFileSync(`${compiled}.${process.pid}`, code);
    renameSync(`${compiled}.${process.pid}`, compiled);
  } catch {
    // A user who may not write here compiles every time.
  }
  return code;
}
