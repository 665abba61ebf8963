import {
  isPlaceholder,
  piecesOf,
  placeholdersIn,
  TemplateFault,
  wholePlaceholder,
  type Piece,
} from '../../src/agents/placeholders';

const MESSAGE: Piece = { placeholder: 'message' };
const SESSION: Piece = { placeholder: 'session_id' };

it.each<[string, readonly Piece[]]>([
  ['', []],
  ['plain', ['plain']],
  ['{{message}}', [MESSAGE]],
  ['a {{ message }} b', ['a ', MESSAGE, ' b']],
  ['{{message}}{{session_id}}', [MESSAGE, SESSION]],
  ['{{message}} {{session_id}}.', [MESSAGE, ' ', SESSION, '.']],
  ['{{message', ['{{message']],
  ['{message}}', ['{message}}']],
  ['{{{message}}}', ['{', MESSAGE, '}']],
  [`{{${' '.repeat(101)}}}`, [`{{${' '.repeat(101)}}}`]],
])('A template in pieces: %j', (text, pieces) => {
  expect(piecesOf(text)).toEqual(pieces);
});

it('A name that is no placeholder is quoted, and all that are named', () => {
  const all = 'there are {{message}}, {{messages}}, {{history}}, {{session_id}}';
  expect(() => piecesOf('{{mesage}}')).toThrow(new TemplateFault(`holds {{mesage}}, which is no placeholder: ${all}`));
  expect(() => piecesOf('{{}}')).toThrow('holds {{}}, which is no placeholder');
  expect(() => piecesOf('{{Message}}')).toThrow(TemplateFault);
  expect(() => piecesOf(`{{${'x'.repeat(100)}}}`)).toThrow(`holds {{${'x'.repeat(40)}}}, which`);
});

it('A text may be nothing but a placeholder', () => {
  expect(wholePlaceholder(piecesOf('{{history}}'))).toBe('history');
  for (const text of ['', 'a', ' {{history}}', '{{history}} ', '{{history}}{{history}}']) {
    expect(wholePlaceholder(piecesOf(text))).toBeNull();
  }
});

it.each([
  ['{{session_id}}', true],
  ['{{ session_id }}', true],
  ['%7B%7Bsession_id%7d%7D', true],
  ['{{%20message%20}}', true],
  ['Bearer {{session_id}}', true],
  ['apikey  {{message}}', true],
  ['Bearer{{session_id}}', false],
  ['Session {{session_id}}', false],
  ['x{{session_id}}', false],
  ['{{session_id}}x', false],
  ['{{secret}}', false],
  ['', false],
])('%j is nothing but a placeholder: %s', (text, is) => {
  expect(isPlaceholder(text)).toBe(is);
});

it('The placeholders in a value are told, each once', () => {
  expect(placeholdersIn('a={{message}}&b=%7B%7Bsession_id%7D%7D&c={{ message }}&d={{other}}')).toEqual([
    '{{message}}',
    '{{session_id}}',
  ]);
  expect(placeholdersIn('none')).toEqual([]);
});
