import { contextIn, functionNames, HeardCalls, MOST_CALLS, usageNumbers } from '../../src/agents/heard-acts';
import { charactersOf, keptActs, MOST_CONTEXT_BYTES } from '../../src/agents/kept-acts';
import { Secrets } from '../../src/agents/secrets/secrets';

const CALL = { id: null, name: 'find', arguments: null, result: null };
const ACTS = { calls: null, areCallsCut: false, context: [], isContextCut: false };
const secrets = Secrets.of({});

it('What has to be read of what an agent did is its arguments, results and context', () => {
  expect(charactersOf(ACTS)).toBe(0);
  const calls = [{ ...CALL, arguments: 'ab', result: 'c' }, CALL, { ...CALL, result: 'def' }];
  expect(charactersOf({ ...ACTS, calls, context: ['gh', 'ijkl'] })).toBe(12);
});

describe('What is kept of what an agent did', () => {
  it('is told whole where all of it is kept, and cut where it is not', () => {
    const calls = Array.from({ length: MOST_CALLS }, () => CALL);
    expect(keptActs({ ...ACTS, calls }, secrets)).toEqual({ tool_calls: calls.map(() => ({ name: 'find' })) });
    const more = keptActs({ ...ACTS, calls: [...calls, CALL] }, secrets);
    expect(more).toMatchObject({ tool_calls_cut: true });
    expect(more['tool_calls']).toHaveLength(MOST_CALLS);
    expect(keptActs({ ...ACTS, areCallsCut: true }, secrets)).toEqual({ tool_calls_cut: true });
    expect(keptActs({ ...ACTS, isContextCut: true }, secrets)).toEqual({ context_cut: true });
    expect(keptActs({ ...ACTS, calls: [], context: [''] }, secrets)).toEqual({ tool_calls: [] });
  });

  it('is context until its bytes are used up, and then says so', () => {
    const full = 'é'.repeat(MOST_CONTEXT_BYTES / 2);
    expect(keptActs({ ...ACTS, context: [full] }, secrets)).toEqual({ context: [full] });
    expect(keptActs({ ...ACTS, context: [full, ''] }, secrets)).toEqual({ context: [full] });
    expect(keptActs({ ...ACTS, context: [full, 'a'] }, secrets)).toEqual({ context: [full], context_cut: true });
  });

  it('has names and ids as long as identifiers are', () => {
    const long = 'x'.repeat(300);
    expect(keptActs({ ...ACTS, calls: [{ ...CALL, id: long, name: long }] }, secrets)).toEqual({
      tool_calls: [{ id: 'x'.repeat(200), name: 'x'.repeat(200) }],
    });
  });
});

describe('What is heard of what an agent did', () => {
  const heard = (...found: unknown[]) => {
    const calls = new HeardCalls();
    for (const one of found) calls.hear(one);
    return calls;
  };

  it('is nothing where nothing is told, and no more than is kept', () => {
    expect([heard(null, undefined, []).list, heard(null, undefined, [null]).isCut]).toEqual([[], false]);
    expect([usageNumbers(null), usageNumbers([1])]).toEqual([null, null]);
    expect(heard(['']).isCut).toBe(true);
    const full = heard(Array.from({ length: MOST_CALLS }, () => 'find'));
    expect([full.list.length, full.isCut]).toEqual([MOST_CALLS, false]);
    full.hear('one more');
    expect([full.list.length, full.isCut]).toEqual([MOST_CALLS, true]);
  });

  it('is the id of the call rather than one within it', () => {
    expect(heard({ id: 'outer', function: { id: 'inner', name: 'find' } }).list).toMatchObject([{ id: 'outer' }]);
    expect(heard({ function: { id: 'inner', name: 'find' } }).list).toMatchObject([{ id: 'inner' }]);
    expect(heard({ function: null, function_call: { name: 'find', arguments: '' } }).list).toMatchObject([
      { name: 'find', arguments: '' },
    ]);
  });

  it('is what was told last of a call, and what was told before where nothing is', () => {
    const call = { id: 'a', name: 'find', arguments: 'x', result: 'y' };
    expect(heard(call, { id: 'a' }).list).toEqual([call]);
    expect(heard(call, { id: 'a', arguments: 'z' }).list).toMatchObject([{ arguments: 'z', result: 'y' }]);
  });

  it('is a call of its own at the place of another one, unless it is a piece that goes on with that one', () => {
    const at = (found: object) => ({ index: 0, ...found });
    expect(heard(at({ name: 'find', arguments: '1' }), at({ name: 'book', arguments: '2' })).list).toMatchObject([
      { name: 'find', arguments: '1' },
      { name: 'book', arguments: '2' },
    ]);
    const found = at({ id: 'a', name: 'find', arguments: '1' });
    const other = heard(found, at({ id: 'b', output: 'done' }));
    expect([other.list, other.isCut]).toEqual([[{ ...CALL, id: 'a', arguments: '1' }], true]);
    expect(heard(found, at({ id: 'a', name: 'find', arguments: '12' })).list).toMatchObject([{ arguments: '12' }]);
    expect(heard(at({ id: 'a', name: 'find' }), at({ arguments: '1' }), at({ arguments: '2' })).list).toMatchObject([
      { arguments: '12' },
    ]);
  });

  it('are names alone, where a hang-up rests on them', () => {
    const calls = [{ function: { name: 'end' } }, { name: 'end' }, { function: { name: 7 } }, 'end', null];
    expect(functionNames(calls)).toEqual(['end']);
    expect(functionNames({ function: { name: 'end' } })).toEqual([]);
    const many = Array.from({ length: MOST_CALLS + 1 }, () => ({ function: { name: 'end' } }));
    expect(functionNames(many)).toHaveLength(MOST_CALLS);
  });

  it('is context up to as many pieces as are looked at', () => {
    const pieces = (count: number) => Array.from({ length: count }, () => 'a');
    expect(contextIn(pieces(256))).toEqual({ context: pieces(256), isCut: false });
    expect(contextIn(pieces(257))).toEqual({ context: pieces(256), isCut: true });
  });

  it('is usage by names that are cut, with details that may be empty', () => {
    const long = 'x'.repeat(300);
    expect(usageNumbers({ [long]: { a: 1 } })).toEqual({ ['x'.repeat(200)]: { a: 1 } });
    expect(usageNumbers({ [long]: 1, details: { [long]: 2, text: 'a' }, none: {} })).toEqual({
      ['x'.repeat(200)]: 1,
      details: { ['x'.repeat(200)]: 2 },
      none: {},
    });
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, at]));
    expect(Object.keys(usageNumbers({ many })?.['many'] ?? {})).toHaveLength(20);
  });
});
