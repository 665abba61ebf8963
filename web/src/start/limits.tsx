import { Field } from '../parts/field';
import type { Draft } from './plan';

interface Props {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
  /** False where something else says when the run starts. */
  readonly hasTime?: boolean;
}

/** Limits and start time of the run. */
export function Limits({ draft, onChange, hasTime = true }: Props) {
  return (
    <fieldset className="panel">
      <legend>Limits</legend>
      <div className="form-row">
        {draft.selection !== 'scenarios' && (
          <Field label="Max scenarios" optional>
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
        <Field label="Trials" optional help="How many times each scenario is run.">
          {(control) => (
            <input
              {...control}
              type="number"
              min={1}
              max={20}
              placeholder="1"
              value={draft.trials}
              onChange={(event) => onChange({ trials: event.target.value })}
            />
          )}
        </Field>
        <Field label="Turns per conversation" optional>
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
        <Field label="Concurrency" optional>
          {(control) => (
            <input
              {...control}
              type="number"
              min={1}
              max={2000}
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
      {hasTime && (
        <Field label="Start later" optional help="In your time zone. Leave empty to start now.">
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
      )}
    </fieldset>
  );
}
