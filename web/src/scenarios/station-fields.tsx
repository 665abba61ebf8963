import { useId } from 'react';
import type { ScenarioContent } from '../api/scenarios';
import { Field } from '../parts/field';
import { visibleText } from '../parts/visible-parts';
import { DISPOSITIONS } from './station';

/** Fields of a scenario for people who read it; neither the patient nor the judge sees them. */
export const STATION_FIELDS = ['disposition', 'hazard', 'twin_of'] as const;

/** Their texts, '' for one that is not given; null for a value that is no text, which the form leaves as it is. */
export type Station = Readonly<Record<(typeof STATION_FIELDS)[number], string | null>>;

export function stationOf(content: ScenarioContent | undefined): Station {
  const textOf = (key: string): string | null => {
    const value = content?.[key] ?? '';
    return typeof value === 'string' ? value : null;
  };
  return { disposition: textOf('disposition'), hazard: textOf('hazard'), twin_of: textOf('twin_of') };
}

/** The fields to add to a scenario's content: those that are empty are left out. */
export function stationContent(station: Station): Readonly<Record<string, string>> {
  return Object.fromEntries(
    STATION_FIELDS.flatMap((key) => {
      const text = station[key] ?? '';
      return text.trim() === '' ? [] : [[key, text]];
    }),
  );
}

/** A scenario's content without the fields that the form sets anew. */
export function withoutStation(content: ScenarioContent, station: Station): ScenarioContent {
  const isKept = (key: string): boolean => STATION_FIELDS.every((one) => one !== key || station[one] === null);
  const { script, demographics, chief_complaint, ...others } = content;
  return {
    ...Object.fromEntries(Object.entries(others).filter(([key]) => isKept(key))),
    script,
    demographics,
    chief_complaint,
  };
}

interface Props {
  readonly station: Station;
  readonly onChange: (station: Station) => void;
  /** Names of other scenarios. */
  readonly names: readonly string[];
}

/** Urgency, hazard and twin, as far as they are texts. */
export function StationFields({ station, onChange, names }: Props) {
  const twins = useId();
  const { disposition, hazard, twin_of: twin } = station;
  return (
    <fieldset className="panel">
      <legend>Urgency, hazard and twin</legend>
      {disposition !== null && (
        <Field label="Urgency" optional help="How soon this patient needs help.">
          {(control) => (
            <select
              {...control}
              value={disposition}
              onChange={({ target }) => onChange({ ...station, disposition: target.value })}
            >
              <option value="">not said</option>
              {[...DISPOSITIONS].map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
              {disposition !== '' && !DISPOSITIONS.has(disposition) && (
                <option value={disposition}>{visibleText(disposition)}</option>
              )}
            </select>
          )}
        </Field>
      )}
      {hazard !== null && (
        <Field label="Hazard" optional help="What happens to the patient when the agent gets it wrong.">
          {(control) => (
            <textarea
              {...control}
              rows={2}
              maxLength={2_000}
              value={hazard}
              onChange={({ target }) => onChange({ ...station, hazard: target.value })}
            />
          )}
        </Field>
      )}
      {twin !== null && (
        <Field label="Twin" optional help="The scenario that opens with the same words, while the facts differ.">
          {(control) => (
            <>
              <input
                {...control}
                list={twins}
                maxLength={500}
                autoComplete="off"
                value={twin}
                onChange={({ target }) => onChange({ ...station, twin_of: target.value })}
              />
              <datalist id={twins}>
                {names
                  // As tags: no hidden or reordering characters in a browser's own list.
                  .filter((name) => visibleText(name) === name)
                  .map((name) => (
                    <option key={name} value={name} />
                  ))}
              </datalist>
            </>
          )}
        </Field>
      )}
    </fieldset>
  );
}
