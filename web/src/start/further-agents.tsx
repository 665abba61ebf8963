import { useState } from 'react';
import type { Agent } from '../api/agents';
import { Name } from '../parts/untrusted-text';
import { RUNS_AT_MOST } from '../grid/ticked-runs';

interface Props {
  /** Those that can be examined, without the one that is chosen already. */
  readonly agents: readonly Agent[];
  /** Their ids. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** More than these are searched. */
const FEW = 12;
const SHOWN_AT_MOST = 60;

/** Agents to examine beside the first one, each in a run of its own; those that are chosen stay visible. */
export function FurtherAgents({ agents, chosen, onChange }: Props) {
  const [text, setText] = useState('');
  if (agents.length === 0) return null;
  const wanted = text.trim().toLowerCase();
  const isChosen = new Set(chosen);
  const found = agents.filter(({ id, name }) => isChosen.has(id) || name.toLowerCase().includes(wanted));
  const shown = found.filter(({ id }, place) => place < SHOWN_AT_MOST || isChosen.has(id));
  const isFull = chosen.length + 1 >= RUNS_AT_MOST;
  const toggle = (id: string) => onChange(isChosen.has(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <div className="field tag-chips">
      <span className="label" id="further-agents">
        Compare with<span className="optional"> (optional)</span>
      </span>
      {agents.length > FEW && (
        <input
          className="search"
          type="search"
          aria-label="Search agents"
          placeholder={`Search ${agents.length} agents`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          // Enter searches instead of submitting the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <div className="filters" role="group" aria-labelledby="further-agents">
        {shown.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className="chip"
            aria-pressed={isChosen.has(id)}
            disabled={isFull && !isChosen.has(id)}
            onClick={() => toggle(id)}
          >
            <Name>{name}</Name>
          </button>
        ))}
        {found.length === 0 && <span className="quiet">No agent matches.</span>}
        {found.length > shown.length && <span className="quiet">and {found.length - shown.length} more: search</span>}
      </div>
      <span className="help">
        Each has a run of its own over the same scenarios: started, canceled and compared together, {RUNS_AT_MOST} at
        most.
      </span>
    </div>
  );
}
