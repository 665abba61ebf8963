import { checkWords, type Check, type ExaminedTurn, type Notes } from '../../../src/domain';
import { actedTurnOf, checkedTurnsOf } from '../../../src/examiners/checks/checked-turn';
import {
  costOfChecks,
  markByChecks,
  type CheckMark,
  type ChecksRequest,
} from '../../../src/examiners/checks/mark-checks';
import { transcriptOf } from '../../setup/transcripts';

interface StoredCall {
  readonly name?: string;
  readonly arguments?: string;
  readonly truncated?: boolean;
  readonly arguments_cut?: boolean;
}

/** A conversation by what the agent called in each turn; null where it told nothing. */
function acted(...turns: (readonly StoredCall[] | null)[]): ExaminedTurn[] {
  return transcriptOf(turns.map(() => 'Yes.')).map((turn, at) => ({ ...turn, metadata: notes(turns[at] ?? null) }));
}

function notes(calls: readonly StoredCall[] | null, more: Notes = {}): Notes {
  return { agent: { ...(calls === null ? {} : { tool_calls: calls }), ...more } };
}

interface Given {
  readonly points?: number;
  readonly by_turn?: number;
  readonly closing?: Notes;
}

function requestOf(check: object, turns: readonly ExaminedTurn[], { closing, ...due }: Given = {}): ChecksRequest {
  const whole = { kind: 'tool_call', name: 'book', ...check } as Check;
  return {
    criteria: [{ index: 0, points: 5, ...due, check: whole }],
    turns: checkedTurnsOf(turns, true),
    ...(closing && { closing: actedTurnOf(turns.length + 1, closing) }),
  };
}

function marked(check: object, turns: readonly ExaminedTurn[], given: Given = {}): CheckMark | undefined {
  return markByChecks(requestOf(check, turns, given))[0];
}

const BOOK = { name: 'book', arguments: '{"day": "Monday", "place": "Caf\\u00e9"}' };
const OTHER = { name: 'find', arguments: '{}' };

describe('A check of a tool call', () => {
  it('is met by a call of that very name, which is its evidence', () => {
    expect(marked({}, acted([OTHER], [OTHER, BOOK], []))).toEqual({
      index: 0,
      kind: 'tool_call',
      decision: 'MET',
      rationale: 'book was called in turn 2.',
      evidence: [{ turn: 2, call: 2, quote: `book(${BOOK.arguments})` }],
      absentFrom: null,
    });
    expect(marked({}, acted([{ name: 'Book' }, { name: 'book_visit' }]))).toMatchObject({ decision: 'NOT MET' });
  });

  it('says what was called instead, and of how many turns', () => {
    expect(marked({}, acted([OTHER], [OTHER, { name: 'note' }]))).toMatchObject({
      decision: 'NOT MET',
      rationale: 'No call of book in any of the 2 turns; called: find, note.',
      absentFrom: 2,
      evidence: [],
    });
  });

  it.each([
    ['all of its texts, however JSON escapes them', { contains: ['monday', 'café'] }, 'MET'],
    ['not all of them', { contains: ['Monday', 'Tuesday'] }, 'NOT MET'],
    ['a schema', { json_schema: { required: ['day'] } }, 'MET'],
    ['a schema that they do not fit', { json_schema: { required: ['hour'] } }, 'NOT MET'],
    ['both', { contains: ['Monday'], json_schema: { properties: { day: { const: 'Tuesday' } } } }, 'NOT MET'],
  ])('looks at the arguments: %s', (_, wanted, decision) => {
    expect(marked({ arguments: wanted }, acted([BOOK]))).toMatchObject({ decision });
  });

  it('says why arguments do not do', () => {
    expect(marked({ arguments: { json_schema: { required: ['hour'] } } }, acted([BOOK]))).toMatchObject({
      rationale: expect.stringContaining("must have required property 'hour'") as string,
    });
    expect(marked({ arguments: { contains: ['x'] } }, acted([{ name: 'book', arguments: 'no JSON' }]))).toMatchObject({
      rationale: 'No call of book in turn 1 has these arguments (turn 1: it is without “x”).',
    });
  });

  it.each([
    [1, [[BOOK], []], 'MET'],
    [1, [[BOOK], [BOOK]], 'NOT MET'],
    [2, [[BOOK, BOOK], []], 'MET'],
    [3, [[BOOK], [BOOK]], 'NOT MET'],
  ] as const)('counts %i calls', (times, turns, decision) => {
    expect(marked({ times }, acted(...turns))).toMatchObject({ decision });
  });

  it('is about one turn, the last, or every one', () => {
    const turns = acted([BOOK], []);
    expect(marked({ turn: 1 }, turns)).toMatchObject({ decision: 'MET' });
    expect(marked({ turn: 'last' }, turns)).toMatchObject({ decision: 'NOT MET' });
    expect(marked({ turn: 'every' }, turns)).toMatchObject({ decision: 'NOT MET', evidence: [] });
    expect(marked({ turn: 'every' }, acted([BOOK], [BOOK]))).toMatchObject({ decision: 'MET' });
    expect(marked({ turn: 7 }, turns)).toMatchObject({ rationale: 'The conversation had no turn 7.' });
  });

  it('may be due by a turn; a fault is one whenever it is done', () => {
    const turns = acted([], [BOOK]);
    expect(marked({}, turns, { by_turn: 1 })).toMatchObject({
      decision: 'NOT MET',
      rationale: 'Called only in turn 2; it had to be called by turn 1.',
      evidence: [{ turn: 2, call: 1 }],
    });
    expect(marked({}, turns, { by_turn: 2 })).toMatchObject({ decision: 'MET' });
    expect(marked({}, turns, { by_turn: 1, points: -5 })).toMatchObject({ decision: 'MET' });
  });

  it('counts what was done in place of a reply', () => {
    const closing = notes([BOOK]);
    expect(marked({}, acted([], []), { closing })).toMatchObject({ decision: 'MET', evidence: [{ turn: 3, call: 1 }] });
    expect(marked({ turn: 'last' }, acted([], []), { closing })).toMatchObject({ decision: 'MET' });
    expect(marked({}, acted([], []), { closing: {} })).toMatchObject({ undecided: expect.any(String) as string });
    // Only what was said is asked of every reply.
    expect(marked({ turn: 'every' }, acted([BOOK]), { closing: {} })).toMatchObject({ decision: 'MET' });
  });

  it('takes long schemas and many words to a thread', () => {
    const turns = acted([{ name: 'book', arguments: 'a'.repeat(16_000) }]);
    expect(costOfChecks(requestOf({ arguments: { json_schema: {} } }, turns))).toBe(Infinity);
    expect(costOfChecks(requestOf({ arguments: { contains: Array.from({ length: 50 }, () => 'b') } }, turns))).toBe(
      16_000 * 51,
    );
    expect(costOfChecks(requestOf({}, turns))).toBeLessThan(60_000);
  });
});

