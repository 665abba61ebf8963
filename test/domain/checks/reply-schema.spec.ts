import { compileSchema, schemaProblem } from '../../../src/domain/checks/reply-schema';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
type Schema = Readonly<Record<string, unknown>>;
/** A schema of so many levels. */
const nested = (levels: number): Schema => (levels === 1 ? {} : { not: nested(levels - 1) });
const arrays = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('what is wrong with a schema', () => {
  it.each<[string, Schema, RegExp | null]>([
    ['nothing', { type: 'object' }, null],
    ['nothing, where it names the dialect', { $schema: DIALECT, type: 'object' }, null],
    ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, /another dialect/],
    ['nothing of 32 levels', nested(32), null],
    ['33 levels', nested(33), /nested deeper than 32 levels/],
    ['levels in one of several parts', { allOf: [nested(31), {}] }, /nested deeper/],
    ['nothing of 20,000 characters', { title: 'x'.repeat(19_988) }, null],
    ['20,001 characters', { title: 'x'.repeat(19_989) }, /longer than 20000 characters/],
    [
      'a reference elsewhere',
      { items: { $ref: 'https://example.com/a#/b' } },
      /refers to "https:\/\/example.com\/a#\/b"/,
    ],
    ['a reference elsewhere, after parts without one', { items: {}, not: { $ref: 'a.json' } }, /refers to "a.json"/],
    ['a dynamic reference elsewhere', { $dynamicRef: 'other.json' }, /refers to "other.json"/],
    ['nothing, where the reference is in it', { $defs: { a: {} }, items: { $ref: '#/$defs/a' } }, null],
    ['a reference to nothing', { $ref: '#/$defs/a' }, /^is not a JSON Schema: /],
    ['a type that is none', { type: 'text' }, /^is not a JSON Schema: \/type /],
    ['the whole of it', { type: 5 }, /^is not a JSON Schema: \/type /],
    ['a word that is none', { requires: ['a'] }, /^is not a JSON Schema: .*requires/],
    ['nothing, where a name of it is $ref', { properties: { $ref: { type: 'string' } } }, null],
    ['nothing, where a part is null', { const: null }, null],
  ])('%s', (_, schema, problem) => {
    if (problem === null) expect(schemaProblem(schema)).toBeNull();
    else expect(schemaProblem(schema)).toMatch(problem);
  });

  it('is its depth, however deep it is', () => {
    let deep: Schema = {};
    for (let level = 0; level < 50_000; level += 1) deep = { not: deep };
    expect(schemaProblem(deep)).toBe('is nested deeper than 32 levels');
  });

  it('is told with at most 100 characters of a reference, and 300 of a reason', () => {
    expect(schemaProblem({ $ref: 'x'.repeat(400) })).toContain(`"${'x'.repeat(100)}"`);
    expect(schemaProblem({ ['y'.repeat(900)]: 1 })?.length).toBe('is not a JSON Schema: '.length + 300);
  });
});

describe('a reply against a schema', () => {
  const named = compileSchema({ $schema: DIALECT, type: 'object', required: ['name'] });

  it.each([
    ['{"name":"x"}', null],
    [' {"name":"x"}\n', null],
    ['```json\n{"name":"x"}\n```', null],
    ['```\n{"name":"x"}\n```', null],
    ['```json\n{"name":"x"}\u00a0\n```', null],
    ['\n```json\n{"name":"x"}\n```\n', null],
    ['```{"name":"x"}```', 'it is not JSON'],
    ['```json\n{"name":"x"}abc', 'it is not JSON'],
    ['The answer:\n{"name":"x"}\n```', 'it is not JSON'],
    ['```json\n{"name":"x"}', 'it is not JSON'],
    ['{"name":"x"}\n```', 'it is not JSON'],
    ['``````', 'it is not JSON'],
    ['hello', 'it is not JSON'],
    ['{}', "it does not fit the schema: the whole must have required property 'name'"],
  ])('%j', (reply, misfit) => {
    expect(named.misfit(reply)).toBe(misfit);
  });

  it('says where it does not fit', () => {
    const schema = compileSchema({ properties: { dose: { type: 'number' } } });
    expect(schema.misfit('{"dose":"5 mg"}')).toBe('it does not fit the schema: /dose must be number');
  });

  it('is read up to 64 levels, and brackets in its texts are none', () => {
    const any = compileSchema({});
    expect(any.misfit(arrays(64))).toBeNull();
    expect(any.misfit(arrays(65))).toBe('it is nested deeper than 64 levels');
    expect(any.misfit('{"a":'.repeat(65) + '1' + '}'.repeat(65))).toBe('it is nested deeper than 64 levels');
    expect(any.misfit(JSON.stringify('["{'.repeat(70)))).toBeNull();
    expect(any.misfit(JSON.stringify(['\\', '['.repeat(70)]))).toBeNull();
    expect(any.misfit(JSON.stringify(Array.from({ length: 70 }, () => [{}])))).toBeNull();
  });

  it('goes by the patterns of RE2, and no format is looked at', () => {
    const schema = compileSchema({ pattern: '^[a-c]+$', format: 'email' });
    expect(schema.misfit('"abc"')).toBeNull();
    expect(schema.misfit('"abd"')).toMatch(/must match pattern/);
    expect(schemaProblem({ pattern: 'a(?=b)' })).toMatch(/^is not a JSON Schema: /);
  });
});
