import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { createAgent } from '../api/agents';
import { PageHead } from '../parts/page-head';
import { AgentForm } from './agent-form';

export function NewAgentPage() {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: createAgent,
    onSuccess: (agent) => {
      queries.setQueryData(['agent', agent.id], agent);
      void queries.invalidateQueries({ queryKey: ['agents'] });
      go(`/agents/${agent.id}`);
    },
  });
  return (
    <>
      <PageHead
        title="Register an agent"
        above={{ href: '/agents', label: 'Agents' }}
        lead="Nothing is sent to it yet. Once it is registered you can send it one message to try the connection."
      />
      <AgentForm agent={null} onSave={create.mutate} busy={create.isPending} error={create.error} />
    </>
  );
}
