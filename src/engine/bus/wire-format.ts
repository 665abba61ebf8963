import { BusError } from './bus';

/** The default `max_payload` of a NATS server, in bytes. Every bus enforces it, so that nothing works in a single process only. */
export const MAX_PAYLOAD_BYTES = 1_048_576;

/**
 * A payload as it travels: JSON text.
 * @throws BusError `invalid_payload` when it is not a JSON value, `payload_too_large` above MAX_PAYLOAD_BYTES
 */
export function toWire(payload: unknown): string {
  const text = stringify(payload);
  // A UTF-16 code unit is at most three bytes of UTF-8, so most texts need no count.
  if (text.length * 3 > MAX_PAYLOAD_BYTES && Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) {
    throw new BusError('payload_too_large', `A message may be at most ${MAX_PAYLOAD_BYTES} bytes of JSON.`);
  }
  return text;
}

/** A receiver's own copy; undefined, which no JSON stands for, when the text is not JSON. */
export function fromWire(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function stringify(payload: unknown): string {
  try {
    const text: unknown = JSON.stringify(payload);
    if (typeof text === 'string') return text;
  } catch (error) {
    throw new BusError('invalid_payload', 'The payload cannot be written as JSON.', { cause: error });
  }
  throw new BusError('invalid_payload', 'The payload is not a JSON value.');
}
