const { testPathIgnorePatterns: _ignored, ...config } = require('./jest.config.cjs');

/** Tests of examiners by a real OpenAI-compatible server, which Python runs: `npm run test:models`. */
/** @type {import('jest').Config} */
module.exports = {
  ...config,
  roots: ['<rootDir>/test/model-peers'],
  maxWorkers: 1,
  testTimeout: 240_000,
};
