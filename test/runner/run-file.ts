import { writeSync } from 'node:fs';
import type { TestResult } from '@jest/test-result';
import type { Config } from '@jest/types';
import runWithCircus from 'jest-circus/runner';
import { LateErrors } from './late-errors';
import { LeftBehind } from './left-behind';
import type SharedEnvironment from './shared-environment';
import { Watchdog } from './watchdog';

type Arguments = Parameters<typeof runWithCircus>;

/** Our own lines in the stack of a failure. */
const OUR_FRAMES = /^ +at .*[\\/](run-file[.]ts|shared-runtime[.]ts|register-typescript[.]cjs):.*\n/gm;

/**
 * Runs the tests of one file as Jest does, in a process that others are run in before and after it: a file that keeps the process
 * from going on is ended with it, and one that leaves something behind fails, whatever its tests say.
 */
export default function runFile(
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  environment: SharedEnvironment,
  runtime: Arguments[3],
  testPath: string,
  sendMessageToJest: Arguments[5],
): Promise<TestResult> {
  const watchdog = Watchdog.ofProcess();
  const { standstillMs, graceMs } = config.testEnvironmentOptions;
  // Each tier has its own; Jest would take the whole run's, which there is none of.
  const testTimeout = config.testTimeout ?? globalConfig.testTimeout;
  watchdog?.begin(testPath, testTimeout ?? 0, standstillMs);
  const onExit = (code: number): void => failExit(testPath, code);
  process.on('exit', onExit);
  const lateErrors = LateErrors.ofProcess();
  const leftBehind = new LeftBehind();
  // Without `await`: we would stand in the stack of every failure.
  return runWithCircus({ ...globalConfig, testTimeout }, config, environment, runtime, testPath, sendMessageToJest)
    .then((result) =>
      leftBehind
        .atEnd(graceMs)
        .then((left) =>
          failFor([...left, ...environment.exits.map(exitSentence), ...lateErrors.take()], readable(result)),
        ),
    )
    .finally(() => {
      process.off('exit', onExit);
      watchdog?.end();
    });
}

function exitSentence(code: unknown): string {
  return `a call of process.exit(${String(code)})`;
}

/** Jest would run the file once more in a new process, or call everything well where it is the process itself that is left. */
function failExit(testPath: string, code: number): void {
  writeSync(2, `\nThe process of ${testPath} ended itself with code ${code} before the end of the file.\n`);
  if (process.send === undefined) process.exitCode = 1;
  else process.kill(process.pid, 'SIGKILL');
}

function readable(result: TestResult): TestResult {
  return { ...result, failureMessage: result.failureMessage?.replaceAll(OUR_FRAMES, '') ?? null };
}

function failFor(left: readonly string[], result: TestResult): TestResult {
  if (left.length === 0) return result;
  const message = [
    'Test files share their process, and this one left behind:',
    ...left.map((sentence) => `- ${sentence}`),
    'Close it, or put it back, in afterEach or afterAll; npx jest --detectOpenHandles with this file says where a timer or socket was made.',
  ].join('\n');
  const shown = `  ● Test suite failed to run\n\n${message.replaceAll(/^/gm, '    ')}\n`;
  return {
    ...result,
    testExecError: { message, stack: message, type: 'Error', code: undefined },
    failureMessage: [result.failureMessage, shown].filter((text) => text).join('\n'),
  };
}
