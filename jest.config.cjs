const { availableParallelism } = require('node:os');

// Programs that the service starts beside itself (src/agents/livekit) are TypeScript here, as the service is.
const loader = `--require ${JSON.stringify(require.resolve('./test/setup/register-typescript.cjs'))}`;
const { NODE_OPTIONS = '' } = process.env;
if (!NODE_OPTIONS.includes(loader)) process.env.NODE_OPTIONS = `${NODE_OPTIONS} ${loader}`.trim();
// This process runs specs too: a single one, and all of them with --runInBand.
require('./test/setup/register-typescript.cjs');

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/runner/shared-environment.ts',
  runtime: '<rootDir>/test/runner/shared-runtime.ts',
  testRunner: '<rootDir>/test/runner/run-file.ts',
  transform: {},
  workerIdleMemoryLimit: '1GB',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // Tiers of their own, which need several processes, real voice agents, a real model server, a browser or generators of clients:
  // npm run test:cluster, test:voice, test:models, test:browser and test:clients. The contracts of all providers but the browser are here; they too name what they miss.
  testPathIgnorePatterns: [
    '/node_modules/',
    '/test/cluster/',
    '/test/voice/',
    '/test/model-peers/',
    '/test/browser/',
    '/test/web/',
    '/test/hostile/',
    '/test/clients/',
    '/test/package/',
  ],
  testSequencer: '<rootDir>/test/runner/random-order.cjs',
  showSeed: true,
  globalSetup: '<rootDir>/test/setup/start-postgres.ts',
  globalTeardown: '<rootDir>/test/setup/stop-postgres.ts',
  // Most tests wait for timers and sockets: four at a time also where there are only two cores.
  maxWorkers: Math.max(4, availableParallelism()),
  // The limit of what hangs, not of what is slow: a machine that does ten other things beside is no fault of a test.
  testTimeout: 120_000,
};
