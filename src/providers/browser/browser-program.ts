/** What the operating system is told to start. */
export interface BrowserProgram {
  readonly path: string;
  readonly args: readonly string[];
  /** Added to the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface BrowserInstallation {
  /** For sentences: its path, or where it comes from. */
  readonly name: string;
  /** Where it is, or could be put, best first: never empty. Absolute. */
  readonly paths: readonly string[];
  /**
   * Makes it ready to be started from one of `paths`; only the packaged one has something to do, once.
   * @throws Error when it cannot be unpacked
   */
  prepare(path: string, signal: AbortSignal): Promise<BrowserProgram>;
}
