import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useParams } from 'wouter';
import { deleteAgent, getAgent, updateAgent, type Agent, type AgentFields } from '../api/agents';
import { ConfirmButton } from '../parts/confirm-button';
import { Loading } from '../parts/loading';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { AgentForm } from './agent-form';
import { providerForm } from './config-fields';
import { TryAgent } from './try-agent';

export function AgentPage() {
  const { id = '' } = useParams();
  const agent = useQuery({
    queryKey: ['agent', id],
    queryFn: ({ signal }) => getAgent(id, signal),
    // Nobody’s typing is overwritten by a look at the service.
    refetchOnWindowFocus: false,
  });
  if (agent.isPending) return <Loading />;
  if (agent.data === undefined) {
    return (
      <>
        <PageHead title="Agent" above={{ href: '/agents', label: 'Agents' }} />
        <Problem error={agent.error} onRetry={() => void agent.refetch()} />
      </>
    );
  }
  return <Found key={id} agent={agent.data} />;
}

function Found({ agent }: { agent: Agent }) {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const settled = (changed: Agent) => {
    queries.setQueryData(['agent', agent.id], changed);
    void queries.invalidateQueries({ queryKey: ['agents'] });
  };
  const save = useMutation({
    mutationFn: ({ name, description, config }: AgentFields) => updateAgent(agent.id, { name, description, config }),
    onSuccess: settled,
  });
  const activate = useMutation({
    mutationFn: (is_active: boolean) => updateAgent(agent.id, { is_active }),
    onSuccess: settled,
  });
  const remove = useMutation({
    mutationFn: () => deleteAgent(agent.id),
    onSuccess: () => {
      queries.removeQueries({ queryKey: ['agent', agent.id] });
      void queries.invalidateQueries({ queryKey: ['agents'] });
      go('/agents');
    },
  });
  return (
    <>
      <PageHead
        title={agent.name}
        above={{ href: '/agents', label: 'Agents' }}
        lead={providerForm(agent.provider)?.label ?? agent.provider}
      >
        <Link href={`/start?agent=${agent.id}`} className="button primary">
          Examine it
        </Link>
        <button
          type="button"
          className="button"
          disabled={activate.isPending}
          onClick={() => activate.mutate(!agent.is_active)}
        >
          {agent.is_active ? 'Make inactive' : 'Make active'}
        </button>
        <ConfirmButton
          label="Delete"
          question="Delete this agent? Its past runs stay."
          onConfirm={() => remove.mutate()}
          busy={remove.isPending}
        />
      </PageHead>
      {!agent.is_active && <p className="notice">It is inactive: no run can be started against it.</p>}
      {(activate.isError || remove.isError) && <Problem error={activate.error ?? remove.error} />}
      <div className="beside">
        <div className="stack">
          <AgentForm agent={agent} onSave={save.mutate} busy={save.isPending} error={save.error} />
          {save.isSuccess && (
            <p role="status" className="saved">
              Saved.
            </p>
          )}
        </div>
        <TryAgent agentId={agent.id} />
      </div>
    </>
  );
}
