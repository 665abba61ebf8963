// node -r ./test/setup/register-typescript.cjs file.ts: runs TypeScript in a process of its own, compiled as Jest does it.
const { readFileSync } = require('node:fs');

require.extensions['.ts'] = (module, filename) => {
  // Loaded when needed: every program that a test starts comes by here.
  const { transformSync } = require('@swc/core');
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    swcrc: false,
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      target: 'es2023',
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  });
  module._compile(code, filename);
};
