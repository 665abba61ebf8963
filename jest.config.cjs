const { availableParallelism } = require('node:os');

// Programs that the service starts beside itself (src/agents/livekit) are TypeScript here, as the service is.
const loader = `--require ${JSON.stringify(require.resolve('./test/setup/register-typescript.cjs'))}`;
const { NODE_OPTIONS = '' } = process.env;
if (!NODE_OPTIONS.includes(loader)) process.env.NODE_OPTIONS = `${NODE_OPTIONS} ${loader}`.trim();
// Jest runs specs in this process too: when there is only one, or with --runInBand.
require('./test/setup/register-typescript.cjs');

/** How a spec is run, whatever it is about (docs/adr/0044-test-files-share-their-modules.md). */
const spec = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/test/runner/shared-environment.ts',
  runtime: '<rootDir>/test/runner/shared-runtime.ts',
  testRunner: '<rootDir>/test/runner/run-file.ts',
  transform: {},
  testMatch: ['**/*.spec.ts'],
};
const withPostgres = {
  ...spec,
  globalSetup: '<rootDir>/test/setup/start-postgres.ts',
  globalTeardown: '<rootDir>/test/setup/stop-postgres.ts',
};

// Time limits are there to end what hangs, not what is slow: a busy machine is no fault of a test.
const MINUTE = 60_000;

/** Tiers that take minutes, or need more than Node: processes, real peers, a browser, registries. Each is a folder or two, and a script. */
const TIERS = [
  // The service, the command, PostgreSQL and NATS as processes of their own: started, stopped, killed, cut off, watched on a terminal.
  { ...withPostgres, displayName: 'processes', roots: ['test/processes'], testTimeout: 2 * MINUTE },
  // Voices that programs make and the service measures, and calls of agents, which take the time of speech.
  { ...withPostgres, displayName: 'speech', roots: ['test/speech', 'test/calls'], testTimeout: 2 * MINUTE },
  // The page in a real Chromium, and chat pages that `browser` agents are. Two browsers on two cores wait for each other at times.
  { ...withPostgres, displayName: 'browser', roots: ['test/browser', 'test/web'], testTimeout: 3 * MINUTE },
  // Hostile texts, replies and requests, random ones too, most of them to the built service in a process of its own.
  { ...withPostgres, displayName: 'hostile', roots: ['test/hostile'], testTimeout: 2 * MINUTE },
  // Several processes of the service at once.
  { ...withPostgres, displayName: 'cluster', roots: ['test/cluster'], testTimeout: 3 * MINUTE },
  // Real voice agents, which Python frameworks run.
  { ...withPostgres, displayName: 'voice', roots: ['test/voice'], testTimeout: 5 * MINUTE },
  // Examiners by a real OpenAI-compatible server, which Python runs.
  { ...withPostgres, displayName: 'models', roots: ['test/model-peers'], testTimeout: 4 * MINUTE },
  // Clients that generators make of the API description, and requests made from it.
  { ...withPostgres, displayName: 'clients', roots: ['test/clients'], testTimeout: 4 * MINUTE },
  // What npm packs, installed in empty folders and run from there: that fetches a database server and a browser, and from git the
  // development tools too.
  {
    ...spec,
    displayName: 'package',
    roots: ['test/package'],
    globalSetup: '<rootDir>/test/setup/pack-packages.ts',
    globalTeardown: '<rootDir>/test/setup/remove-packages.ts',
    testTimeout: 10 * MINUTE,
  },
].map((tier) => ({ ...tier, roots: tier.roots.map((folder) => `<rootDir>/${folder}`) }));

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    {
      ...withPostgres,
      displayName: 'tests',
      roots: ['<rootDir>/test'],
      testPathIgnorePatterns: ['/node_modules/', ...TIERS.flatMap(({ roots }) => roots.map((folder) => `^${folder}/`))],
      testTimeout: 2 * MINUTE,
    },
    ...TIERS,
  ],
  testSequencer: '<rootDir>/test/runner/random-order.cjs',
  showSeed: true,
  // Most tests wait for timers and sockets: six at a time also where there are only two cores.
  maxWorkers: Math.max(6, availableParallelism()),
  workerIdleMemoryLimit: '1GB',
};
