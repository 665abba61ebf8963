const { testPathIgnorePatterns: _ignored, ...config } = require('./jest.config.cjs');

/** Tests in a real Chromium: the page, and chat pages that `browser` agents are: `npm run test:browser`. */
/** @type {import('jest').Config} */
module.exports = {
  ...config,
  roots: ['<rootDir>/test/browser', '<rootDir>/test/web'],
  testTimeout: 60_000,
};
