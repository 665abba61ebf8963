import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { previewStarts } from '../api/schedules';
import { Field } from '../parts/field';
import { Problem } from '../parts/problem';
import { NextStarts } from './next-starts';
import type { ScheduleDraft } from './schedule-draft';

interface Props {
  readonly draft: ScheduleDraft;
  readonly onChange: (changes: Partial<ScheduleDraft>) => void;
}

const ZONES = Intl.supportedValuesOf('timeZone');

/** When the runs start, with the next three starts. */
export function TimingFields({ draft, onChange }: Props) {
  const [cron, timeZone] = [useDeferredValue(draft.cron.trim()), useDeferredValue(draft.timeZone.trim())];
  const preview = useQuery({
    queryKey: ['schedule-preview', cron, timeZone],
    queryFn: ({ signal }) => previewStarts(cron, timeZone, signal),
    retry: false,
  });
  return (
    <fieldset className="panel">
      <legend>When</legend>
      <div className="form-row">
        <Field
          label="Cron expression"
          help={
            <>
              Minute, hour, day of month, month, day of week: <code>0 3 * * 1-5</code> is 3:00 from Monday to Friday.
            </>
          }
        >
          {(control) => (
            <input
              {...control}
              required
              className="code"
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              value={draft.cron}
              onChange={(event) => onChange({ cron: event.target.value })}
            />
          )}
        </Field>
        <Field label="Time zone" help="An IANA name, such as Europe/Berlin.">
          {(control) => (
            <>
              <input
                {...control}
                required
                maxLength={100}
                list="time-zones"
                autoComplete="off"
                spellCheck={false}
                value={draft.timeZone}
                onChange={(event) => onChange({ timeZone: event.target.value })}
              />
              <datalist id="time-zones">
                {['UTC', ...ZONES].map((zone) => (
                  <option key={zone} value={zone} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Field label="While its run before is still going">
          {(control) => (
            <select
              {...control}
              value={draft.overlap}
              onChange={({ target }) => onChange({ overlap: target.value === 'allow' ? 'allow' : 'skip' })}
            >
              <option value="skip">Skip the start</option>
              <option value="allow">Start one more</option>
            </select>
          )}
        </Field>
      </div>
      <div className="stack" role="group" aria-labelledby="next-title" aria-live="polite">
        <span className="label" id="next-title">
          Next three starts
        </span>
        {preview.isError ? (
          <Problem error={preview.error} />
        ) : preview.data === undefined ? (
          <p className="quiet">One moment…</p>
        ) : (
          <NextStarts starts={preview.data} timeZone={timeZone} />
        )}
      </div>
    </fieldset>
  );
}
