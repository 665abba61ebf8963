/** What the exit code says to a CI job. docs/command-line.md explains each to people. */
export const EXIT = {
  /** What was asked is done; with a bar, the agent reached it. */
  passed: 0,
  /** The agent is below the bar, or a comparison got worse. */
  belowBar: 1,
  /** The harness failed: nothing can be said of the agent. */
  harnessFailed: 2,
} as const;

/** 128 and the signal's number, as shells have it. */
export const EXIT_BY_SIGNAL = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type EndingSignal = keyof typeof EXIT_BY_SIGNAL;
