import { givenCheck } from '../../contract/checks';
import { givenRubric } from '../../contract/rubric';
import { scenarioFile } from '../../src/features/scenarios/scenario-file';

function problemsOf(check: unknown, more: Record<string, unknown> = {}): string[] {
  const read = givenRubric.safeParse([{ criterion: 'Names the number', points: 5, check, ...more }]);
  return (read.error?.issues ?? []).map(({ path, message }) => `${path.slice(1).join('.')} ${message}`);
}

const FINE = { kind: 'regex', pattern: 'call (911|999)' };

describe('A check as it is given', () => {
  it.each([
    [FINE],
    [{ ...FINE, flags: 'im', turn: 'every' }],
    [{ kind: 'contains', texts: ['999', 'ambulance'], need: 'all', whole_words: true, turn: 2 }],
    [{ kind: 'json_schema', schema: { type: 'object', required: ['triage'], $defs: { a: {} } }, turn: 'last' }],
    [{ kind: 'tool_call', name: 'book_visit' }],
    [
      {
        kind: 'tool_call',
        name: 'book_visit',
        arguments: { contains: ['Monday'], json_schema: { required: ['day'] } },
        times: 2,
        turn: 'every',
      },
    ],
    [{ kind: 'latency_ms', max: 3000, percentile: 95 }],
    [{ kind: 'tokens', max: 4000 }],
    [{ kind: 'cost_usd', max: 0.05 }],
  ])('is taken as %j', (check) => {
    expect(givenCheck.parse(check)).toEqual(check);
    expect(problemsOf(check)).toEqual([]);
  });

  it('may hold a pattern that backtracks elsewhere', () => {
    expect(problemsOf({ kind: 'regex', pattern: '^(a+)+$' })).toEqual([]);
  });

  it.each([
    [
      'an invalid pattern',
      { kind: 'regex', pattern: '(call' },
      'check.pattern is not a pattern in RE2’s syntax: missing closing )',
    ],
    [
      'a pattern of 10 kB',
      { kind: 'regex', pattern: 'a'.repeat(10_000) },
      'check.pattern is longer than 1000 characters',
    ],
    ['a look-behind', { kind: 'regex', pattern: '(?<=call )999' }, 'check.pattern looks ahead or behind'],
    ['a negative look-ahead', { kind: 'regex', pattern: 'call(?! me)' }, 'as a criterion with negative points'],
    ['a back-reference', { kind: 'regex', pattern: '(\\w+) \\1' }, 'check.pattern refers back to what a group found'],
    ['a possessive repetition', { kind: 'regex', pattern: 'a++' }, 'possessive'],
    [
      'counts of counts',
      { kind: 'regex', pattern: '((a{100}){100}){100}' },
      'check.pattern is not a pattern in RE2’s syntax: invalid repeat count',
    ],
    [
      'a pattern that makes a large program',
      { kind: 'regex', pattern: '(?:abcdefghij){999}' },
      'check.pattern repeats too much',
    ],
    ['an unknown flag', { ...FINE, flags: 'g' }, 'check.flags expected any of i'],
    ['an empty pattern', { kind: 'regex', pattern: ' ' }, 'check.pattern must not be empty'],
    ['texts of nothing but marks', { kind: 'contains', texts: ['**'] }, 'check.texts.0 holds no letter'],
    ['no texts', { kind: 'contains', texts: [] }, 'check.texts'],
    [
      'a schema elsewhere',
      { kind: 'json_schema', schema: { $ref: 'https://example.com/s.json' } },
      'check.schema refers to "https://example.com/s.json", which is not in it, and nothing is fetched',
    ],
    [
      'a schema elsewhere, deep down',
      { kind: 'json_schema', schema: { allOf: [{ properties: { a: { $dynamicRef: 'other.json#x' } } }] } },
      'refers to "other.json#x"',
    ],
    [
      'a missing part of the schema',
      { kind: 'json_schema', schema: { $ref: '#/$defs/none' } },
      'check.schema is not a JSON Schema',
    ],
    ['a misspelt keyword', { kind: 'json_schema', schema: { requird: ['a'] } }, 'requird'],
    [
      'a wrong keyword',
      { kind: 'json_schema', schema: { type: 'objekt' } },
      'check.schema is not a JSON Schema: /type',
    ],
    [
      'another dialect',
      { kind: 'json_schema', schema: { $schema: 'http://json-schema.org/draft-07/schema#' } },
      '2020-12',
    ],
    [
      'a backtracking pattern that RE2 has not',
      { kind: 'json_schema', schema: { type: 'string', pattern: '(?=a)b' } },
      'check.schema is not a JSON Schema',
    ],
    [
      'a schema of 30 kB',
      { kind: 'json_schema', schema: { enum: ['x'.repeat(30_000)] } },
      'check.schema is longer than 20000',
    ],
    ['a call of nothing', { kind: 'tool_call', name: ' ' }, 'check.name must not be empty'],
    [
      'a call with arguments of nothing',
      { kind: 'tool_call', name: 'a', arguments: {} },
      'check.arguments expected contains, json_schema or both',
    ],
    [
      'a call with a wrong schema',
      { kind: 'tool_call', name: 'a', arguments: { json_schema: { type: 'objekt' } } },
      'check.arguments.json_schema is not a JSON Schema: /type',
    ],
    ['a call that is not made', { kind: 'tool_call', name: 'a', times: 0 }, 'check.times'],
    ['a negative limit', { kind: 'latency_ms', max: -1 }, 'check.max'],
    ['a limit of nothing', { kind: 'cost_usd', max: 0 }, 'check.max'],
    [
      'an unknown kind',
      { kind: 'sentiment' },
      'check.kind expected the kind of a check to be one of contains, regex, json_schema, tool_call, latency_ms, tokens, cost_usd',
    ],
    ['no kind', {}, 'check.kind'],
    ['a text in place of a check', 'regex', 'check '],
    ['a misspelt field', { ...FINE, patern: 'x' }, 'patern'],
    ['a turn below one', { ...FINE, turn: 0 }, 'check.turn '],
    [
      'a turn by another name',
      { ...FINE, turn: 'first' },
      'check.turn expected any, every, last or the number of a turn',
    ],
  ])('is refused: %s', (_, check, sentence) => {
    expect(problemsOf(check).join('\n')).toContain(sentence);
  });

  it('is refused where it does not go with the rest of its criterion', () => {
    const limit = { kind: 'tokens', max: 1 };
    expect(problemsOf(limit, { points: -5 }).join()).toContain('points must be 0 or more');
    expect(problemsOf(limit, { by_turn: 2 }).join()).toContain('by_turn says nothing');
    expect(problemsOf({ ...FINE, turn: 'last' }, { by_turn: 2 }).join()).toContain('by_turn and check.turn both');
    expect(problemsOf(FINE, { by_turn: 2, points: -5 })).toEqual([]);
  });

  it('is refused in a file with the path of its field', () => {
    const read = scenarioFile.safeParse({
      name: 'Chest pain',
      content: { script: 'It hurts.', chief_complaint: 'It hurts.' },
      rubric_criteria: [
        { criterion: 'Calls', points: 1, by_turn: 2, check: { kind: 'regex', pattern: '(', flags: 'i' } },
      ],
    });
    expect(read.error?.issues).toEqual([expect.objectContaining({ path: ['rubric_criteria', 0, 'check', 'pattern'] })]);
  });

  it('takes a schema that refers to itself at every level without copying it each time', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `l${at}`,
        { allOf: [{ $ref: `#/$defs/l${at + 1}` }, { $ref: `#/$defs/l${at + 1}` }] },
      ]),
    );
    expect(
      problemsOf({ kind: 'json_schema', schema: { $ref: '#/$defs/l0', $defs: { ...$defs, l30: { type: 'object' } } } }),
    ).toEqual([]);
  });
});
