import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getBaseline, setBaseline } from '../api/agents';

/** The baseline of an agent: `found` is the run, null when there is none; `choosing` sets or clears it. */
export function useBaseline(agentId: string) {
  const queries = useQueryClient();
  const queryKey = ['baseline', agentId];
  const found = useQuery({ queryKey, queryFn: ({ signal }) => getBaseline(agentId, signal), retry: false });
  const choosing = useMutation({
    mutationFn: (runId: string | null) => setBaseline(agentId, runId),
    onSuccess: (id) => {
      queries.setQueryData(queryKey, id);
      // Every run of the agent names it.
      return queries.invalidateQueries({ queryKey: ['run'] });
    },
  });
  return { found, choosing };
}
