import { useRef } from 'react';
import { agents, tryUnsavedAgent } from '../api/agents';
import { PageHead } from '../parts/page-head';
import { useCreate } from '../parts/use-resource';
import { AgentForm, type AgentFormHandle } from './agent-form';
import { TryAgent } from './try-agent';

export function NewAgentPage() {
  const form = useRef<AgentFormHandle>(null);
  return (
    <>
      <PageHead
        title="Register an agent"
        above={{ href: '/agents', label: 'Agents' }}
        lead="Send it a message to test the connection, before or after it is registered."
      />
      <div className="beside">
        <AgentForm agent={null} saving={useCreate(agents)} ref={form} />
        <TryAgent form={form} send={tryUnsavedAgent} />
      </div>
    </>
  );
}
