import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { listAgents } from '../api/agents';
import { Empty } from '../parts/empty';
import { Loading } from '../parts/loading';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { useScenarios } from '../scenarios/scenarios-page';
import { useSuites } from '../suites/suites-page';
import { StartForm } from './start-form';

/** Starting a run. The address may choose an agent, a suite or a scenario: `?agent=`, `?suite=`, `?scenario=`. */
export function StartPage() {
  const [search] = useSearchParams();
  const agents = useQuery({ queryKey: ['agents'], queryFn: ({ signal }) => listAgents(signal) });
  const scenarios = useScenarios();
  const suites = useSuites();
  const failed = [agents, scenarios, suites].find(({ isError }) => isError);
  return (
    <>
      <PageHead title="Start a run" above={{ href: '/', label: 'Runs' }} />
      {failed && <Problem error={failed.error} onRetry={() => void failed.refetch()} />}
      {agents.data && scenarios.data && suites.data ? (
        agents.data.length === 0 ? (
          <Empty title="There is no agent to examine">
            <p>Register the assistant under test first.</p>
            <Link href="/agents/new" className="button primary">
              Register an agent
            </Link>
          </Empty>
        ) : (
          <StartForm
            library={{ agents: agents.data, scenarios: scenarios.data, suites: suites.data }}
            agentId={search.get('agent')}
            suiteId={search.get('suite')}
            scenarioId={search.get('scenario')}
          />
        )
      ) : (
        !failed && <Loading />
      )}
    </>
  );
}
