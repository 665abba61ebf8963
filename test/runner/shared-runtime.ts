import { createRequire } from 'node:module';
import type { JestEnvironment } from '@jest/environment';
import type { Config } from '@jest/types';
import { sourceMaps } from '../setup/register-typescript.cjs';
import { withCurrentTest } from './current-test';
import type SharedEnvironment from './shared-environment';

/** Jest's own part that must be new for each file: it holds the file's tests. */
const FRAMEWORK = /jest-circus[\\/]build[\\/]jestAdapterInit/;
const OURS_TO_FORGET = /[.][cm]?[jt]sx?$|[.]json$/;

/**
 * Where Jest's runner gets the modules of a spec from: those of the process, evaluated once for all specs that it runs. Jest
 * makes one of these for each file; only the spec itself, and Jest's list of its tests, are evaluated anew.
 */
export default class SharedRuntime {
  private readonly require: NodeJS.Require;

  constructor(
    private readonly config: Config.ProjectConfig,
    private readonly environment: SharedEnvironment & JestEnvironment<number>,
    _resolver: unknown,
    _transformer: unknown,
    _texts: unknown,
    _coverage: unknown,
    private readonly testPath: string,
    globalConfig: Config.GlobalConfig,
  ) {
    // Modules that are loaded know who asked for them: none of that is to outlive the file.
    this.require = createRequire(testPath);
    if (globalConfig.watch || globalConfig.watchAll) this.forgetOurs();
  }

  requireModule(path: string): unknown {
    Reflect.deleteProperty(this.require.cache, path);
    return this.require(path);
  }

  requireInternalModule(path: string): unknown {
    if (!FRAMEWORK.test(path)) return this.require(path);
    Reflect.deleteProperty(this.require.cache, path);
    return withCurrentTest(() => this.require(path));
  }

  getSourceMaps(): Map<string, string> {
    return sourceMaps;
  }

  unstable_shouldLoadAsEsm(): boolean {
    return false;
  }

  // Jest puts what it injects on the global object too.
  setGlobalsForRuntime(): void {}
  enterTestCode(): void {}
  leaveTestCode(): void {}

  clearAllMocks(): void {
    this.environment.moduleMocker.clearAllMocks();
  }

  resetAllMocks(): void {
    this.environment.moduleMocker.resetAllMocks();
  }

  restoreAllMocks(): void {
    this.environment.moduleMocker.restoreAllMocks();
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }

  teardown(): void {
    Reflect.deleteProperty(this.require.cache, this.testPath);
  }

  /** Between two runs of `jest --watch` anything may have been edited. */
  private forgetOurs(): void {
    const { rootDir } = this.config;
    for (const path of Object.keys(this.require.cache)) {
      const isOurs = path.startsWith(rootDir) && !path.includes('node_modules') && !path.startsWith(__dirname);
      if (isOurs && OURS_TO_FORGET.test(path)) Reflect.deleteProperty(this.require.cache, path);
    }
  }
}
