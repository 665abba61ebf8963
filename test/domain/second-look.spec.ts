import { disputedIn, flagsOf, tallySecondLooks, type LookedAt } from '../../src/domain/second-look';

const run = (flags: unknown, disputed: readonly boolean[] | null = null): LookedAt => ({
  metadata: { flags },
  criteria_results: disputed?.map((one) => ({ disputed: one })) ?? null,
});

describe('what asks for a second look', () => {
  it.each([
    [
      ['same_reply', 7, null, 'judge_unread'],
      ['same_reply', 'judge_unread'],
    ],
    ['same_reply', []],
    [undefined, []],
  ])('of flags %j are %j', (flags, texts) => {
    expect(flagsOf(run(flags))).toEqual(texts);
  });

  it('is each criterion whose votes differed; nothing of one without marks', () => {
    expect(disputedIn(run([], [true, false, true]))).toBe(2);
    expect(disputedIn({ criteria_results: [{}] })).toBe(0);
    expect(disputedIn(run([], null))).toBe(0);
  });

  it('is counted by scenario run, a flag that stands twice once', () => {
    const runs = [run(['a', 'a', 'b'], [true, true]), run(['b']), run([], [true]), run([]), run([])];
    expect(tallySecondLooks(runs)).toEqual({
      flagged: 2,
      byFlag: new Map([
        ['a', 1],
        ['b', 2],
      ]),
      disputedCriteria: 3,
      disputed: 2,
    });
  });
});
