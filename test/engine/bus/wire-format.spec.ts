import { fromWire, MAX_PAYLOAD_BYTES, toWire } from '../../../src/engine/bus/wire-format';

/** A payload that is so many bytes long as it travels, of characters of one, two and three bytes. */
const payloadOf = (bytes: number, character: string): string => {
  const whole = Math.floor((bytes - '""'.length) / Buffer.byteLength(character));
  return character.repeat(whole).padEnd(bytes - '""'.length - whole * Buffer.byteLength(character) + whole, 'x');
};

describe('a payload as it travels', () => {
  it.each(['x', 'é', '€'])('may have as many bytes as a server takes, and not one more: %s', (character) => {
    const largest = payloadOf(MAX_PAYLOAD_BYTES, character);
    expect(Buffer.byteLength(toWire(largest))).toBe(MAX_PAYLOAD_BYTES);
    expect(() => toWire(`${largest}x`)).toThrow(
      expect.objectContaining({
        reason: 'payload_too_large',
        message: 'A message may be at most 1048576 bytes of JSON.',
      }),
    );
  });

  it.each([undefined, () => undefined, Symbol('none')])('is a JSON value: not %p', (payload) => {
    expect(() => toWire(payload)).toThrow(
      expect.objectContaining({ reason: 'invalid_payload', message: 'The payload is not a JSON value.' }),
    );
  });

  it('that cannot be written is refused with what was in the way', () => {
    expect(() => toWire({ number: 1n })).toThrow(
      expect.objectContaining({
        reason: 'invalid_payload',
        message: 'The payload cannot be written as JSON.',
        cause: expect.any(TypeError),
      }),
    );
  });

  it.each(['', '{"a":', 'text', 'undefined'])('is undefined where the text %j is not JSON', (text) => {
    expect(fromWire(text)).toBeUndefined();
  });

  it('is the same when it arrives', () => {
    for (const payload of [null, 0, '', false, [], { a: [1, 'b', null] }])
      expect(fromWire(toWire(payload))).toEqual(payload);
  });
});
