declare module 'jest-circus/runner' {
  import type { JestEnvironment } from '@jest/environment';
  import type { TestEvents, TestResult } from '@jest/test-result';
  import type { Config } from '@jest/types';

  /** How Jest runs the tests of one file; the package has no types of its own for it. */
  export default function run(
    globalConfig: Config.GlobalConfig,
    config: Config.ProjectConfig,
    environment: JestEnvironment,
    runtime: unknown,
    testPath: string,
    sendMessageToJest?: (event: keyof TestEvents, values: unknown) => void,
  ): Promise<TestResult>;
}
