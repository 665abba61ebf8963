import type { TestRunRecord } from '../persistence/test-run.row';

/** The state of the run, for the first message of a stream: the fields of a list item and the remaining counts. */
export function runSummary(run: TestRunRecord): object {
  return {
    id: run.id,
    test_run_id: run.label,
    name: run.name,
    status: run.status,
    agent_id: run.agentId,
    agent_name: run.agentName,
    total_scenarios: run.counts.total,
    trials: run.trials,
    passed_count: run.counts.passed,
    failed_count: run.counts.failed,
    error_count: run.counts.error,
    canceled_count: run.counts.canceled,
    pass_rate: run.passRate,
    created_at: run.createdAt,
    started_at: run.startedAt,
    completed_at: run.completedAt,
  };
}
