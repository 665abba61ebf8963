import { MOST_COUNTED, Timetable, TimetableError } from '../../../src/features/schedules/timetable';

const QUARTER_MS = 15 * 60_000;
const FROM = new Date('2031-01-01T00:00:00Z');

const read = (cron: string, timeZone = 'UTC', floorMs = QUARTER_MS) => Timetable.read(cron, timeZone, floorMs, FROM);
const starts = (cron: string, timeZone: string, after: string, count: number) =>
  read(cron, timeZone)
    .nextStarts(count, new Date(after))
    .map((start) => start.toISOString().replace(':00.000Z', 'Z'));

function refusalOf(cron: string, timeZone = 'UTC', floorMs = QUARTER_MS): string {
  try {
    read(cron, timeZone, floorMs);
  } catch (error) {
    if (error instanceof TimetableError) return error.message;
    throw error;
  }
  return 'taken';
}

const FORM =
  'write five fields, minute, hour, day of month, month and day of week, such as "0 3 * * 1-5" (3:00 from Monday to Friday)';

describe('a cron expression is refused with what to write instead', () => {
  test.each([
    ['', `cron: must not be empty: ${FORM}`],
    ['   ', `cron: must not be empty: ${FORM}`],
    ['* * * * * *', `cron: "* * * * * *" has 6 fields (seconds are not offered): ${FORM}`],
    ['@daily', `cron: "@daily" has 1 field: ${FORM}`],
    ['0 3 * *', `cron: "0 3 * *" has 4 fields: ${FORM}`],
    ['60 3 * * *', `cron: "60 3 * * *" cannot be read (Invalid value for minute: 60): ${FORM}`],
    ['0 3 * * Mo-Funday', `cron: "0 3 * * Mo-Funday" cannot be read`],
    ['0 0 31 2 *', 'cron: "0 0 31 2 *" would never start anything, as on 31 February: choose a day that exists'],
    ['* * * * *', 'cron: "* * * * *" would start runs 1 minute apart, and at least 15 minutes must lie between two'],
    ['*/14 * * * *', 'cron: "*/14 * * * *" would start runs 14 minutes apart'],
    // Only from the end of one hour to the beginning of the next.
    ['0,50 * * * *', 'cron: "0,50 * * * *" would start runs 10 minutes apart'],
    // Only at midnight.
    ['0,59 0,23 * * *', 'cron: "0,59 0,23 * * *" would start runs 1 minute apart'],
  ])('%j', (cron, sentence) => {
    expect(refusalOf(cron)).toContain(sentence);
  });

  it('names the floor that is set, and takes what keeps to it', () => {
    expect(refusalOf('*/5 * * * *', 'UTC', 2 * QUARTER_MS)).toContain(
      'at least 30 minutes must lie between two (MIN_SCHEDULE_INTERVAL)',
    );
    expect(refusalOf('*/5 * * * *', 'UTC', 60_000)).toBe('taken');
    expect(refusalOf('*/15 * * * *')).toBe('taken');
    expect(refusalOf('0 0 29 2 *')).toBe('taken');
  });

  it('quotes only the beginning of a long one', () => {
    expect(refusalOf(`${'9'.repeat(150)} * * * *`).length).toBeLessThan(500);
  });
});

test.each(['', 'Mars/Olympus', '+02:00', 'Europe', '../etc/passwd'])('the time zone %j is refused', (timeZone) => {
  expect(refusalOf('0 3 * * *', timeZone)).toBe(
    `time_zone: ${JSON.stringify(timeZone)} is no time zone that this service knows: give an IANA name, such as Europe/Berlin, America/New_York or UTC`,
  );
});

test('a day of the month or of the week is enough where both are given, and L is the last day of a month', () => {
  expect(starts('0 5 15 * 1', 'UTC', '2031-01-11T00:00:00Z', 3)).toEqual([
    '2031-01-13T05:00Z',
    '2031-01-15T05:00Z',
    '2031-01-20T05:00Z',
  ]);
  expect(starts('0 5 L * *', 'UTC', '2031-01-11T00:00:00Z', 2)).toEqual(['2031-01-31T05:00Z', '2031-02-28T05:00Z']);
});

describe('on days on which clocks change', () => {
  it('a time that is left out is at the end of the hour that is left out', () => {
    expect(starts('30 2 * * *', 'Europe/Berlin', '2031-03-29T12:00:00Z', 2)).toEqual([
      // 3:00 in summer time.
      '2031-03-30T01:00Z',
      '2031-03-31T00:30Z',
    ]);
    expect(starts('30 2 * * *', 'America/New_York', '2031-03-08T12:00:00Z', 2)).toEqual([
      '2031-03-09T07:00Z',
      '2031-03-10T06:30Z',
    ]);
  });

  it('a time that comes twice starts one run, at the first of the two', () => {
    expect(starts('30 2 * * *', 'Europe/Berlin', '2031-10-25T12:00:00Z', 2)).toEqual([
      '2031-10-26T00:30Z',
      '2031-10-27T01:30Z',
    ]);
    expect(starts('30 1 * * *', 'America/New_York', '2031-11-01T12:00:00Z', 2)).toEqual([
      '2031-11-02T05:30Z',
      '2031-11-03T06:30Z',
    ]);
  });

  it('an expression of several hours or minutes follows the wall clock', () => {
    expect(starts('30 1-3 * * *', 'Europe/Berlin', '2031-03-29T12:00:00Z', 2)).toEqual([
      // 1:30 in winter time, 3:30 in summer time.
      '2031-03-30T00:30Z',
      '2031-03-30T01:30Z',
    ]);
    expect(starts('30 1-3 * * *', 'Europe/Berlin', '2031-10-25T12:00:00Z', 4)).toEqual([
      '2031-10-25T23:30Z',
      // 2:30, twice.
      '2031-10-26T00:30Z',
      '2031-10-26T01:30Z',
      '2031-10-26T02:30Z',
    ]);
    expect(starts('0 * * * *', 'America/New_York', '2031-11-02T04:30:00Z', 3)).toEqual([
      '2031-11-02T05:00Z',
      '2031-11-02T06:00Z',
      '2031-11-02T07:00Z',
    ]);
  });
});

describe('what is due', () => {
  const due = async (cron: string, first: string, now: string, timeZone = 'UTC') => {
    const { newest, missed, areMore } = await read(cron, timeZone).dueAt(new Date(first), new Date(now));
    return { newest: newest.toISOString(), missed: missed.map((start) => start.toISOString()), areMore };
  };

  it('is one start, when the next one lies ahead', async () => {
    expect(await due('0 * * * *', '2031-01-01T10:00:00Z', '2031-01-01T10:59:59Z')).toEqual({
      newest: '2031-01-01T10:00:00.000Z',
      missed: [],
      areMore: false,
    });
  });

  it('is the newest one; those before it are missed', async () => {
    expect(await due('0 * * * *', '2031-01-01T10:00:00Z', '2031-01-01T13:00:00Z')).toEqual({
      newest: '2031-01-01T13:00:00.000Z',
      missed: ['2031-01-01T10:00:00.000Z', '2031-01-01T11:00:00.000Z', '2031-01-01T12:00:00.000Z'],
      areMore: false,
    });
  });

  it('counts so many and no more, and knows the newest all the same', async () => {
    const { newest, missed, areMore } = await due('*/15 * * * *', '2031-01-01T00:00:00Z', '2032-01-01T00:07:00Z');
    expect({ newest, count: missed.length, areMore }).toEqual({
      newest: '2032-01-01T00:00:00.000Z',
      count: MOST_COUNTED,
      areMore: true,
    });
  });
});
