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
  /**
   * Makes it ready to be started; only the packaged one has something to do, once.
   * @throws Error when it cannot be unpacked
   */
  prepare(signal: AbortSignal): Promise<BrowserProgram>;
}
