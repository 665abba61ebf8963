const {
  globalSetup: _start,
  globalTeardown: _stop,
  runtime: _modules,
  testEnvironment: _environment,
  testRunner: _runner,
  testSequencer: _order,
  ...config
} = require('./jest.config.cjs');

/**
 * Specs under mutated code, each with modules of its own, as `npm run mutation` asks: a fault may be in what is evaluated but once.
 * One database server serves all mutants: who starts the mutation starts it.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...config,
  testEnvironment: 'node',
  transform: {
    '^.+\\.(t|j)s$': ['@swc/jest', { ...require('./test/setup/swc-options.cjs'), sourceMaps: 'inline' }],
  },
  // The command loads these when it needs them, under the names that they have once they are built.
  moduleNameMapper: { '^(\\.{1,2}/.*/scenarios/files/[\\w-]+)\\.js$': '$1' },
  // NestJS 12 ships ES modules only; Jest runs CommonJS, so these packages are transformed (ADR 0001).
  transformIgnorePatterns: ['/node_modules/(?!@nestjs/)'],
};
