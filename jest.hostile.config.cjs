const { testPathIgnorePatterns: _ignored, ...config } = require('./jest.config.cjs');

/** Hostile replies and requests to the built service in a process of its own: `npm run test:hostile`. */
/** @type {import('jest').Config} */
module.exports = {
  ...config,
  roots: ['<rootDir>/test/hostile'],
  maxWorkers: 1,
  testTimeout: 120_000,
};
