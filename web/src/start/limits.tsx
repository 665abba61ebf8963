import { Field } from '../parts/field';
import type { Draft } from './plan';

interface Props {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** Within which limits, and when. */
export function Limits({ draft, onChange }: Props) {
  return (
    <fieldset className="panel">
      <legend>Limits</legend>
      <div className="form-row">
        {draft.selection !== 'scenarios' && (
          <Field label="Scenarios at most" optional>
            {(control) => (
              <input
                {...control}
                type="number"
                min={1}
                placeholder="all"
                value={draft.maxScenarios}
                onChange={(event) => onChange({ maxScenarios: event.target.value })}
              />
            )}
          </Field>
        )}
        <Field label="Turns each" optional>
          {(control) => (
            <input
              {...control}
              type="number"
              min={5}
              max={7}
              placeholder="6"
              value={draft.maxTurns}
              onChange={(event) => onChange({ maxTurns: event.target.value })}
            />
          )}
        </Field>
        <Field label="At once" optional>
          {(control) => (
            <input
              {...control}
              type="number"
              min={1}
              placeholder="6"
              value={draft.concurrency}
              onChange={(event) => onChange({ concurrency: event.target.value })}
            />
          )}
        </Field>
        <Field label="Pass threshold, %" optional>
          {(control) => (
            <input
              {...control}
              type="number"
              min={0}
              max={100}
              step="any"
              placeholder="50"
              value={draft.passThreshold}
              onChange={(event) => onChange({ passThreshold: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Field label="Start later" optional help="In your time zone. Left empty, it starts at once.">
        {(control) => (
          <input
            {...control}
            className="narrow"
            type="datetime-local"
            value={draft.scheduledAt}
            onChange={(event) => onChange({ scheduledAt: event.target.value })}
          />
        )}
      </Field>
    </fieldset>
  );
}
