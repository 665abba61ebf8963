import type { TestResult } from '@jest/test-result';
import type { Circus, Config } from '@jest/types';
import type { InstrumenterContext } from '@stryker-mutator/api/core';
import runFile from '../runner/run-file';
import SharedEnvironment from '../runner/shared-environment';
import SharedRuntime from '../runner/shared-runtime';
import type { SpecAnswer, SpecRequest, TestTime } from './messages';

const reached: { static: Record<string, number>; perTest: Record<string, Record<string, number>> } = {
  static: {},
  perTest: {},
};
/** What instrumented code asks which fault it has, and tells what of it is reached. */
const context: InstrumenterContext = { mutantCoverage: reached };
Object.assign(globalThis, { __stryker__: context });

/** The name under which is counted what hooks before and after all tests reach: the instrumented code takes no empty one. */
const BETWEEN_TESTS = ' ';

/** Runs a spec as `npm test` does, in this process with modules that earlier specs have loaded, against code with one fault or none. */
export class SpecRunner {
  constructor(
    private readonly globalConfig: Config.GlobalConfig,
    private readonly config: Config.ProjectConfig,
  ) {}

  async run(request: SpecRequest): Promise<SpecAnswer> {
    const { globalConfig, config } = this;
    const { spec } = request;
    forget();
    const start = performance.now();
    const environment = new ExaminedEnvironment(
      { globalConfig, projectConfig: config },
      { console, docblockPragmas: {}, testPath: spec },
      request,
    );
    const runtime = new SharedRuntime(config, environment, null, null, null, null, spec, globalConfig);
    try {
      const result = await runFile(globalConfig, config, environment, runtime, spec, undefined);
      return {
        ms: performance.now() - start,
        tests: environment.done,
        failure: failureOf(result),
        hits: context.hitCount ?? 0,
        reached: structuredClone(reached),
      };
    } finally {
      runtime.teardown();
      await environment.teardown();
    }
  }
}

/** Instrumented files hold on to the object. */
function forget(): void {
  reached.perTest = {};
  reached.static = {};
}

function failureOf({ testExecError, failureMessage, testResults }: TestResult): string | null {
  if (testExecError !== undefined) return failureMessage ?? testExecError.message;
  return testResults.some(({ status }) => status === 'failed') ? (failureMessage ?? 'A test failed.') : null;
}

/** Runs the tests that were asked for, and none after one that has failed. The code has its fault while they run, not while files are loaded. */
class ExaminedEnvironment extends SharedEnvironment {
  readonly done: TestTime[] = [];

  constructor(
    config: ConstructorParameters<typeof SharedEnvironment>[0],
    file: ConstructorParameters<typeof SharedEnvironment>[1],
    private readonly request: SpecRequest,
  ) {
    super(config, file);
  }

  readonly handleTestEvent = (event: Circus.Event, { rootDescribeBlock }: Circus.State): void => {
    const { tests, mutant, hitLimit } = this.request;
    if (event.name === 'run_start') {
      if (tests !== null) leaveOut(rootDescribeBlock, (test) => !tests.includes(fullName(test)));
      Object.assign(context, {
        activeMutant: mutant ?? undefined,
        currentTestId: BETWEEN_TESTS,
        hitCount: 0,
        hitLimit,
      });
    } else if (event.name === 'test_start') {
      context.currentTestId = fullName(event.test);
    } else if (event.name === 'test_done') {
      context.currentTestId = BETWEEN_TESTS;
      this.done.push({ name: fullName(event.test), ms: event.test.duration ?? 0 });
      if (event.test.errors.length > 0) leaveOut(rootDescribeBlock, () => true);
    } else if (event.name === 'run_finish') {
      context.activeMutant = undefined;
      context.currentTestId = undefined;
    }
  };
}

function leaveOut(block: Circus.DescribeBlock, isLeftOut: (test: Circus.TestEntry) => boolean): void {
  for (const child of block.children) {
    if (child.type === 'describeBlock') leaveOut(child, isLeftOut);
    else if (isLeftOut(child)) child.mode = 'skip';
  }
}

function fullName(test: Circus.TestEntry): string {
  const names = [test.name];
  for (let block: Circus.DescribeBlock | undefined = test.parent; block?.parent !== undefined; block = block.parent) {
    names.unshift(block.name);
  }
  return names.join(' ');
}
