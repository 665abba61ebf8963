const { testPathIgnorePatterns: _ignored, ...config } = require('./jest.config.cjs');

/** Tests of several real processes, one file at a time: `npm run test:cluster`. */
/** @type {import('jest').Config} */
module.exports = {
  ...config,
  roots: ['<rootDir>/test/cluster'],
  maxWorkers: 1,
  testTimeout: 180_000,
};
