const { testPathIgnorePatterns: _ignored, ...config } = require('./jest.config.cjs');

/** Tests with real voice agents, which Python frameworks run, one file at a time: `npm run test:voice`. */
/** @type {import('jest').Config} */
module.exports = {
  ...config,
  roots: ['<rootDir>/test/voice'],
  maxWorkers: 1,
  testTimeout: 300_000,
};
