/** The statuses the API shows. A final status is written once and never changes (docs/architecture.md, invariant 4). */
export const TEST_RUN_STATUSES = ['pending', 'running', 'completed', 'failed', 'canceled', 'scheduled'] as const;
export type TestRunStatus = (typeof TEST_RUN_STATUSES)[number];

export const FINAL_TEST_RUN_STATUSES = ['completed', 'failed', 'canceled'] as const satisfies readonly TestRunStatus[];
export type FinalTestRunStatus = (typeof FINAL_TEST_RUN_STATUSES)[number];

export const SCENARIO_RUN_STATUSES = [
  'pending',
  'running',
  'grading',
  'passed',
  'failed',
  'error',
  'canceled',
] as const;
export type ScenarioRunStatus = (typeof SCENARIO_RUN_STATUSES)[number];

export const FINAL_SCENARIO_RUN_STATUSES = [
  'passed',
  'failed',
  'error',
  'canceled',
] as const satisfies readonly ScenarioRunStatus[];
export type FinalScenarioRunStatus = (typeof FINAL_SCENARIO_RUN_STATUSES)[number];

export function isFinalTestRun(status: TestRunStatus): status is FinalTestRunStatus {
  return FINAL_TEST_RUN_STATUSES.some((final) => final === status);
}

export function isFinalScenarioRun(status: ScenarioRunStatus): status is FinalScenarioRunStatus {
  return FINAL_SCENARIO_RUN_STATUSES.some((final) => final === status);
}

/**
 * How a run came to be that did not begin from scenarios alone: errors were tried again, conversations were marked again, one of
 * them was continued differently, or all of them were held elsewhere.
 */
export const DERIVATIONS = ['retry', 'regrade', 'fork', 'import'] as const;
export type Derivation = (typeof DERIVATIONS)[number];
