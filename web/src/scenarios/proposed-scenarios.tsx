import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/client';
import { newIdempotencyKey } from '../api/idempotency-key';
import { scenarios, type ScenarioFields, type ScenarioProposal } from '../api/scenarios';
import { counted } from '../parts/numbers';
import { Problem } from '../parts/problem';
import { useListRefresh } from '../parts/use-resource';
import { ProposalCard } from './proposal-card';

/** A scenario that is not stored; one from a file says more than one that was generated. */
type Proposal = ScenarioProposal & Partial<Pick<ScenarioFields, 'severity' | 'scenario_type' | 'priority'>>;

export interface Proposed {
  readonly proposal: Proposal;
  readonly chosen: boolean;
  /** What one should know before it is saved. */
  readonly note?: string;
}

/** More are fixed after these. */
const MOST_REFUSED = 10;

interface Props {
  readonly proposed: readonly Proposed[];
  readonly onChange: (change: (proposed: readonly Proposed[]) => readonly Proposed[]) => void;
}

/** Scenarios that are not stored yet: each is read, renamed, left out, and those that are chosen are saved as drafts. */
export function ProposedScenarios({ proposed, onChange }: Props) {
  const [, go] = useLocation();
  const refreshLibrary = useListRefresh(scenarios);
  /** The idempotency key of each proposal as it is: an edited one gets another. */
  const keys = useRef(new WeakMap<Proposal, string>());
  const save = useMutation({
    mutationFn: async (chosen: readonly Proposed[]) => {
      const refused: string[] = [];
      for (const entry of chosen) {
        const { findings: _, ...proposal } = entry.proposal;
        const key = keys.current.get(entry.proposal) ?? newIdempotencyKey();
        keys.current.set(entry.proposal, key);
        try {
          await scenarios.create({ ...proposal, approved: false }, key);
        } catch (error) {
          // One that is wrong does not keep the others from being saved; anything else would meet them too.
          if (!(error instanceof ApiError) || error.status !== 400) throw error;
          refused.push(`“${proposal.name}”: ${error.message}`);
          continue;
        }
        // Scenarios already stored are not offered again when a later one fails.
        onChange((all) => all.filter((other) => other !== entry));
      }
      if (refused.length > 0) throw new ApiError(`Not saved: ${refused.slice(0, MOST_REFUSED).join(' ')}`, 400);
    },
    onSettled: refreshLibrary,
  });
  const chosen = proposed.filter((entry) => entry.chosen);
  return (
    <section aria-labelledby="preview-title" className="stack">
      <h2 id="preview-title">Preview: {counted(proposed.length, 'scenario')}, nothing saved yet</h2>
      {proposed.map((entry, index) => (
        <ProposalCard
          key={index}
          proposal={entry.proposal}
          chosen={entry.chosen}
          note={entry.note}
          onChange={(changes) =>
            onChange((all) => all.map((other) => (other === entry ? { ...other, ...changes } : other)))
          }
        />
      ))}
      {save.isError && <Problem error={save.error} />}
      <div className="actions">
        <button
          type="button"
          className="button primary"
          disabled={save.isPending || chosen.length === 0}
          onClick={() => save.mutate(chosen, { onSuccess: () => go('/scenarios?approval=draft') })}
        >
          {save.isPending
            ? 'Saving…'
            : chosen.length === 0
              ? 'Tick the scenarios to save'
              : `Save ${counted(chosen.length, 'scenario')} for approval`}
        </button>
      </div>
    </section>
  );
}
