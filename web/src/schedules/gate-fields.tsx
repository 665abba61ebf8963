import { Field } from '../parts/field';
import type { ScheduleDraft } from './schedule-draft';

interface Props {
  readonly draft: ScheduleDraft;
  readonly onChange: (changes: Partial<ScheduleDraft>) => void;
}

/** What each run that has ended is measured by. */
export function GateFields({ draft, onChange }: Props) {
  return (
    <fieldset className="panel">
      <legend>Gate</legend>
      <p className="help">A run that does not pass is marked in the history, and webhooks are told.</p>
      <div className="form-row">
        <Field label="Required pass rate, %" optional>
          {(control) => (
            <input
              {...control}
              type="number"
              min={0}
              max={100}
              step="any"
              placeholder="none"
              value={draft.failUnder}
              onChange={(event) => onChange({ failUnder: event.target.value })}
            />
          )}
        </Field>
        <Field label="Against the agent’s baseline">
          {(control) => (
            <select
              {...control}
              value={draft.failOn}
              onChange={({ target: { value } }) =>
                onChange({ failOn: value === 'worse' || value === 'violation' ? value : '' })
              }
            >
              <option value="">Not compared</option>
              <option value="worse">Not worse</option>
              <option value="violation">Not worse, no new must-pass violation</option>
            </select>
          )}
        </Field>
        <Field label="Required coverage, %" optional help="The share of conversations that need a verdict.">
          {(control) => (
            <input
              {...control}
              type="number"
              min={0}
              max={100}
              step="any"
              placeholder="none"
              value={draft.minCoverage}
              onChange={(event) => onChange({ minCoverage: event.target.value })}
            />
          )}
        </Field>
      </div>
    </fieldset>
  );
}
