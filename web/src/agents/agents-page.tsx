import { Link } from 'wouter';
import { agents, type Agent } from '../api/agents';
import { Empty } from '../parts/empty';
import { Loaded } from '../parts/loaded';
import { NameAndAbout } from '../parts/name-and-about';
import { Offered } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { useList } from '../parts/use-resource';
import { providerForm } from './config-fields';

export function AgentsPage() {
  return (
    <>
      <PageHead title="Agents" lead="The assistants under test, and how to reach each one.">
        <Offered to="change">
          <Link href="/agents/new" className="button primary">
            Register an agent
          </Link>
        </Offered>
      </PageHead>
      <Loaded query={useList(agents)}>
        {(found) => (found.length === 0 ? <NoAgent /> : <AgentTable listed={found} />)}
      </Loaded>
    </>
  );
}

function NoAgent() {
  return (
    <Empty title="No agents yet">
      <p>Register the assistant you want to examine: any HTTP API, a voice platform or a chat page.</p>
      <Offered to="change">
        <Link href="/agents/new" className="button primary">
          Register an agent
        </Link>
      </Offered>
    </Empty>
  );
}

function AgentTable({ listed }: { listed: readonly Agent[] }) {
  return (
    <div className="table-frame">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col">Type</th>
            <th scope="col">Updated</th>
            <th scope="col">
              <span className="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.map((agent) => (
            <tr key={agent.id}>
              <th scope="row" className="wide">
                <NameAndAbout href={`/agents/${agent.id}`} name={agent.name} about={agent.description} />
              </th>
              <td data-label="Type" className="unbroken">
                {!agent.is_active && <span className="tag">inactive</span>}
                {providerForm(agent.provider)?.label ?? <Name>{agent.provider}</Name>}
              </td>
              <td data-label="Updated">
                <Time at={agent.updated_at} />
              </td>
              <td>
                <Offered to="run">
                  <Link href={`/start?agent=${agent.id}`} className="button small">
                    Examine
                  </Link>
                </Offered>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
