import { Cron } from 'croner';
import { othersTurn } from '../../platform/concurrency';

/** A cron expression or a time zone that no schedule can have. The sentence names the field and what to write instead. */
export class TimetableError extends Error {
  override readonly name = 'TimetableError';
}

const FIELDS = 5;
const FORM =
  'write five fields, minute, hour, day of month, month and day of week, such as "0 3 * * 1-5" (3:00 from Monday to Friday)';

/** Starts in a row whose distances are looked at: a day of the densest expression that the default floor lets through. */
const COMPARED_STARTS = 100;
/** Longer than any expression needs; what is quoted of it stays short. */
const QUOTED = 60;

/** Missed starts that are counted one by one; beyond that their number is "more than". Some tenths of a millisecond each. */
export const MOST_COUNTED = 1_000;
const COUNTED_A_TURN = 25;
/** The library looks at whole seconds. */
const SECOND_MS = 1_000;

/** What is due of a schedule, when it is looked at. */
export interface DueStarts {
  /** The newest start that is due. */
  readonly newest: Date;
  /** Those before it, which nothing has started: at most MOST_COUNTED, the oldest first. */
  readonly missed: readonly Date[];
  /** There are more than that, between the last of them and the newest. */
  readonly areMore: boolean;
}

/**
 * When a schedule starts its runs: a cron expression of five fields, in a time zone. The library decides about days on which
 * clocks change. A start at one minute and one hour comes once a day: where the hour is left out, at its end; where it comes
 * twice, in the first. Any other expression follows the wall clock: not in an hour that is left out, twice in one that comes twice.
 */
export class Timetable {
  private constructor(private readonly cron: Cron) {}

  /**
   * @param minIntervalMs the shortest time between two starts that is allowed
   * @param from the time from which it is to have a next start
   * @throws TimetableError
   */
  static read(expression: string, timeZone: string, minIntervalMs: number, from: Date): Timetable {
    const timetable = Timetable.stored(expression, timeZone);
    checkDistances(expression, minIntervalMs, from);
    return timetable;
  }

  /** One that was read before, whatever the present floor is. @throws TimetableError */
  static stored(expression: string, timeZone: string): Timetable {
    checkTimeZone(timeZone);
    return new Timetable(parsed(expression, timeZone));
  }

  /** The first start after this time; null when there is none any more. */
  after(time: Date): Date | null {
    return this.cron.nextRun(time);
  }

  /** The last start before this time. */
  before(time: Date): Date | null {
    return this.cron.previousRuns(1, time)[0] ?? null;
  }

  nextStarts(count: number, after: Date): Date[] {
    return this.cron.nextRuns(count, after);
  }

  /** @param first a start that is due: not later than `now` */
  async dueAt(first: Date, now: Date): Promise<DueStarts> {
    const missed: Date[] = [];
    let newest = first;
    for (let next = this.after(newest); next !== null && next <= now; next = this.after(newest)) {
      missed.push(newest);
      newest = next;
      if (missed.length === MOST_COUNTED) return { newest: this.lastUntil(newest, now), missed, areMore: true };
      if (missed.length % COUNTED_A_TURN === 0) await othersTurn();
    }
    return { newest, missed, areMore: false };
  }

  /** The last start that is not later than `now`. */
  private lastUntil(known: Date, now: Date): Date {
    const last = this.before(new Date(now.getTime() + SECOND_MS));
    return last !== null && last > known ? last : known;
  }
}

function checkTimeZone(timeZone: string): void {
  if (/^[A-Z]/i.test(timeZone) && isKnown(timeZone)) return;
  throw new TimetableError(
    `time_zone: ${quoted(timeZone)} is no time zone that this service knows: give an IANA name, such as Europe/Berlin, America/New_York or UTC`,
  );
}

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function parsed(expression: string, timeZone: string): Cron {
  const fields = expression.trim().split(/\s+/).filter(Boolean);
  if (fields.length === 0) throw new TimetableError(`cron: must not be empty: ${FORM}`);
  if (fields.length !== FIELDS) {
    const seconds = fields.length === FIELDS + 1 ? ' (seconds are not offered)' : '';
    throw new TimetableError(`cron: ${quoted(expression)} has ${counted(fields.length)}${seconds}: ${FORM}`);
  }
  try {
    return new Cron(fields.join(' '), { timezone: timeZone, mode: '5-part', paused: true });
  } catch (error) {
    throw new TimetableError(`cron: ${quoted(expression)} cannot be read${reasonOf(error)}: ${FORM}`);
  }
}

/**
 * In UTC, whose clocks never change: the floor is about ordinary days.
 * @throws TimetableError for an expression that starts nothing, or too often
 */
function checkDistances(expression: string, minIntervalMs: number, from: Date): void {
  const cron = parsed(expression, 'UTC');
  let last = cron.nextRun(from);
  if (last === null) {
    throw new TimetableError(
      `cron: ${quoted(expression)} would never start anything, as on 31 February: choose a day that exists`,
    );
  }
  for (let looked = 1; looked < COMPARED_STARTS; looked += 1) {
    const next = cron.nextRun(last);
    if (next === null) return;
    const distance = next.getTime() - last.getTime();
    if (distance < minIntervalMs) {
      throw new TimetableError(
        `cron: ${quoted(expression)} would start runs ${inMinutes(distance)} apart, and at least ${inMinutes(minIntervalMs)} must lie between two ` +
          '(MIN_SCHEDULE_INTERVAL): let it start less often, such as "0 * * * *" (every hour)',
      );
    }
    last = next;
  }
}

function inMinutes(ms: number): string {
  const minutes = Math.round(ms / 6_000) / 10;
  return `${minutes} minute${minutes === 1 ? '' : 's'}`;
}

function counted(fields: number): string {
  return `${fields} field${fields === 1 ? '' : 's'}`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
}

/** The library begins its sentences with the name of the class that throws. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const reason = error.message.replace(/^\w+: /, '').slice(0, 200);
  return ` (${reason})`;
}
