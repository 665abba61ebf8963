import type { Derivation, TestRunStatus, Counts, Region } from '../../domain';
import { passRateOf, type AskedModels, type ExaminerPair } from '../../engine/ledger';

/** A test run with the counts of its scenario runs. */
export interface TestRunRecord {
  readonly id: string;
  readonly label: string;
  readonly name: string | null;
  readonly status: TestRunStatus;
  readonly agentId: string;
  readonly agentName: string;
  readonly agentProvider: string;
  /** Null in runs of releases that did not keep them. */
  readonly agentConfigHash: string | null;
  readonly agentVersion: string | null;
  readonly testSuiteId: string | null;
  /** The run whose rows it began from, which may be deleted by now. */
  readonly derivedFrom: string | null;
  readonly derivation: Derivation | null;
  /** How often each conversation is held. */
  readonly trials: number;
  readonly maxTurns: number;
  readonly concurrencyLimit: number;
  readonly passThreshold: number;
  /** Where the agent's patients are; null in runs that did not say. */
  readonly region: Region | null;
  readonly errorMessage: string | null;
  readonly scheduledAt: Date | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly canceledAt: Date | null;
  readonly createdAt: Date;
  readonly counts: Counts;
  readonly askedModels: AskedModels;
  /** The examiners that have taken part so far, the last ones first. */
  readonly examiners: readonly ExaminerPair[];
  /** The baseline of its agent, where that is another run. */
  readonly baselineTestRunId: string | null;
  /** 0..100. */
  readonly passRate: number;
}

export interface TestRunRow extends Counts {
  readonly id: string;
  readonly label: string;
  readonly name: string | null;
  readonly status: TestRunStatus;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly agent_provider: string;
  readonly agent_config_hash: string | null;
  readonly agent_version: string | null;
  readonly test_suite_id: string | null;
  readonly derived_from: string | null;
  readonly derivation: Derivation | null;
  readonly trials: number;
  readonly max_turns: number;
  readonly concurrency_limit: number;
  readonly pass_threshold: number;
  readonly region: Region | null;
  readonly error_message: string | null;
  readonly scheduled_at: Date | null;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly canceled_at: Date | null;
  readonly created_at: Date;
  readonly tester_model: string | null;
  readonly judge_model: string | null;
  readonly baseline_test_run_id: string | null;
  /** Null when there are none. */
  readonly examiners: readonly ExaminerPair[] | null;
}

/** Selects TestRunRow for every run of a relation or subquery named `t`. */
export const TEST_RUN_COLUMNS = `
  t.id, t.label, t.name, t.status, t.agent_id, t.agent_name, t.agent_provider, t.agent_config_hash, t.agent_version, t.test_suite_id, t.derived_from, t.derivation, t.trials, t.max_turns,
  t.concurrency_limit, t.pass_threshold, t.region, t.error_message, t.scheduled_at, t.started_at, t.completed_at, t.canceled_at,
  t.created_at, t.tester_model, t.judge_model,
  (SELECT a.baseline_test_run_id FROM agents a
   WHERE a.id = t.agent_id AND a.deleted_at IS NULL AND a.baseline_test_run_id <> t.id) AS baseline_test_run_id,
  (SELECT json_agg(json_build_object('tester', e.tester, 'judge', e.judge) ORDER BY e.noted_at DESC)
   FROM run_examiners e WHERE e.test_run_id = t.id) AS examiners, c.*`;

/** Counts from the rows, at this moment (invariant 4). Joins laterally to `t`. */
export const COUNTS_OF_T = `
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE s.status = 'passed')::int AS passed,
           count(*) FILTER (WHERE s.status = 'failed')::int AS failed,
           count(*) FILTER (WHERE s.status = 'error')::int AS error,
           count(*) FILTER (WHERE s.status = 'canceled')::int AS canceled,
           count(*)::int AS total
    FROM scenario_runs s WHERE s.test_run_id = t.id
  ) c`;

export function testRunOf(row: TestRunRow): TestRunRecord {
  const { passed, failed, error, canceled, total } = row;
  const counts: Counts = { passed, failed, error, canceled, total };
  return {
    id: row.id,
    label: row.label,
    name: row.name,
    status: row.status,
    agentId: row.agent_id,
    agentName: row.agent_name,
    agentProvider: row.agent_provider,
    agentConfigHash: row.agent_config_hash,
    agentVersion: row.agent_version,
    testSuiteId: row.test_suite_id,
    derivedFrom: row.derived_from,
    derivation: row.derivation,
    trials: row.trials,
    maxTurns: row.max_turns,
    concurrencyLimit: row.concurrency_limit,
    passThreshold: row.pass_threshold,
    region: row.region,
    errorMessage: row.error_message,
    scheduledAt: row.scheduled_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    canceledAt: row.canceled_at,
    createdAt: row.created_at,
    counts,
    askedModels: { tester: row.tester_model, judge: row.judge_model },
    examiners: row.examiners ?? [],
    baselineTestRunId: row.baseline_test_run_id,
    passRate: passRateOf(counts),
  };
}
