import { decoded, secretPartsOf, secretsOfAddress, secretsOfUrl } from '../../../src/agents/secrets/secret-address';

const partsOf = (address: string) =>
  secretPartsOf(address).map(({ start, end, value }) => [address.slice(start, end), value]);

describe('The secret parts of an address', () => {
  it.each<[string, string[][]]>([
    ['https://a.example/path?lang=english#top', []],
    ['https://hunter22@a.example', [['hunter22', 'hunter22']]],
    ['https://:hunter22@a.example', [['hunter22', 'hunter22']]],
    [
      'https://nurse:hunter22@a.example/@x',
      [
        ['nurse', 'nurse'],
        ['hunter22', 'hunter22'],
      ],
    ],
    [
      'https://n%40me:p%3Ass:w@a.example',
      [
        ['n%40me', 'n@me'],
        ['p%3Ass:w', 'p:ss:w'],
      ],
    ],
    ['https://a.example/@nurse:hunter22', []],
    ['https://a.example?mail=nurse:hunter22@b.example', []],
    [' \thttps:\\\\nurse@a.example\\x@y', [['nurse', 'nurse']]],
    ['https://a.example?key=abcd1234&lang=de', [['abcd1234', 'abcd1234']]],
    ['https://a.example/?x=1&api%5Fkey=ab+cd%2F12', [['ab+cd%2F12', 'ab cd/12']]],
    ['https://a.example?code=abcd1234', [['abcd1234', 'abcd1234']]],
    ['https://a.example?key=a%ZZbc', [['a%ZZbc', 'a%ZZbc']]],
    ['https://a.example?ke\ny=ab\ncd', [['ab\ncd', 'abcd']]],
    ['https://a.example/chat&token=abcd1234', []],
    ['https://a.example?key', []],
    ['https://a.example?key=abc', []],
    ['https://a.example?key=%61bc', [['%61bc', 'abc']]],
    ['https://a.example#token=abcd1234', [['abcd1234', 'abcd1234']]],
    ['https://a.example#/chat?token=abcd1234&x=1', [['abcd1234', 'abcd1234']]],
    [
      'https://a.example?key=abcd1234#token=efgh5678',
      [
        ['abcd1234', 'abcd1234'],
        ['efgh5678', 'efgh5678'],
      ],
    ],
    ['https://a.example#token=ab?token=cd', [['ab?token=cd', 'ab?token=cd']]],
    ['https://a.example#top?key=abcd1234', [['abcd1234', 'abcd1234']]],
  ])('of %j', (address, parts) => {
    expect(partsOf(address)).toEqual(parts);
  });
});

it('The secrets of an address are what it says, written and decoded, and no placeholders', () => {
  expect(
    secretsOfAddress('https://n%40me:pass@a.example?key=x%2Fyz&token={{session_id}}#sid=ab+cd').toSorted(),
  ).toEqual(['ab cd', 'ab+cd', 'n%40me', 'n@me', 'pass', 'x%2Fyz', 'x/yz'].toSorted());
  expect(secretsOfAddress('https://a.example?key=abc')).toEqual([]);
});

it('The secrets of a parsed address are its user, its password and its keys', () => {
  expect(secretsOfUrl(new URL('nats://n%40me:pass@a.example?key=abcd&lang=english&sid=abc')).toSorted()).toEqual(
    ['abcd', 'n%40me', 'n@me', 'pass'].toSorted(),
  );
});

it('Percent signs that mean nothing stay', () => {
  expect([decoded('a%20b'), decoded('100%'), decoded('a+b')]).toEqual(['a b', '100%', 'a+b']);
});
