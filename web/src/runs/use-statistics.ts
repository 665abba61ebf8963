import { useQuery } from '@tanstack/react-query';
import { isFinalTestRun } from '../../../src/domain';
import type { TestRun } from '../api/runs';
import { getStatistics } from '../api/statistics';

/** The statistics of an ended run: its numbers no longer change, but the calibration of its judge may, by the next visit. */
export function useStatistics(run: TestRun) {
  return useQuery({
    queryKey: ['statistics', run.id],
    queryFn: ({ signal }) => getStatistics(run.id, signal),
    enabled: isFinalTestRun(run.status),
    refetchOnWindowFocus: false,
  });
}
