import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { listAgents, type Agent } from '../api/agents';
import { Empty } from '../parts/empty';
import { Loading } from '../parts/loading';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { providerForm } from './config-fields';

export function AgentsPage() {
  const agents = useQuery({ queryKey: ['agents'], queryFn: ({ signal }) => listAgents(signal) });
  return (
    <>
      <PageHead title="Agents" lead="The assistants under test, and how each is reached.">
        <Link href="/agents/new" className="button primary">
          Register an agent
        </Link>
      </PageHead>
      {agents.isPending && <Loading />}
      {agents.isError && <Problem error={agents.error} onRetry={() => void agents.refetch()} />}
      {agents.data?.length === 0 && (
        <Empty title="No agent yet">
          <p>
            Register the assistant you want to examine: any OpenAI-compatible API, a voice platform, or a chat page.
          </p>
          <Link href="/agents/new" className="button primary">
            Register an agent
          </Link>
        </Empty>
      )}
      {agents.data && agents.data.length > 0 && <AgentTable agents={agents.data} />}
    </>
  );
}

function AgentTable({ agents }: { agents: readonly Agent[] }) {
  return (
    <div className="table-frame">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col">Reached by</th>
            <th scope="col">Changed</th>
            <th scope="col">
              <span className="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {agents.map((agent) => (
            <tr key={agent.id}>
              <th scope="row">
                <Link href={`/agents/${agent.id}`}>
                  <Name>{agent.name}</Name>
                </Link>
                {!agent.is_active && <span className="tag">inactive</span>}
                {agent.description !== null && (
                  <p className="quiet small">
                    <Name>{agent.description}</Name>
                  </p>
                )}
              </th>
              <td data-label="Reached by">{providerForm(agent.provider)?.label ?? <Name>{agent.provider}</Name>}</td>
              <td data-label="Changed">
                <Time at={agent.updated_at} />
              </td>
              <td>
                <Link href={`/start?agent=${agent.id}`} className="button small">
                  Examine
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
