import type { TestRunListItem } from '../../../contract/test-runs';
import type { Counts } from '../../domain';
import type { AskedModels, ExaminerPair } from '../../engine/ledger';
import { isoTime } from '../../platform/database';

/** What is said of a run beside its row: known at the moment of the answer alone. */
type Computed = 'pass_rate' | 'graded_pass_rate' | 'must_pass_violated_count' | 'examiners' | 'waiting';

/** A test run with the counts of its scenario runs, as the API names and writes it. */
export interface TestRunRecord extends Omit<TestRunListItem, Computed>, AskedModels {
  /** The examiners that have taken part so far, the last ones first. */
  readonly examiner_pairs: readonly ExaminerPair[];
}

/** Where each field comes from, of a run `t` with its counts `c`. */
const COLUMNS: Readonly<Record<keyof TestRunRecord, string>> = {
  id: 't.id',
  test_run_id: 't.label',
  name: 't.name',
  note: 't.note',
  tags: 't.tags',
  status: 't.status',
  agent_id: 't.agent_id',
  agent_name: 't.agent_name',
  agent_provider: 't.agent_provider',
  agent_version: 't.agent_version',
  agent_config_hash: 't.agent_config_hash',
  test_suite_id: 't.test_suite_id',
  run_set_id: 't.run_set_id',
  twin_of: 't.twin_of',
  derived_from: 't.derived_from',
  derivation: 't.derivation',
  baseline_test_run_id: `(SELECT a.baseline_test_run_id FROM agents a
    WHERE a.id = t.agent_id AND a.deleted_at IS NULL AND a.baseline_test_run_id <> t.id)`,
  total_scenarios: 'c.total',
  trials: 't.trials',
  passed_count: 'c.passed',
  failed_count: 'c.failed',
  error_count: 'c.error',
  canceled_count: 'c.canceled',
  max_turns: 't.max_turns',
  concurrency_limit: 't.concurrency_limit',
  pass_threshold: 't.pass_threshold',
  region: 't.region',
  modality: 't.modality',
  spoken: 't.spoken',
  error_message: 't.error_message',
  scheduled_at: isoTime('t.scheduled_at'),
  started_at: isoTime('t.started_at'),
  completed_at: isoTime('t.completed_at'),
  canceled_at: isoTime('t.canceled_at'),
  created_at: isoTime('t.created_at'),
  tester_model: 't.tester_model',
  judge_model: 't.judge_model',
  examiner_pairs: `COALESCE((SELECT json_agg(json_build_object('tester', e.tester, 'judge', e.judge) ORDER BY e.noted_at DESC)
    FROM run_examiners e WHERE e.test_run_id = t.id), '[]')`,
};

/** Selects a TestRunRecord for every run of a relation or subquery named `t`. */
export const TEST_RUN_COLUMNS = Object.entries(COLUMNS)
  .map(([name, source]) => `${source} AS ${name}`)
  .join(', ');

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

export function countsOf(run: TestRunRecord): Counts {
  return {
    passed: run.passed_count,
    failed: run.failed_count,
    error: run.error_count,
    canceled: run.canceled_count,
    total: run.total_scenarios,
  };
}

/** The first run of the family of twins that a run is of: itself while it has no twin. */
export function firstOfTwins({ id, twin_of }: Pick<TestRunRecord, 'id' | 'twin_of'>): string {
  return twin_of ?? id;
}
