import { useState } from 'react';
import { callTime } from '../../../src/domain';
import type { CallSpan, SpokenTimeline, TimedEntry } from '../api/recordings';
import { Name } from '../parts/untrusted-text';
import { PlayButton } from './heard-call';
import { MOMENTS, type Moment } from './moments';

interface Props {
  readonly timeline: SpokenTimeline;
  readonly moments: readonly Moment[];
  /** What was said is in none of its rows. */
  readonly hidesWords: boolean;
}

interface Row extends CallSpan {
  readonly what: string;
  /** What was said, or what became of it. */
  readonly told: string;
  readonly isSaid: boolean;
}

/** Longer texts stand in the conversation below. */
const MOST_CHARACTERS = 160;

/** What the lanes show, as a table. */
export function MomentsTable({ timeline, moments, hidesWords }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="moments" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>The same as a table</summary>
      {isOpen && (
        <div className="table-frame">
          <table className="rows">
            <caption className="only-read">Who spoke when, and what happened, in the order of the call</caption>
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">To</th>
                <th scope="col">What</th>
                <th scope="col">{hidesWords ? 'What became of it' : 'Words, or what became of it'}</th>
                <th scope="col">Listen</th>
              </tr>
            </thead>
            <tbody>
              {rowsOf(timeline, moments).map(({ from_ms, to_ms, what, told, isSaid }, at) => (
                <tr key={at}>
                  <td className="number">{callTime(from_ms)}</td>
                  <td className="number">{callTime(to_ms)}</td>
                  <th scope="row">{what}</th>
                  <td>{!(isSaid && hidesWords) && <Name>{told}</Name>}</td>
                  <td>
                    <PlayButton span={{ from_ms, to_ms }} what={what} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

function rowsOf({ entries }: SpokenTimeline, moments: readonly Moment[]): readonly Row[] {
  const happened = moments.map(({ from_ms, to_ms, kind, detail, turn }) => ({
    ...{ from_ms, to_ms, told: detail, isSaid: false },
    what: `${MOMENTS[kind].name}, turn ${turn}`,
  }));
  return [...entries.flatMap(saidIn), ...happened].sort((one, other) => one.from_ms - other.from_ms);
}

/** Each sentence whose times are known, or the message as a whole. */
function saidIn({ turn, role, content, sentences, spoken: { from_ms, to_ms } }: TimedEntry): Row[] {
  const what = `${role === 'patient' ? 'Patient' : 'Agent'}, turn ${turn}`;
  if (sentences.length > 0) {
    return sentences.map(({ text, ...span }) => ({ ...span, what, told: shortened(text), isSaid: true }));
  }
  return from_ms === null || to_ms === null ? [] : [{ from_ms, to_ms, what, told: shortened(content), isSaid: true }];
}

function shortened(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
