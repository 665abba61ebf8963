import {
  again,
  callAgent,
  carried,
  continuedAt,
  isGraded,
  isWhole,
  lastForkOf,
  markedAgain,
} from '../../../src/features/derived/births';

type Source = Parameters<typeof again>[0];

const source = (changes: Partial<Source> = {}): Source => ({
  id: 'source',
  trial: 2,
  status: 'passed',
  error_code: null,
  turns: 6,
  ended_by: null,
  kept_turns: null,
  given_message: null,
  is_only_marked: false,
  ...changes,
});

test.each([
  ['passed', true],
  ['failed', true],
  ['error', false],
  ['canceled', false],
] as const)('a scenario run that is %s has a verdict: %s', (status, has) => {
  expect(isGraded(source({ status }))).toBe(has);
});

describe('how a scenario run is born of another', () => {
  test('carried, with everything that it has', () => {
    expect(carried(source({ kept_turns: 3, given_message: 'Hello.' }))).toEqual({
      sourceId: 'source',
      trial: 2,
      birth: 'carried',
      keptTurns: 0,
      givenMessage: null,
    });
  });

  test('again, with nothing where it had begun with nothing', () => {
    expect(again(source({ given_message: 'Hello.' }))).toEqual({
      sourceId: 'source',
      trial: 2,
      birth: 'anew',
      keptTurns: 0,
      givenMessage: null,
    });
  });

  test('again, with the turns that it was forked from, be they none', () => {
    const forked = { sourceId: 'source', trial: 2, birth: 'continued', givenMessage: 'Hello.' };
    expect(again(source({ kept_turns: 3, given_message: 'Hello.' }))).toEqual({ ...forked, keptTurns: 3 });
    expect(again(source({ kept_turns: 0, given_message: 'Hello.' }))).toEqual({ ...forked, keptTurns: 0 });
  });

  test('again, with its conversation where that was only to be marked', () => {
    const row = source({ is_only_marked: true, kept_turns: 6 });
    expect(again(row)).toEqual({ sourceId: 'source', trial: 2, birth: 'whole', keptTurns: 0, givenMessage: null });
    expect(again(row)).toEqual(markedAgain(row));
  });

  test('continued from a turn, with those before it, as the trial that is asked for', () => {
    expect(continuedAt(source(), { atTurn: 4, givenMessage: 'Hello.', trial: 7 })).toEqual({
      sourceId: 'source',
      trial: 7,
      birth: 'continued',
      keptTurns: 3,
      givenMessage: 'Hello.',
    });
  });
});

describe('a conversation that was held to its end', () => {
  const STOPPED = { status: 'error', error_code: 'provider_timeout', turns: 3 } as const;

  test.each<[string, Partial<Source>]>([
    ['has a verdict', { turns: 3 }],
    ['was only marked', { ...STOPPED, is_only_marked: true }],
    ['was ended by one of the two', { ...STOPPED, ended_by: 'agent' }],
    ['has as many turns as its run allows', { ...STOPPED, turns: 6 }],
    ['has more turns than its run allows', { ...STOPPED, turns: 7 }],
  ])('%s', (_what, changes) => {
    expect(isWhole(source(changes), 6)).toBe(true);
  });

  test.each<[string, Partial<Source>]>([
    ['was stopped', STOPPED],
    ['has no turn', { turns: 0 }],
    ['has a patient who strayed', { ...STOPPED, error_code: 'tester_failed', turns: 6, ended_by: 'agent' }],
  ])('is not one that %s', (_what, changes) => {
    expect(isWhole(source(changes), 6)).toBe(false);
  });
});

describe('the last turn that a conversation can go on from', () => {
  test.each<[string, Partial<Source>, number, number]>([
    ['the one after those it has', { turns: 3 }, 6, 4],
    ['its last, where it has all that its run allows', { turns: 6 }, 6, 6],
    ['its last, where it has more than its run allows', { turns: 8 }, 6, 8],
    ['its last, where it was ended', { turns: 3, ended_by: 'agent' }, 6, 3],
  ])('is %s', (_what, changes, maxTurns, last) => {
    expect(lastForkOf(source(changes), maxTurns)).toBe(last);
  });
});

test('the agent is called where any conversation begins anew or goes on', () => {
  const [whole, kept] = [markedAgain(source()), carried(source())];
  expect(callAgent([])).toBe(false);
  expect(callAgent([whole, kept])).toBe(false);
  expect(callAgent([whole, again(source())])).toBe(true);
  expect(callAgent([kept, again(source({ kept_turns: 1 }))])).toBe(true);
});
