/** Namespace first, identifiers last, so that one wildcard covers a family. */
export const subjects = {
  cancelTestRun: (testRunId: string) => `osce.test-run.command.cancel.${testRunId}`,
  anyCancel: 'osce.test-run.command.cancel.*',
  testRunEvent: (testRunId: string) => `osce.test-run.event.${testRunId}`,
  /** A scenario-run actor reports to its test-run actor that its row is final. */
  settlement: (testRunId: string) => `osce.test-run.settlement.${testRunId}`,
  scenarioRunWork: 'osce.work.scenario-run',
} as const;
