import { useRef } from 'react';
import { Link, useParams } from 'wouter';
import { agents, tryAgent, type Agent, type AgentChanges } from '../api/agents';
import type { Tagged } from '../api/resource';
import { ChangedMeanwhile } from '../parts/changed-meanwhile';
import { ConfirmButton } from '../parts/confirm-button';
import { LoadedPage } from '../parts/loaded';
import { Allowed, Offered } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { Name, UntrustedText } from '../parts/untrusted-text';
import { useEditing } from '../parts/use-editing';
import { useItem, useRemove } from '../parts/use-resource';
import { AgentBaseline } from './agent-baseline';
import { AgentForm, type AgentFormHandle } from './agent-form';
import { AgentOverTime } from './agent-over-time';
import { providerForm } from './config-fields';
import { TryAgent } from './try-agent';

const ABOVE = { href: '/agents', label: 'Agents' };

/** One agent: how it fared run after run, and in a tab of its own its connection. */
export function AgentPage() {
  const { id = '', tab } = useParams();
  return (
    <LoadedPage query={useItem(agents, id)} title="Agent" above={ABOVE}>
      {(agent) => <Found key={id} agent={agent} isConnection={tab === 'connection'} />}
    </LoadedPage>
  );
}

interface FoundProps {
  readonly agent: Tagged<Agent>;
  readonly isConnection: boolean;
}

function Found({ agent: loaded, isConnection }: FoundProps) {
  const editing = useEditing(agents, loaded.id, loaded, { whole });
  const { item: agent, changing } = editing;
  const removing = useRemove(agents, agent.id);
  return (
    <>
      <PageHead title={agent.name} above={ABOVE} lead={<WhatItIs agent={agent} />}>
        <Offered to="run">
          <Link href={`/start?agent=${agent.id}`} className="button primary">
            Examine this agent
          </Link>
        </Offered>
        <Link href={`/?agent_id=${agent.id}`} className="button">
          Its runs
        </Link>
      </PageHead>
      {!agent.is_active && <p className="notice">This agent is inactive: no run can be started against it.</p>}
      {agent.warnings.map((warning) => (
        <p key={warning} className="notice">
          <Name>{warning}</Name>
        </p>
      ))}
      {changing.isError && <Problem error={changing.error} />}
      {removing.isError && <Problem error={removing.error} />}
      <Tabs
        label="About this agent"
        tabs={[
          { href: `/agents/${agent.id}`, label: 'Over time', isCurrent: !isConnection },
          { href: `/agents/${agent.id}/connection`, label: 'Connection', isCurrent: isConnection },
        ]}
      />
      {isConnection ? (
        <>
          <Allowed to="run" otherwise={<ConfigText agent={agent} />}>
            <Connection agent={agent} editing={editing} />
          </Allowed>
          <div className="actions">
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
          </div>
        </>
      ) : (
        <>
          <AgentBaseline agentId={agent.id} />
          <AgentOverTime agentId={agent.id} />
        </>
      )}
    </>
  );
}

interface Tab {
  readonly href: string;
  readonly label: string;
  readonly isCurrent: boolean;
}

interface TabsProps {
  /** For a screen reader. */
  readonly label: string;
  readonly tabs: readonly Tab[];
}

/** Views of one thing, each with its own address. */
function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ href, label: name, isCurrent }) => (
        <Link key={href} href={href} {...(isCurrent && { 'aria-current': 'page' as const })}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** Its kind, and where it is reached. */
function WhatItIs({ agent: { provider, config, description } }: { readonly agent: Agent }) {
  const form = providerForm(provider);
  const address = form?.fields.flatMap(({ key, isAddress }) => {
    const value = isAddress === true ? config[key] : undefined;
    return typeof value === 'string' && value !== '' ? [value] : [];
  })[0];
  return (
    <>
      {form?.label ?? <Name>{provider}</Name>}
      {address !== undefined && (
        <>
          {' '}
          at <Name>{address}</Name>
        </>
      )}
      {description !== null && (
        <>
          <br />
          <Name>{description}</Name>
        </>
      )}
    </>
  );
}

/** What the form shows, for keys that may not change or try it: the service has masked its secrets. */
function ConfigText({ agent: { config } }: { readonly agent: Agent }) {
  return (
    <pre className="panel" tabIndex={0} role="region" aria-label="Agent config">
      <UntrustedText text={JSON.stringify(config, null, 2)} />
    </pre>
  );
}

interface ConnectionProps {
  readonly agent: Agent;
  readonly editing: ReturnType<typeof useEditing<Agent, AgentChanges>>;
}

function Connection({ agent, editing: { round, saving, conflict } }: ConnectionProps) {
  const form = useRef<AgentFormHandle>(null);
  return (
    <div className="beside">
      <div className="stack">
        <AgentForm key={round} agent={agent} saving={saving} ref={form} />
        <ChangedMeanwhile what="agent" conflict={conflict} isShown={isNoConnection} busy={saving.isPending} />
      </div>
      <TryAgent form={form} send={({ config }, message, signal) => tryAgent(agent, config, message, signal)} />
    </div>
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
