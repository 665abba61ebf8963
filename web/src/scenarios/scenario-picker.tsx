import { useMemo, useState } from 'react';
import { approvalWords, spaced } from '../../../src/domain';
import { scenarios } from '../api/scenarios';
import { Loading } from '../parts/loading';
import { counted } from '../parts/numbers';
import { Problem } from '../parts/problem';
import { Name } from '../parts/untrusted-text';
import { useList } from '../parts/use-resource';
import { matching } from './scenario-search';

interface Props {
  /** Scenario ids in the order in which they were chosen. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

const SHOWN_AT_MOST = 200;

/** Choosing scenarios from the library: search, then tick. */
export function ScenarioPicker({ chosen, onChange }: Props) {
  const library = useList(scenarios);
  const [text, setText] = useState('');
  const found = useMemo(() => matching(library.data ?? [], { text, tag: '', approval: 'all' }), [library.data, text]);
  const isChosen = new Set(chosen);
  const listed = found.slice(0, SHOWN_AT_MOST);
  const toggle = (id: string) => onChange(isChosen.has(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  const known = new Set((library.data ?? []).map(({ scenario_id }) => scenario_id));
  const gone = library.data === undefined ? [] : chosen.filter((id) => !known.has(id));
  if (library.isPending) return <Loading />;
  if (library.isError) return <Problem error={library.error} onRetry={() => void library.refetch()} />;
  return (
    <div className="stack">
      <div className="filters">
        <input
          className="search"
          type="search"
          aria-label="Search scenarios"
          placeholder="Search names, complaints, tags"
          value={text}
          onChange={(event) => setText(event.target.value)}
          // Enter searches instead of submitting the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        <button
          type="button"
          className="button small"
          onClick={() => onChange([...new Set([...chosen, ...found.map(({ scenario_id }) => scenario_id)])])}
        >
          Choose all {found.length}
        </button>
        <button type="button" className="button small" disabled={chosen.length === 0} onClick={() => onChange([])}>
          Clear
        </button>
        <span className="quiet number" role="status">
          {counted(chosen.length, 'scenario')} chosen
        </span>
      </div>
      {gone.length > 0 && (
        <p className="notice">
          {counted(gone.length, 'chosen scenario is', 'chosen scenarios are')} no longer in the library.{' '}
          <button type="button" className="link" onClick={() => onChange(chosen.filter((id) => known.has(id)))}>
            Leave out the missing ones
          </button>
        </p>
      )}
      <ul className="picker" tabIndex={0} aria-label="Scenarios to choose from">
        {listed.map((scenario) => (
          <li key={scenario.scenario_id}>
            <label className="check">
              <input
                type="checkbox"
                checked={isChosen.has(scenario.scenario_id)}
                onChange={() => toggle(scenario.scenario_id)}
              />
              <span>
                <Name>{scenario.name}</Name>
                <span className="help">
                  {' '}
                  <Name>{spaced(scenario.category)}</Name>, <Name>{approvalWords(scenario)}</Name>
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {found.length > listed.length && (
        <p className="help">The first {SHOWN_AT_MOST} are listed; search to see the rest.</p>
      )}
    </div>
  );
}
