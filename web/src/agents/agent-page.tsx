import { Link, useParams } from 'wouter';
import { agents, type Agent } from '../api/agents';
import { ConfirmButton } from '../parts/confirm-button';
import { LoadedPage } from '../parts/loaded';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { useItem, useRemove, useUpdate } from '../parts/use-resource';
import { AgentForm } from './agent-form';
import { providerForm } from './config-fields';
import { TryAgent } from './try-agent';

const ABOVE = { href: '/agents', label: 'Agents' };

export function AgentPage() {
  const { id = '' } = useParams();
  return (
    <LoadedPage query={useItem(agents, id)} title="Agent" above={ABOVE}>
      {(agent) => <Found key={id} agent={agent} />}
    </LoadedPage>
  );
}

function Found({ agent }: { agent: Agent }) {
  const saving = useUpdate(agents, agent.id);
  const activating = useUpdate(agents, agent.id);
  const removing = useRemove(agents, agent.id);
  return (
    <>
      <PageHead title={agent.name} above={ABOVE} lead={providerForm(agent.provider)?.label ?? agent.provider}>
        <Link href={`/start?agent=${agent.id}`} className="button primary">
          Examine it
        </Link>
        <button
          type="button"
          className="button"
          disabled={activating.isPending}
          onClick={() => activating.mutate({ is_active: !agent.is_active })}
        >
          {agent.is_active ? 'Deactivate' : 'Activate'}
        </button>
        <ConfirmButton
          label="Delete"
          question="Delete this agent? Its past runs stay."
          onConfirm={() => removing.mutate()}
          busy={removing.isPending}
        />
      </PageHead>
      {!agent.is_active && <p className="notice">This agent is inactive: no run can be started against it.</p>}
      {(activating.isError || removing.isError) && <Problem error={activating.error ?? removing.error} />}
      <div className="beside">
        <AgentForm agent={agent} saving={saving} />
        <TryAgent agentId={agent.id} />
      </div>
    </>
  );
}
