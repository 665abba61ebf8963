import { Link } from 'wouter';
import { Field } from '../parts/field';
import { TagChips } from '../parts/tag-chips';
import { ScenarioPicker } from '../scenarios/scenario-picker';
import { tagsOf } from '../scenarios/scenario-search';
import type { Draft, Library, Selection } from './plan';
import { visibleText } from '../parts/visible-parts';

interface Props {
  readonly draft: Draft;
  readonly library: Library;
  readonly onChange: (changes: Partial<Draft>) => void;
}

const SELECTIONS: readonly (readonly [selection: Selection, label: string, help: string])[] = [
  ['all', 'All approved scenarios', 'Every one that is approved, with or without the name of a clinician.'],
  ['tags', 'By tag', 'Approved scenarios with any of the tags.'],
  ['suite', 'A suite', 'A named selection.'],
  ['scenarios', 'These scenarios', 'Chosen one by one, including drafts.'],
];

/** The choice of scenarios. */
export function SelectionFields({ draft, library, onChange }: Props) {
  return (
    <fieldset className="panel">
      <legend>Scenarios</legend>
      <div className="choices">
        {SELECTIONS.map(([selection, label, help]) => (
          <label key={selection} className="choice">
            <input
              type="radio"
              name="selection"
              checked={draft.selection === selection}
              onChange={() => onChange({ selection })}
            />
            <span>
              <strong>{label}</strong>
              <span className="help">{help}</span>
            </span>
          </label>
        ))}
      </div>
      {draft.selection === 'tags' && <Tags draft={draft} library={library} onChange={onChange} />}
      {draft.selection === 'suite' && <Suites draft={draft} library={library} onChange={onChange} />}
      {draft.selection === 'scenarios' && (
        <ScenarioPicker chosen={draft.scenarioIds} onChange={(scenarioIds) => onChange({ scenarioIds })} />
      )}
    </fieldset>
  );
}

function Tags({ draft, library, onChange }: Props) {
  const tags = tagsOf(library.scenarios.filter(({ approved }) => approved));
  if (tags.length === 0) return <p className="quiet">No approved scenario has a tag.</p>;
  return <TagChips tags={tags} chosen={draft.tags} onChange={(chosen) => onChange({ tags: chosen })} />;
}

function Suites({ draft, library, onChange }: Props) {
  if (library.suites.length === 0) {
    return (
      <p className="quiet">
        There are no suites yet. <Link href="/suites/new">Create one</Link>, or choose the scenarios one by one.
      </p>
    );
  }
  return (
    <Field label="Suite">
      {(control) => (
        <select {...control} value={draft.suiteId} onChange={(event) => onChange({ suiteId: event.target.value })}>
          <option value="">Choose a suite</option>
          {library.suites.map((suite) => (
            <option key={suite.id} value={suite.id}>
              {visibleText(suite.name)} ({suite.scenario_ids.length})
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
