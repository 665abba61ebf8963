import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModuleMocker } from 'jest-mock';
import { jestObject } from './jest-object';

/** What Jest keeps on the global object for one file, under registered symbols of its own. */
const OF_ONE_FILE = [
  'EVENT_HANDLERS',
  'TEST_TIMEOUT_SYMBOL',
  'RETRY_TIMES',
  'RETRY_TIMES_SETTER',
  'WAIT_BEFORE_RETRY',
  'RETRY_IMMEDIATELY',
  'LOG_ERRORS_BEFORE_RETRY',
].map((name) => Symbol.for(name));

/** Where Jest keeps the tests of one file: a new symbol for each. */
const STATE = 'JEST_STATE_SYMBOL';

/** A spec is run where Jest itself runs: its globals are those of the process. */
export default class SharedEnvironment implements JestEnvironment<number> {
  readonly global = globalThis as unknown as JestEnvironment['global'];
  readonly moduleMocker = new ModuleMocker(globalThis);
  /** Nothing here waits for a clock that a test turns. */
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;
  private readonly console = globalThis.console;
  // Jest puts a function of its own in its place for each file.
  private readonly exit = Object.getOwnPropertyDescriptor(process, 'exit') ?? {};

  /** The codes with which the file's code asked for the end of the process, which is not the file's alone. */
  readonly exits: unknown[] = [];

  constructor({ globalConfig }: JestEnvironmentConfig, _context: EnvironmentContext) {
    process.exit = (code) => {
      this.exits.push(code);
      throw new Error(`process.exit(${code}) would end the process of all test files.`);
    };
    Object.assign(globalThis, { jest: jestObject(this.moduleMocker, globalConfig) });
  }

  getVmContext(): null {
    return null;
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.moduleMocker.restoreAllMocks();
    globalThis.console = this.console;
    Object.defineProperty(process, 'exit', this.exit);
    const states = Object.getOwnPropertySymbols(globalThis).filter(({ description }) => description === STATE);
    for (const symbol of [...OF_ONE_FILE, ...states]) Reflect.deleteProperty(globalThis, symbol);
  }
}
