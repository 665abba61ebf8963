import type { Config } from '@jest/types';
import type { ModuleMocker } from 'jest-mock';

/** Read by Jest when the tests of a file begin. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** What `jest` is in a spec: what files that share their modules can have of it. @throws Error that says so of the rest */
export function jestObject(mocker: ModuleMocker, { seed }: Config.GlobalConfig): object {
  const known: Readonly<Record<string, unknown>> = {
    setTimeout: (ms: number) => void Reflect.set(globalThis, TIMEOUT, ms),
    getSeed: () => seed,
    fn: mocker.fn.bind(mocker),
    spyOn: mocker.spyOn.bind(mocker),
    mocked: mocker.mocked.bind(mocker),
    isMockFunction: mocker.isMockFunction.bind(mocker),
    replaceProperty: mocker.replaceProperty.bind(mocker),
    clearAllMocks: () => mocker.clearAllMocks(),
    resetAllMocks: () => mocker.resetAllMocks(),
    restoreAllMocks: () => mocker.restoreAllMocks(),
  };
  return new Proxy(known, { get });
}

function get(known: object, name: string | symbol): unknown {
  if (typeof name === 'symbol' || name in known) return Reflect.get(known, name);
  const error = new Error(
    `There is no jest.${name} here: test files share their modules and one clock, and a test that failed is not run again (docs/adr/0044-test-files-share-their-modules.md).`,
  );
  // Shown where the spec asked for it.
  Error.captureStackTrace(error, get);
  throw error;
}
