import fc from 'fast-check';

/** Values made to hurt: what parsers, databases, regular expressions and prototypes have stumbled over. */

const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202egnirts',
  '👩‍⚕️'.repeat(20),
  '%00',
  '%',
  '{}',
  '{a,b}',
  '[]',
  'null',
  '-1',
  '1e999',
  '0x10',
  '__proto__',
  'constructor',
  'toString',
  "' OR 1=1 --",
  '$1',
  '\\',
  '\\u0000',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '2026-02-30T00:00:00Z',
  '00000000-0000-4000-8000-000000000000',
  'run_20260101000000_deadbeef',
  'x'.repeat(501),
  'x'.repeat(5_000),
];

const NUMBERS = [0, -0, -1, 0.1, 1.5, 5e-324, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, -(2 ** 63)];

export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

export const hostileNumber = fc.oneof(fc.constantFrom(...NUMBERS), fc.double({ noNaN: true, noDefaultInfinity: true }));

/** Any JSON value. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 4, arbitrary: hostileNumber },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { '': {} }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }).map(nested) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 2_000 }, () => 0)) },
  { weight: 1, arbitrary: hostileText.map((key) => ({ [key]: { [key]: key } })) },
);

function nested(depth: number): unknown {
  let value: unknown = 'inside';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
}

/** Bodies that are no JSON, or JSON that only text can write. */
export const hostileBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom<string | Buffer>(
    '',
    '{',
    '{"name":',
    '{"name":"x",}',
    "{'name':'x'}",
    '{} {}',
    'null',
    'true',
    '"text"',
    '7',
    '[]',
    '[{}]',
    '{"name":1e999}',
    '{"priority":-1e999,"name":"x"}',
    '{"__proto__":{"polluted":true}}',
    '{"config":{"__proto__":{"polluted":true}},"name":"x","provider":"openai"}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"name":"a","name":"b"}',
    '{"name":"\\ud800"}',
    '{"name":"\\u0000"}',
    '\ufeff{}',
    '['.repeat(50_000),
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    Buffer.from('{"name":"x"}', 'utf16le'),
    Buffer.from([0xff, 0xfe, 0x00, 0x80]),
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
  ),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc.json({ maxDepth: 4 }),
);
