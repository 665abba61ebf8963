import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { startRunSet } from '../api/run-sets';
import { startRun, type StartOfAgent } from '../api/runs';
import { useMay, WhyNot } from '../parts/permissions';
import { Problem } from '../parts/problem';
import { useMaking } from '../parts/use-making';
import { Name } from '../parts/untrusted-text';
import { AgentFields } from './agent-fields';
import { FurtherAgents } from './further-agents';
import { lastAgent } from './last-agent';
import { Limits } from './limits';
import { canBeInTextToo, EMPTY_DRAFT, planOf, type Draft, type Library, type Start } from './plan';
import { SelectionFields } from './selection-fields';
import { VoiceFields } from './voice-fields';

interface Props {
  readonly library: Library;
  readonly agentId: string | null;
  readonly suiteId: string | null;
  readonly scenarioId: string | null;
}

/** The form for a run: agent, scenarios and limits, with a summary of what the run will do. */
export function StartForm({ library, agentId, suiteId, scenarioId }: Props) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const mayRun = useMay('run');
  const [draft, setDraft] = useState<Draft>(() => ({
    ...EMPTY_DRAFT,
    agentId: agentId ?? lastAgent.among(library.agents) ?? '',
    selection: suiteId !== null ? 'suite' : scenarioId !== null ? 'scenarios' : 'all',
    suiteId: suiteId ?? '',
    scenarioIds: scenarioId === null ? [] : [scenarioId],
  }));
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const plan = planOf(draft, library);
  const start = useMaking(begin, (view) => {
    lastAgent.remember(draft.agentId);
    void queries.invalidateQueries({ queryKey: ['runs'] });
    go(view);
  });
  const others = library.agents.filter(({ id, is_active }) => is_active && id !== draft.agentId);
  const what = draft.furtherIds.length > 0 ? 'runs' : 'run';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (plan.request !== null) start.mutate(plan.request);
  };
  return (
    <form className="beside start" onSubmit={submit}>
      <div className="form">
        <AgentFields draft={draft} agents={library.agents} onChange={change}>
          {draft.agentId !== '' && (
            <FurtherAgents
              agents={others}
              chosen={draft.furtherIds}
              onChange={(furtherIds) => change({ furtherIds })}
            />
          )}
        </AgentFields>
        <VoiceFields draft={draft} agents={library.agents} onChange={change}>
          {canBeInTextToo(draft, library.agents) && (
            <label className="choice">
              <input
                type="checkbox"
                checked={draft.isInTextToo}
                onChange={({ target }) => change({ isInTextToo: target.checked })}
              />
              <span>
                <strong>Examine in text as well</strong>
                <span className="help">A second run of the same scenarios shows what voice costs.</span>
              </span>
            </label>
          )}
        </VoiceFields>
        <SelectionFields draft={draft} library={library} onChange={change} />
        <Limits draft={draft} onChange={change} />
      </div>
      <aside className="panel plan" aria-labelledby="plan-title">
        <h2 id="plan-title">What the {what} will do</h2>
        <div role="status" className="stack">
          {plan.obstacle !== null && <p className="quiet">{plan.obstacle}</p>}
          {plan.sentences.map((sentence, index) => (
            <p key={index}>
              <Name>{sentence}</Name>
            </p>
          ))}
        </div>
        {start.isError && <Problem error={start.error} />}
        <button type="submit" className="button primary" disabled={plan.request === null || start.isPending || !mayRun}>
          {start.isPending ? 'Starting…' : draft.scheduledAt === '' ? `Start the ${what}` : `Schedule the ${what}`}
        </button>
        <WhyNot to="run" />
      </aside>
    </form>
  );
}

/** Starts what is planned, and returns the address of its view. */
async function begin(planned: Start, idempotencyKey: string): Promise<string> {
  if (planned.kind === 'run') return `/runs/${await beginRun(planned.body, planned.isInTextToo, idempotencyKey)}`;
  return `/sets/${(await startRunSet(planned.body, idempotencyKey)).id}`;
}

/** Where the twin is refused, the same start sent again makes no second run. */
async function beginRun(body: StartOfAgent, isInTextToo: boolean, idempotencyKey: string): Promise<string> {
  const { id } = await startRun(body, idempotencyKey);
  if (isInTextToo) {
    const { name, concurrency_limit, scheduled_at } = body;
    await startRun({ twin_of: id, modality: 'text', name, concurrency_limit, scheduled_at }, `${idempotencyKey}-text`);
  }
  return id;
}
