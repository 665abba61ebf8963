const { globalSetup: _start, globalTeardown: _stop, ...config } = require('../../../jest.config.cjs');

/** Files that do what no spec may: test/runner/runner.spec.ts runs them. */
/** @type {import('jest').Config} */
module.exports = {
  ...config,
  rootDir: '../../..',
  roots: ['<rootDir>/test/runner/samples'],
  testMatch: ['**/*.ts'],
  testEnvironmentOptions: { standstillMs: 5_000, graceMs: 1_000 },
};
