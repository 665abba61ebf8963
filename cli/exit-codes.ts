/** The exit codes for CI jobs; docs/command-line.md explains them. */
export const EXIT = {
  /** The command succeeded; with a bar, the agent reached it. */
  passed: 0,
  /** The agent is below the bar, or a comparison got worse. */
  belowBar: 1,
  /** The linter has findings in a scenario. */
  findings: 1,
  /** The harness failed: nothing can be said about the agent. */
  harnessFailed: 2,
} as const;

/** 128 plus the signal number, as in shells. */
export const EXIT_BY_SIGNAL = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type EndingSignal = keyof typeof EXIT_BY_SIGNAL;
