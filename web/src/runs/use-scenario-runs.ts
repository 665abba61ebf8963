import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isFinalTestRun } from '../../../src/domain';
import type { TestRun } from '../api/runs';
import { listScenarioRuns, type ScenarioRunList } from '../api/scenario-runs';

/** How many are read at first; more are read on request. */
export const FIRST_READ = 2_000;

/** The scenario runs of a run: read once while it is in progress, when events bring the rest, and once more when it is over. */
export function useScenarioRuns(run: TestRun, atMost: number = FIRST_READ) {
  const isFinal = isFinalTestRun(run.status);
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['scenario-runs', run.id, atMost, isFinal],
    queryFn: ({ signal }) =>
      listScenarioRuns(run.id, atMost, signal, {
        onFirst: (page) => queries.setQueryData(firstOf(run), page),
      }),
    placeholderData: (previous) => previous,
    staleTime: isFinal ? 30_000 : Infinity,
  });
}

/** Its first page, as soon as that was read; all of them take a large run some seconds. */
export function useFirstScenarioRuns(run: TestRun): ScenarioRunList | undefined {
  return useQuery<ScenarioRunList>({ queryKey: firstOf(run), enabled: false }).data;
}

function firstOf({ id }: TestRun): readonly string[] {
  return ['scenario-runs', id, 'first'];
}
