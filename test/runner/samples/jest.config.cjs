const { projects, ...run } = require('../../../jest.config.cjs');

const [{ globalSetup: _start, globalTeardown: _stop, displayName: _name, ...specs }] = projects;

/** Files that do what no spec may: test/runner/runner.spec.ts runs them. */
/** @type {import('jest').Config} */
module.exports = {
  ...run,
  ...specs,
  roots: ['<rootDir>/test/runner/samples'],
  testMatch: ['**/*.ts'],
  testEnvironmentOptions: { standstillMs: 5_000, graceMs: 1_000 },
};
