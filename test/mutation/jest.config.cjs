const { join } = require('node:path');
const { projects } = require('../../jest.config.cjs');

const { rootDir } = projects[0];

/**
 * Specs under mutated code, each with modules of its own, as `npm run mutation` asks: a fault may be in what is evaluated but once.
 * One database server serves all mutants: who starts the mutation starts it.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  rootDir,
  roots: [join(rootDir, 'test')],
  testMatch: ['**/*.spec.ts'],
  testEnvironment: 'node',
  testTimeout: 120_000,
  transform: {
    '^.+\\.(t|j)s$': ['@swc/jest', { ...require('../setup/swc-options.cjs'), sourceMaps: 'inline' }],
  },
  // The command loads these when it needs them, under the names that they have once they are built.
  moduleNameMapper: { '^(\\.{1,2}/.*/scenarios/files/[\\w-]+)\\.js$': '$1' },
  // NestJS 12 ships ES modules only; Jest runs CommonJS, so these packages are transformed (ADR 0001).
  transformIgnorePatterns: ['/node_modules/(?!@nestjs/)'],
};
