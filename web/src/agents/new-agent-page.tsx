import { agents } from '../api/agents';
import { PageHead } from '../parts/page-head';
import { useCreate } from '../parts/use-resource';
import { AgentForm } from './agent-form';

export function NewAgentPage() {
  return (
    <>
      <PageHead
        title="Register an agent"
        above={{ href: '/agents', label: 'Agents' }}
        lead="Nothing is sent to it yet. Once it is registered, you can send it one message to test the connection."
      />
      <AgentForm agent={null} saving={useCreate(agents)} />
    </>
  );
}
