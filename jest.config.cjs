const { availableParallelism } = require('node:os');

// Programs that the service starts beside itself (src/providers/livekit-room) are TypeScript here, as the service is.
const loader = `--require ${JSON.stringify(require.resolve('./test/setup/register-typescript.cjs'))}`;
const { NODE_OPTIONS = '' } = process.env;
if (!NODE_OPTIONS.includes(loader)) process.env.NODE_OPTIONS = `${NODE_OPTIONS} ${loader}`.trim();

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // Tiers of their own, which need several processes, real voice agents, a real model server, a browser or generators of clients:
  // npm run test:cluster, test:voice, test:models, test:browser and test:clients. The contracts of all providers are here; they too name what they miss.
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
  globalSetup: '<rootDir>/test/setup/start-postgres.ts',
  globalTeardown: '<rootDir>/test/setup/stop-postgres.ts',
  transform: {
    '^.+\\.(t|j)s$': ['@swc/jest', require('./test/setup/swc-options.cjs')],
  },
  // The command loads these when it needs them, under the names that they have once they are built.
  moduleNameMapper: { '^(\\.{1,2}/.*/scenarios/files/[\\w-]+)\\.js$': '$1' },
  // NestJS 12 ships ES modules only; Jest runs CommonJS, so these packages are transformed (ADR 0001).
  transformIgnorePatterns: ['/node_modules/(?!@nestjs/)'],
  // Most tests wait for timers and sockets: three at a time also where there are only two cores.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  testTimeout: 30_000,
};
