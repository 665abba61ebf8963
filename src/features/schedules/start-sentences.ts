/** What the history of a schedule says of starts that made no run. */

const MINUTE_MS = 60_000;

/** Of several starts that were missed: the first and the last of them, and how many they were. */
export interface Missed {
  readonly first: Date;
  readonly until: Date;
  readonly atLeast: number;
  readonly areMore: boolean;
  readonly timeZone: string;
  /** How late a start may be made. */
  readonly delayMs: number;
}

export function missedSentence({ first, until, atLeast, areMore, timeZone, delayMs }: Missed): string {
  const reason = `the service was not running, or could not start ${atLeast === 1 ? 'it' : 'them'} within ${inWords(delayMs)} (MAX_START_DELAY).`;
  if (atLeast === 1) return `Missed the start of ${timeIn(first, timeZone)}: ${reason}`;
  const count = areMore ? `more than ${(atLeast - 1).toLocaleString('en')}` : String(atLeast);
  return `Missed ${count} starts between ${timeIn(first, timeZone)} and ${timeIn(until, timeZone)}: ${reason}`;
}

export function stillGoingSentence(label: string): string {
  return `Skipped: the run ${label} of this schedule was still going. Set overlap to "allow" to start one more all the same.`;
}

/** @param reason what start-run would have answered */
export function notStartedSentence(reason: string): string {
  const sentence = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  return `The run could not be started: ${sentence} Change the schedule, or delete it.`;
}

/** `2027-03-28 03:00 (Europe/Berlin)`: as the clocks of the schedule show it. */
export function timeIn(time: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(time);
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')} (${timeZone})`;
}

function inWords(ms: number): string {
  if (ms % MINUTE_MS !== 0) return `${ms / 1_000} seconds`;
  const minutes = ms / MINUTE_MS;
  return `${minutes} minute${minutes === 1 ? '' : 's'}`;
}
