import { readOnce } from '../../../src/examiners/rules/read-once';

function counting() {
  const asked: string[] = [];
  const read = readOnce((text) => {
    asked.push(text);
    return { length: text.length };
  });
  return { asked, read };
}

it('reads a text once, and keeps what it read', () => {
  const { asked, read } = counting();
  const first = read('a text');
  expect(read('a text')).toBe(first);
  expect(asked).toEqual(['a text']);
});

it('forgets texts that were not asked for while a thousand others were', () => {
  const { asked, read } = counting();
  read('seldom');
  read('often');
  for (let other = 0; other < 1_000; other += 1) {
    read(`other ${other}`);
    read('often');
  }
  read('seldom');
  expect(asked.filter((text) => text === 'often')).toHaveLength(1);
  expect(asked.filter((text) => text === 'seldom')).toHaveLength(2);
});

it('keeps nothing of a long text', () => {
  const { asked, read } = counting();
  const long = 'x'.repeat(4_001);
  expect(read(long)).toEqual({ length: 4_001 });
  read(long);
  expect(asked).toEqual([long, long]);
});
