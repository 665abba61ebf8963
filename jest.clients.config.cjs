const { testPathIgnorePatterns: _ignored, ...config } = require('./jest.config.cjs');

/** Clients that generators make of the API description, and requests made from it: `npm run test:clients`. */
/** @type {import('jest').Config} */
module.exports = {
  ...config,
  roots: ['<rootDir>/test/clients'],
  maxWorkers: 1,
  testTimeout: 240_000,
};
