import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Link } from 'wouter';
import { scenarios, type Scenario, type ScenarioChanges } from '../api/scenarios';
import { suites, type Suite } from '../api/suites';
import { ApiError } from '../api/client';
import { Field } from '../parts/field';
import { counted } from '../parts/numbers';
import { Problem } from '../parts/problem';
import { Name } from '../parts/untrusted-text';
import { useMaking } from '../parts/use-making';
import { useList, useListRefresh } from '../parts/use-resource';
import { visibleText } from '../parts/visible-parts';
import { saveScenarios } from './scenario-file';
import { approvalFields, Signature, untouched } from './approval-fields';

/** A scenario with the hash of the content that was listed when it was chosen. */
export type ChosenScenario = Scenario & { readonly readHash: string };

interface Props {
  /** At least one. */
  readonly chosen: readonly ChosenScenario[];
  readonly onClear: () => void;
}

type Action = 'approve' | 'tag' | 'suite';

const ACTIONS: readonly (readonly [Action, string])[] = [
  ['approve', 'Approve…'],
  ['tag', 'Add a tag…'],
  ['suite', 'Put into a suite…'],
];

/** What can be done with several scenarios at once. */
export function ChosenScenarios({ chosen, onClear }: Props) {
  const [action, setAction] = useState<Action | null>(null);
  return (
    <section className="panel stack" aria-label="Chosen scenarios">
      <div className="actions">
        <strong role="status">{counted(chosen.length, 'scenario')} chosen</strong>
        {ACTIONS.map(([name, label]) => (
          <button
            key={name}
            type="button"
            className="button"
            aria-pressed={action === name}
            onClick={() => setAction(action === name ? null : name)}
          >
            {label}
          </button>
        ))}
        <button type="button" className="button" onClick={() => saveScenarios(chosen)}>
          Download
        </button>
        <button type="button" className="button" onClick={onClear}>
          Choose none
        </button>
      </div>
      {action === 'approve' && <Approving chosen={chosen} />}
      {action === 'tag' && <Tagging chosen={chosen} />}
      {action === 'suite' && <Gathering chosen={chosen} />}
    </section>
  );
}

/** Changes one scenario after another: each only if it is still as it was listed. */
function useEach(chosen: readonly ChosenScenario[]) {
  const refresh = useListRefresh(scenarios);
  return useMutation({
    mutationFn: async (changesOf: (scenario: Scenario) => ScenarioChanges) => {
      for (const [done, listed] of chosen.entries()) {
        try {
          const { etag, ...now } = await scenarios.get(listed.scenario_id, AbortSignal.timeout(30_000));
          if (now.content_hash !== listed.readHash)
            throw new ApiError('its text was changed since it was chosen: read it again.', 0);
          await scenarios.patch(listed.scenario_id, changesOf(now), etag);
        } catch (error) {
          const reason = error instanceof Error ? error.message : 'for an unknown reason.';
          throw new ApiError(`${counted(done, 'scenario')} changed; then “${listed.name}” was not: ${reason}`, 0);
        }
      }
      return chosen.length;
    },
    onSettled: () => refresh(),
  });
}

function Outcome({ of: { isPending, isError, isSuccess, error, data } }: { readonly of: ReturnType<typeof useEach> }) {
  return (
    <div aria-live="polite">
      {isPending && <p>Changing them…</p>}
      {isError && <Problem error={error} />}
      {isSuccess && <p>{counted(data, 'scenario')} changed.</p>}
    </div>
  );
}

function Approving({ chosen }: Pick<Props, 'chosen'>) {
  const [draft, setDraft] = useState(() => ({ ...untouched(), decision: 'approve' as const }));
  const [isRead, setRead] = useState(false);
  const changing = useEach(chosen);
  const approve = (event: FormEvent) => {
    event.preventDefault();
    const fields = approvalFields(draft);
    changing.mutate(() => fields);
  };
  return (
    <form className="stack" onSubmit={approve}>
      <Signature draft={draft} onChange={({ by, role }) => setDraft({ ...draft, by, role })} />
      <label className="check">
        <input type="checkbox" required checked={isRead} onChange={({ target }) => setRead(target.checked)} />
        <span>I have read the script and the rubric of each of them.</span>
      </label>
      <div className="actions">
        <button type="submit" className="button primary" disabled={changing.isPending}>
          Approve {counted(chosen.length, 'scenario')}
        </button>
      </div>
      <Outcome of={changing} />
    </form>
  );
}

function Tagging({ chosen }: Pick<Props, 'chosen'>) {
  const [text, setText] = useState('');
  const changing = useEach(chosen);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const tag = text.trim();
    if (tag !== '') changing.mutate(({ tags }) => ({ tags: [...new Set([...tags, tag])] }));
  };
  return (
    <form className="stack" onSubmit={add}>
      <Field label="Tag">
        {(control) => (
          <input {...control} required maxLength={200} value={text} onChange={({ target }) => setText(target.value)} />
        )}
      </Field>
      <div className="actions">
        <button type="submit" className="button primary" disabled={changing.isPending}>
          Add the tag
        </button>
      </div>
      <Outcome of={changing} />
    </form>
  );
}

interface Wanted {
  /** The id of a suite; '' for a new one. */
  readonly suite: string;
  readonly name: string;
  readonly ids: readonly string[];
}

/** Adds them to a suite that there is, or makes one. */
function Gathering({ chosen }: Pick<Props, 'chosen'>) {
  const list = useList(suites);
  const refresh = useListRefresh(suites);
  const [suiteId, setSuiteId] = useState('');
  const [name, setName] = useState('');
  const [gathered, setGathered] = useState<Suite | null>(null);
  const gathering = useMaking(
    async ({ suite, name: newName, ids }: Wanted, idempotencyKey) => {
      if (suite === '') return suites.create({ name: newName, scenario_ids: [...ids] }, idempotencyKey);
      const { etag, scenario_ids } = await suites.get(suite, AbortSignal.timeout(30_000));
      return suites.patch(suite, { scenario_ids: [...new Set([...scenario_ids, ...ids])] }, etag);
    },
    (made) => {
      setGathered(made);
      return refresh();
    },
  );
  const gather = (event: FormEvent) => {
    event.preventDefault();
    const ids = chosen.map(({ scenario_id }) => scenario_id);
    if (suiteId !== '' || name.trim() !== '') gathering.mutate({ suite: suiteId, name: name.trim(), ids });
  };
  return (
    <form className="stack" onSubmit={gather}>
      <div className="form-row">
        <Field label="Suite">
          {(control) => (
            <select {...control} value={suiteId} onChange={({ target }) => setSuiteId(target.value)}>
              <option value="">a new one</option>
              {(list.data ?? []).map((suite) => (
                <option key={suite.id} value={suite.id}>
                  {visibleText(suite.name)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {suiteId === '' && (
          <Field label="Name of the new suite">
            {(control) => (
              <input
                {...control}
                required
                maxLength={500}
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
        )}
      </div>
      <div className="actions">
        <button type="submit" className="button primary" disabled={gathering.isPending}>
          {suiteId === '' ? 'Create the suite' : 'Add them'}
        </button>
      </div>
      <div aria-live="polite">
        {gathering.isError && <Problem error={gathering.error} />}
        {gathering.isSuccess && gathered !== null && (
          <p>
            They are in the suite{' '}
            <Link href={`/suites/${gathered.id}`}>
              <Name>{gathered.name}</Name>
            </Link>
            .
          </p>
        )}
      </div>
    </form>
  );
}
