import { useRef } from 'react';
import { Link, useParams } from 'wouter';
import { agents, tryAgent, type Agent, type AgentChanges } from '../api/agents';
import type { Tagged } from '../api/resource';
import { ChangedMeanwhile } from '../parts/changed-meanwhile';
import { ConfirmButton } from '../parts/confirm-button';
import { LoadedPage } from '../parts/loaded';
import { Offered } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { Name } from '../parts/untrusted-text';
import { useEditing } from '../parts/use-editing';
import { useItem, useRemove } from '../parts/use-resource';
import { AgentBaseline } from './agent-baseline';
import { AgentForm, type AgentFormHandle } from './agent-form';
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

function Found({ agent: loaded }: { agent: Tagged<Agent> }) {
  const { item: agent, round, saving, changing, conflict } = useEditing(agents, loaded.id, loaded, { whole });
  const removing = useRemove(agents, agent.id);
  const form = useRef<AgentFormHandle>(null);
  return (
    <>
      <PageHead title={agent.name} above={ABOVE} lead={providerForm(agent.provider)?.label ?? agent.provider}>
        <Offered to="run">
          <Link href={`/start?agent=${agent.id}`} className="button primary">
            Examine this agent
          </Link>
        </Offered>
        <Link href={`/?agent_id=${agent.id}`} className="button">
          Its runs
        </Link>
        <Offered to="change">
          <button
            type="button"
            className="button"
            disabled={changing.isPending}
            onClick={() => changing.mutate({ is_active: !agent.is_active })}
          >
            {agent.is_active ? 'Deactivate' : 'Activate'}
          </button>
        </Offered>
        <ConfirmButton
          label="Delete"
          question="Delete this agent? Its past runs stay."
          onConfirm={() => removing.mutate()}
          busy={removing.isPending}
        />
      </PageHead>
      {!agent.is_active && <p className="notice">This agent is inactive: no run can be started against it.</p>}
      {agent.warnings.map((warning) => (
        <p key={warning} className="notice">
          <Name>{warning}</Name>
        </p>
      ))}
      {changing.isError && <Problem error={changing.error} />}
      {removing.isError && <Problem error={removing.error} />}
      <AgentBaseline agentId={agent.id} />
      <div className="beside">
        <div className="stack">
          <AgentForm key={round} agent={agent} saving={saving} ref={form} />
          <ChangedMeanwhile what="agent" conflict={conflict} isShown={isNoConnection} busy={saving.isPending} />
        </div>
        <TryAgent form={form} send={({ config }, message, signal) => tryAgent(agent, config, message, signal)} />
      </div>
    </>
  );
}

/** The config is merged key by key; null removes a key. */
function whole(agent: Agent, { config, ...changes }: AgentChanges): object {
  const merged = Object.entries({ ...agent.config, ...config }).filter(([, value]) => value !== null);
  return { ...agent, ...changes, config: Object.fromEntries(merged) };
}

/** A connection holds secrets. */
function isNoConnection(path: string): boolean {
  return !path.startsWith('config.');
}
