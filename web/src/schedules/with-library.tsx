import type { ReactNode } from 'react';
import { agents } from '../api/agents';
import { scenarios } from '../api/scenarios';
import { suites } from '../api/suites';
import { Loading } from '../parts/loading';
import { Problem } from '../parts/problem';
import { useList } from '../parts/use-resource';
import type { Library } from '../start/plan';

/** What a run may be made of, for a form that chooses from it. */
export function WithLibrary({ children }: { readonly children: (library: Library) => ReactNode }) {
  const candidates = useList(agents);
  const known = useList(scenarios);
  const selections = useList(suites);
  const failed = [candidates, known, selections].find(({ isError }) => isError);
  if (candidates.data && known.data && selections.data) {
    return children({ agents: candidates.data, scenarios: known.data, suites: selections.data });
  }
  if (failed === undefined) return <Loading />;
  return <Problem error={failed.error} onRetry={() => void failed.refetch()} />;
}
