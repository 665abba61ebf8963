import { useQuery } from '@tanstack/react-query';
import { isFinalTestRun } from '../../../src/domain';
import type { TestRun } from '../api/runs';
import { listScenarioRuns } from '../api/scenario-runs';

/** How many are read at first; more are read on request. */
export const FIRST_READ = 2_000;

/** The scenario runs of a run: read once while it is in progress, when events bring the rest, and once more when it is over. */
export function useScenarioRuns(run: TestRun, atMost: number = FIRST_READ) {
  const isFinal = isFinalTestRun(run.status);
  return useQuery({
    queryKey: ['scenario-runs', run.id, atMost, isFinal],
    queryFn: ({ signal }) => listScenarioRuns(run.id, atMost, signal),
    placeholderData: (previous) => previous,
    staleTime: isFinal ? 30_000 : Infinity,
  });
}
