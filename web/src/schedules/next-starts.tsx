import { timeText } from '../parts/time';

interface Props {
  readonly starts: readonly string[];
  /** Of the schedule. */
  readonly timeZone: string;
}

/** The next starts, as clocks show them where the reader is and where the schedule is meant. */
export function NextStarts({ starts, timeZone }: Props) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const there = formatOf(timeZone);
  return (
    <table className="rows next-starts">
      <thead>
        <tr>
          <th scope="col">Your time ({here})</th>
          <th scope="col">Time of the schedule ({timeZone})</th>
        </tr>
      </thead>
      <tbody>
        {starts.map((start) => (
          <tr key={start}>
            <td data-label="Your time">
              <time dateTime={start}>{timeText(start)}</time>
            </td>
            <td data-label="Time of the schedule">
              {there?.format(new Date(start)) ?? 'This browser does not know it'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Null where the browser does not know the zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat(undefined, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  } catch {
    return null;
  }
}
