import { createHmac, randomBytes } from 'node:crypto';

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A signing secret, as Standard Webhooks write it. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export interface SignedHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** A new one beside the one before it, so that receivers may change over in their own time. */
export const BOTH_SECRETS_HOURS = 24;

/**
 * The headers by which a receiver knows who sent a body, and when.
 * @param secrets each makes a signature: a receiver accepts any that its own secret makes
 * @param id of the message, the same in every attempt
 */
export function signed(secrets: readonly string[], id: string, at: Date, body: string): SignedHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
