import asyncHooks from 'node:async_hooks';

/**
 * Stands for the AsyncLocalStorage in which Jest keeps the test that is running. Node 20 has each promise of the process pay for every
 * storage that was ever used there, and each test file brings a new one. Tests run one after the other: a variable says as much.
 */
class CurrentTest<Context> {
  private context: Context | undefined;

  getStore(): Context | undefined {
    return this.context;
  }

  async run<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
    const outer = this.context;
    this.context = context;
    try {
      return await work();
    } finally {
      this.context = outer;
    }
  }
}

/** Loads Jest's part that runs the tests of a file. */
export function withCurrentTest<Loaded>(load: () => Loaded): Loaded {
  const { AsyncLocalStorage } = asyncHooks;
  Object.assign(asyncHooks, { AsyncLocalStorage: CurrentTest });
  try {
    return load();
  } finally {
    Object.assign(asyncHooks, { AsyncLocalStorage });
  }
}
