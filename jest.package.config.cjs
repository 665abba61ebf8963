const {
  globalSetup: _start,
  globalTeardown: _stop,
  testPathIgnorePatterns: _ignored,
  ...config
} = require('./jest.config.cjs');

/** What npm packs, installed in empty folders and run from there: `npm run test:package`. */
/** @type {import('jest').Config} */
module.exports = {
  ...config,
  roots: ['<rootDir>/test/package'],
  globalSetup: '<rootDir>/test/setup/pack-packages.ts',
  globalTeardown: '<rootDir>/test/setup/remove-packages.ts',
  // Installing is half waiting for the disk.
  maxWorkers: 2,
  // Installing fetches a database server and a browser, and from git the development tools too.
  testTimeout: 600_000,
};
