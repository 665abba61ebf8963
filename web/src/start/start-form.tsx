import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { DEFAULT_REGION, REGIONS } from '../../../src/domain';
import { providerForm } from '../agents/config-fields';
import { startRunSet } from '../api/run-sets';
import { startRun } from '../api/runs';
import { Field } from '../parts/field';
import { useMay, WhyNot } from '../parts/permissions';
import { Problem } from '../parts/problem';
import { useMaking } from '../parts/use-making';
import { Name } from '../parts/untrusted-text';
import { FurtherAgents } from './further-agents';
import { lastAgent } from './last-agent';
import { Limits } from './limits';
import { planOf, type Draft, type Library, type Start } from './plan';
import { SelectionFields } from './selection-fields';
import { visibleText } from '../parts/visible-parts';

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
    agentId: agentId ?? lastAgent.among(library.agents) ?? '',
    furtherIds: [],
    name: '',
    agentVersion: '',
    selection: suiteId !== null ? 'suite' : scenarioId !== null ? 'scenarios' : 'all',
    tags: [],
    suiteId: suiteId ?? '',
    scenarioIds: scenarioId === null ? [] : [scenarioId],
    maxScenarios: '',
    trials: '',
    maxTurns: '',
    concurrency: '',
    passThreshold: '',
    region: DEFAULT_REGION,
    scheduledAt: '',
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
        <fieldset className="panel">
          <legend>Agent under test</legend>
          <Field label="Agent">
            {(control) => (
              <select
                {...control}
                required
                value={draft.agentId}
                onChange={({ target: { value } }) =>
                  change({ agentId: value, furtherIds: draft.furtherIds.filter((id) => id !== value) })
                }
              >
                <option value="">Choose an agent</option>
                {library.agents.map((agent) => (
                  <option key={agent.id} value={agent.id} disabled={!agent.is_active}>
                    {visibleText(agent.name)} ({visibleText(providerForm(agent.provider)?.label ?? agent.provider)})
                    {agent.is_active ? '' : ', inactive'}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {draft.agentId !== '' && (
            <FurtherAgents
              agents={others}
              chosen={draft.furtherIds}
              onChange={(furtherIds) => change({ furtherIds })}
            />
          )}
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
                onChange={(event) => change({ agentVersion: event.target.value })}
              />
            )}
          </Field>
          <Field
            label="Region"
            help="Where its patients are: which numbers reach their emergency services depends on it."
          >
            {(control) => (
              <select
                {...control}
                className="narrow"
                value={draft.region}
                onChange={(event) => {
                  const region = REGIONS.find((one) => one === event.target.value);
                  if (region !== undefined) change({ region });
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
                onChange={(event) => change({ name: event.target.value })}
              />
            )}
          </Field>
        </fieldset>
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
  if (planned.kind === 'run') return `/runs/${(await startRun(planned.body, idempotencyKey)).id}`;
  return `/sets/${(await startRunSet(planned.body, idempotencyKey)).id}`;
}
