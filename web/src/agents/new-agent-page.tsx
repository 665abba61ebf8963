import { useRef, useState } from 'react';
import { agents, tryUnsavedAgent } from '../api/agents';
import { Allowed } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { useCreate } from '../parts/use-resource';
import { AgentForm, type AgentFormHandle, type AgentStart } from './agent-form';
import { CurlLine } from './curl-line';
import { TryAgent } from './try-agent';

export function NewAgentPage() {
  const form = useRef<AgentFormHandle>(null);
  const [read, setRead] = useState<{ readonly start?: AgentStart; readonly round: number }>({ round: 0 });
  const saving = useCreate(agents);
  return (
    <>
      <PageHead
        title="Register an agent"
        above={{ href: '/agents', label: 'Agents' }}
        lead="Send it a message to test the connection, before or after it is registered."
      />
      <Allowed to="run">
        <CurlLine onRead={(start) => setRead({ start, round: read.round + 1 })} />
        <div className="beside">
          <AgentForm key={read.round} agent={null} start={read.start} saving={saving} ref={form} />
          <TryAgent form={form} send={tryUnsavedAgent} />
        </div>
      </Allowed>
    </>
  );
}
