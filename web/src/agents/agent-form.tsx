import { useImperativeHandle, useState, type FormEvent, type Ref } from 'react';
import type { Agent, AgentConfig, AgentFields } from '../api/agents';
import { conversationWarning } from '../../../src/domain';
import { FormEnd } from '../parts/form-end';
import { namedFields, NameFields, type Named } from '../parts/name-fields';
import type { Saving } from '../parts/saving';
import { ConfigControl } from './config-control';
import { configChanges, draftOf, type ConfigDraft } from './config-draft';
import { PROVIDER_FORMS, providerForm } from './config-fields';

interface Props {
  /** Null for a new one. */
  readonly agent: Agent | null;
  /** What a new one begins with. */
  readonly start?: AgentStart | undefined;
  readonly saving: Saving<AgentFields & { readonly provider: string }>;
  /** Lets a parent try what is in the form. */
  readonly ref: Ref<AgentFormHandle>;
}

export interface AgentStart {
  readonly name: string;
  readonly provider: string;
  readonly config: AgentConfig;
}

export interface AgentFormHandle {
  /** The connection in the form (for a stored agent only the changes); null when a field cannot be used, which is then marked. */
  readonly connection: () => { readonly provider: string; readonly config: AgentConfig } | null;
  /** Enters a text into a field of the connection. */
  readonly enter: (key: string, text: string) => void;
}

const NO_CONFIG: AgentConfig = {};

/** An agent's name and connection; which fields there are depends on its provider. */
export function AgentForm({ agent, start, saving, ref }: Props) {
  const stored = agent?.config ?? NO_CONFIG;
  const [provider, setProvider] = useState(agent?.provider ?? start?.provider ?? 'openai');
  const [named, setNamed] = useState<Named>({
    name: agent?.name ?? start?.name ?? '',
    description: agent?.description ?? '',
  });
  const fields = providerForm(provider)?.fields ?? [];
  const [draft, setDraft] = useState<ConfigDraft>(() => draftOf(start?.config ?? stored, fields));
  const [entered, setEntered] = useState<ReadonlySet<string>>(new Set());
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});

  const connection = () => {
    const { changes, wrong: found } = configChanges(draft, stored, fields, entered);
    setWrong(found);
    if (Object.keys(found).length > 0) return null;
    return { provider, config: agent === null ? withoutNulls(changes) : changes };
  };
  const enter = (key: string, text: string) => {
    setDraft({ ...draft, [key]: text });
    setEntered(new Set(entered).add(key));
  };
  useImperativeHandle(ref, () => ({ connection, enter }));
  const save = (event: FormEvent) => {
    event.preventDefault();
    const read = connection();
    if (read !== null) saving.mutate({ ...read, ...namedFields(named) });
  };
  const control = (field: (typeof fields)[number]) => (
    <ConfigControl
      key={`${provider} ${field.key}`}
      field={field}
      value={draft[field.key] ?? ''}
      wrong={wrong[field.key]}
      onChange={(value) => enter(field.key, value)}
    />
  );
  const seldom = fields.filter((field) => field.seldom === true);
  // Open if any stored value is set: it does not close while the reader clears a field in it.
  const before = draftOf(start?.config ?? stored, seldom);
  const isSeldomOpen = seldom.some(({ key }) => before[key] !== '');
  return (
    <form className="form" onSubmit={save}>
      {agent === null && <ProviderChoice provider={provider} onChoose={setProvider} />}
      <NameFields value={named} onChange={setNamed} />
      <fieldset className="panel fields">
        <legend>Connection</legend>
        {fields.length === 0 && <p>This page does not know the fields of {provider} agents: use the API.</p>}
        {fields.filter((field) => field.seldom !== true).map(control)}
        <UnkeptConversation provider={provider} draft={draft} />
        {seldom.length > 0 && (
          <details className="seldom" open={isSeldomOpen || undefined}>
            <summary>Advanced</summary>
            <div className="fields">{seldom.map(control)}</div>
          </details>
        )}
      </fieldset>
      <FormEnd
        saving={saving}
        label={agent === null ? 'Register the agent' : 'Save'}
        draft={{ provider, named, draft }}
      />
    </form>
  );
}

function ProviderChoice({ provider, onChoose }: { provider: string; onChoose: (provider: string) => void }) {
  return (
    <fieldset className="panel">
      <legend>Type of agent</legend>
      <div className="choices">
        {PROVIDER_FORMS.map((form) => (
          <label key={form.provider} className="choice">
            <input
              type="radio"
              name="provider"
              value={form.provider}
              checked={provider === form.provider}
              onChange={() => onChoose(form.provider)}
            />
            <span>
              <strong>{form.label}</strong>
              <span className="help">{form.description}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function withoutNulls(config: AgentConfig): AgentConfig {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}

/** The warning appears as soon as there is an address and a body, or a query, to check. */
function UnkeptConversation({ provider, draft }: { readonly provider: string; readonly draft: ConfigDraft }) {
  const { url = '', body = '' } = draft;
  const isBegun = url.trim() !== '' && /\{\{/.test(url + body);
  const warning = isBegun ? conversationWarning(provider, draft) : null;
  return <div aria-live="polite">{warning !== null && <p className="notice">{warning}</p>}</div>;
}
