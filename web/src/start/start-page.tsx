import { Link, useSearchParams } from 'wouter';
import { agents } from '../api/agents';
import { scenarios } from '../api/scenarios';
import { suites } from '../api/suites';
import { Empty } from '../parts/empty';
import { Loading } from '../parts/loading';
import { Allowed, Offered } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { useList } from '../parts/use-resource';
import { StartForm } from './start-form';

/** Starting a run. The address may choose an agent, a suite or a scenario: `?agent=`, `?suite=`, `?scenario=`. */
export function StartPage() {
  const [search] = useSearchParams();
  const candidates = useList(agents);
  const library = useList(scenarios);
  const selections = useList(suites);
  const failed = [candidates, library, selections].find(({ isError }) => isError);
  return (
    <>
      <PageHead title="Start a run" above={{ href: '/', label: 'Runs' }} />
      {failed && <Problem error={failed.error} onRetry={() => void failed.refetch()} />}
      {candidates.data && library.data && selections.data ? (
        candidates.data.length === 0 ? (
          <Empty title="No agents to examine yet">
            <p>Register the assistant under test first.</p>
            <Offered to="change">
              <Link href="/agents/new" className="button primary">
                Register an agent
              </Link>
            </Offered>
          </Empty>
        ) : (
          <Allowed to="run">
            <StartForm
              library={{ agents: candidates.data, scenarios: library.data, suites: selections.data }}
              agentId={search.get('agent')}
              suiteId={search.get('suite')}
              scenarioId={search.get('scenario')}
            />
          </Allowed>
        )
      ) : (
        !failed && <Loading />
      )}
    </>
  );
}
