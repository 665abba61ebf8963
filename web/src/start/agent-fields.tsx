import type { ReactNode } from 'react';
import { REGIONS } from '../../../src/domain';
import { providerForm } from '../agents/config-fields';
import type { Agent } from '../api/agents';
import { Field } from '../parts/field';
import { visibleText } from '../parts/visible-parts';
import type { Draft } from './plan';

interface Props {
  readonly draft: Draft;
  readonly agents: readonly Agent[];
  readonly onChange: (changes: Partial<Draft>) => void;
  /** Below the choice of the agent. */
  readonly children?: ReactNode;
}

/** The agent that a run examines, and what the run is called. */
export function AgentFields({ draft, agents, onChange, children }: Props) {
  return (
    <fieldset className="panel">
      <legend>Agent under test</legend>
      <Field label="Agent">
        {(control) => (
          <select
            {...control}
            required
            value={draft.agentId}
            onChange={({ target: { value } }) =>
              onChange({ agentId: value, furtherIds: draft.furtherIds.filter((id) => id !== value) })
            }
          >
            <option value="">Choose an agent</option>
            {agents.map((agent) => (
              <option key={agent.id} value={agent.id} disabled={!agent.is_active}>
                {visibleText(agent.name)} ({visibleText(providerForm(agent.provider)?.label ?? agent.provider)})
                {agent.is_active ? '' : ', inactive'}
              </option>
            ))}
          </select>
        )}
      </Field>
      {children}
      <Field
        label="Version of the agent"
        optional
        help="Such as a git commit or the version of a prompt; kept with the results."
      >
        {(control) => (
          <input
            {...control}
            maxLength={200}
            value={draft.agentVersion}
            onChange={(event) => onChange({ agentVersion: event.target.value })}
          />
        )}
      </Field>
      <Field label="Region" help="Where its patients are: which numbers reach their emergency services depends on it.">
        {(control) => (
          <select
            {...control}
            className="narrow"
            value={draft.region}
            onChange={(event) => {
              const region = REGIONS.find((one) => one === event.target.value);
              if (region !== undefined) onChange({ region });
            }}
          >
            {REGIONS.map((region) => (
              <option key={region}>{region}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Name of the run" optional help="Identifies it in lists and comparisons.">
        {(control) => (
          <input
            {...control}
            maxLength={500}
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
    </fieldset>
  );
}
