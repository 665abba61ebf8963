import { useQuery } from '@tanstack/react-query';
import { isFinalTestRun } from '../../../src/domain';
import { getRun, type TestRun } from '../api/runs';
import { getComparison, type Comparison } from '../api/statistics';

/** The comparison of a run with its agent's baseline. */
export interface AgainstBaseline {
  readonly baseline: TestRun;
  readonly comparison: Comparison;
}

/** Null where there is no baseline, before the run has ended, and until both are read; `error` says why they cannot be read. */
export function useAgainstBaseline(run: TestRun): {
  readonly found: AgainstBaseline | null;
  readonly error: Error | null;
} {
  const baselineId = run.baseline_test_run_id ?? '';
  const enabled = baselineId !== '' && isFinalTestRun(run.status);
  const baseline = useQuery({
    queryKey: ['run', baselineId],
    queryFn: ({ signal }) => getRun(baselineId, signal),
    enabled,
  });
  const comparison = useQuery({
    queryKey: ['comparison', baselineId, run.id],
    queryFn: ({ signal }) => getComparison(baselineId, run.id, signal),
    enabled,
    staleTime: 30_000,
  });
  const { data } = comparison;
  return {
    found:
      enabled && baseline.data !== undefined && data !== undefined
        ? { baseline: baseline.data, comparison: data }
        : null,
    error: enabled && data === undefined ? comparison.error : null,
  };
}
