import { createHash } from 'node:crypto';
import { canonicalHash, namedUuid } from '../../src/domain/fingerprint';

describe('a document’s hash', () => {
  it('is the SHA-256 of its canonical JSON, in hexadecimal digits', () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(canonicalHash({ b: [1.0, 'é'], a: null })).toBe(sha256('{"a":null,"b":[1,"é"]}'));
    expect(canonicalHash({ a: null, b: [1, 'é'] })).toBe(canonicalHash({ b: [1, 'é'], a: null }));
    expect(canonicalHash({ a: 1 })).not.toBe(canonicalHash({ a: 2 }));
  });

  it('is refused where there is no document', () => {
    expect(() => canonicalHash(() => undefined)).toThrow('Only JSON documents');
  });
});

describe('a UUID of words', () => {
  it('is the same for the same words, and of version 8', () => {
    const id = namedUuid('agent', 'Clinic');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(namedUuid('agent', 'Clinic')).toBe(id);
    expect(namedUuid('agentClinic')).not.toBe(id);
  });
});
