import { useState, type FormEvent, type ReactNode } from 'react';
import type { Suite, SuiteFields } from '../api/suites';
import { Field } from '../parts/field';
import { Problem } from '../parts/problem';
import { ScenarioPicker } from '../scenarios/scenario-picker';

interface Props {
  /** Null for a new one. */
  readonly suite: Suite | null;
  readonly onSave: (fields: SuiteFields) => void;
  readonly busy: boolean;
  readonly error: unknown;
  readonly children?: ReactNode;
}

export function SuiteForm({ suite, onSave, busy, error, children }: Props) {
  const [name, setName] = useState(suite?.name ?? '');
  const [description, setDescription] = useState(suite?.description ?? '');
  const [chosen, setChosen] = useState<readonly string[]>(suite?.scenario_ids ?? []);
  const save = (event: FormEvent) => {
    event.preventDefault();
    onSave({ name: name.trim(), description: description.trim() || null, scenario_ids: chosen });
  };
  return (
    <form className="form" onSubmit={save}>
      <div className="panel">
        <Field label="Name">
          {(control) => (
            <input
              {...control}
              required
              maxLength={500}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Description" optional>
          {(control) => (
            <textarea
              {...control}
              rows={2}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
      </div>
      <fieldset className="panel">
        <legend>Scenarios</legend>
        <ScenarioPicker chosen={chosen} onChange={setChosen} />
      </fieldset>
      {error !== null && error !== undefined && <Problem error={error} />}
      <div className="actions">
        <button type="submit" className="button primary" disabled={busy}>
          {suite === null ? 'Make the suite' : 'Save'}
        </button>
        {children}
      </div>
    </form>
  );
}
