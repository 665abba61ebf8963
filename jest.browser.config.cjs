const { availableParallelism } = require('node:os');
const { testPathIgnorePatterns: _ignored, ...config } = require('./jest.config.cjs');

/** Tests in a real Chromium: the page, and chat pages that `browser` agents are: `npm run test:browser`. */
/** @type {import('jest').Config} */
module.exports = {
  ...config,
  roots: ['<rootDir>/test/browser', '<rootDir>/test/web'],
  // A browser needs a core of its own.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // The limit of what hangs, not of what is slow: two browsers on two cores wait for each other at times.
  testTimeout: 180_000,
};
