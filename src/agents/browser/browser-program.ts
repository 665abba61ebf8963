/** The program that is started. */
export interface BrowserProgram {
  readonly path: string;
  readonly args: readonly string[];
  /** Added to the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface BrowserInstallation {
  /** For messages: its path, or where it comes from. */
  readonly name: string;
  /** Where it is, or could be unpacked, best first. Absolute, never empty. */
  readonly paths: readonly string[];
  /**
   * Prepares it to be started from one of `paths`; only the packaged one has work to do, once.
   * @throws Error when it cannot be unpacked
   */
  prepare(path: string, signal: AbortSignal): Promise<BrowserProgram>;
}
