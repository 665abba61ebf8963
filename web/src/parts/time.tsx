const DAY_AND_TIME = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const THIS_YEAR = new Intl.DateTimeFormat(undefined, DAY_AND_TIME);
const OTHER_YEAR = new Intl.DateTimeFormat(undefined, { ...DAY_AND_TIME, year: 'numeric' });
const TO_THE_SECOND = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** A time in the reader's zone; the title says which. @param toTheSecond for times of today that matter to the second */
export function Time({ at, toTheSecond = false }: { readonly at: string; readonly toTheSecond?: boolean }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={FULL.format(date)}>
      {toTheSecond && isToday(date) ? TO_THE_SECOND.format(date) : timeText(date)}
    </time>
  );
}

function isToday(date: Date): boolean {
  return date.toDateString() === new Date().toDateString();
}

export function timeText(at: string | Date): string {
  const date = new Date(at);
  return (date.getFullYear() === new Date().getFullYear() ? THIS_YEAR : OTHER_YEAR).format(date);
}

/** `840 ms`, `12.4 s`, `3 min 5 s`, `2 h 4 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}
