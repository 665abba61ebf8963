import type { BodyFor } from '../../../contract/call';
import type { KeyView, NewKeyView } from '../../../contract/keys';
import { call, callForNothing } from './client';

export type NamedKey = KeyView;
export type NewKey = NewKeyView;
export type KeyFields = BodyFor<'POST /api/v1/keys'>;

/** All of them, those revoked of late too. */
export async function listKeys(signal: AbortSignal): Promise<readonly NamedKey[]> {
  return (await call('GET /api/v1/keys', { signal })).keys;
}

/** With its secret, which no other answer has. */
export function createKey(body: KeyFields): Promise<NewKey> {
  return call('POST /api/v1/keys', { body });
}

export function revokeKey(id: string): Promise<void> {
  return callForNothing('DELETE /api/v1/keys/{id}', { path: { id } });
}
