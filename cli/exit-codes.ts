/** What the exit code says to a CI job. docs/command-line.md explains each to people. */
export const EXIT = {
  /** The command succeeded; with a bar, the agent reached it. */
  passed: 0,
  /** The agent is below the bar, or a comparison got worse. */
  belowBar: 1,
  /** A scenario was found to be a poor instrument. */
  findings: 1,
  /** The harness failed: nothing can be said about the agent. */
  harnessFailed: 2,
} as const;

/** 128 plus the signal number, as in shells. */
export const EXIT_BY_SIGNAL = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type EndingSignal = keyof typeof EXIT_BY_SIGNAL;