it.each<[object, string]>([
  [{}, 'the agent calls book'],
  [{ times: 1 }, 'the agent calls book once'],
  [{ times: 2, turn: 'last' }, 'the agent calls book 2 times for the last reply'],
  [
    { arguments: { contains: ['Monday', 'now'], json_schema: {} } },
    'the agent calls book, whose arguments contain “Monday”, “now” and fit a schema',
  ],
])('The words of a rule about a call: %j', (more, words) => {
  expect(checkWords({ kind: 'tool_call', name: 'book', ...more })).toBe(words);
});

describe('What is not known is no mark', () => {
  it.each<[string, object, ExaminedTurn[], string]>([
    ['a turn that tells nothing of calls', {}, acted([], null), 'tells nothing of tool calls'],
    ['one that tells nothing, where a number is asked for', { times: 1 }, acted([BOOK], null), 'tells nothing'],
    ['a call without a name', {}, acted([{ arguments: '{}' }]), 'without telling its name'],
    ['arguments that are not told', { arguments: { contains: ['a'] } }, acted([{ name: 'book' }]), 'told no arguments'],
    [
      'arguments that were cut before what is looked for',
      { arguments: { contains: ['a'] } },
      acted([{ name: 'book', arguments: '{"', truncated: true, arguments_cut: true }]),
      'longer than what is kept',
    ],
  ])('%s', (_, check, turns, why) => {
    expect(marked(check, turns)).toMatchObject({ undecided: expect.stringContaining(why) as string });
  });

  it('but what is found is found', () => {
    expect(marked({}, acted(null, [BOOK]))).toMatchObject({ decision: 'MET' });
    expect(marked({ times: 1 }, acted(null, [BOOK, BOOK]))).toMatchObject({ decision: 'NOT MET' });
    const cut = { ...BOOK, truncated: true };
    expect(marked({ arguments: { contains: ['Tuesday'] } }, acted([cut]))).toMatchObject({ decision: 'NOT MET' });
  });

  it('is told of calls that were left out', () => {
    const [turn] = transcriptOf(['Yes.']);
    if (turn === undefined) throw new Error('There is no turn.');
    const turns = [{ ...turn, metadata: notes([OTHER], { tool_calls_cut: true }) }];
    expect(marked({}, turns)).toMatchObject({ undecided: expect.stringContaining('more tool calls') as string });
  });
});
