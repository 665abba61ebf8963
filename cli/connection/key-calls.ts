import * as answers from './answers';
import type { ServiceApi } from './service-api';

/** Calls about named keys. They throw the same errors as ServiceApi. */

/** All of them, the revoked of late too. */
export async function listKeys(api: ServiceApi): Promise<answers.NamedKey[]> {
  return (await api.ask('GET /api/v1/keys', {}, answers.keyList)).keys;
}

/** With its secret. */
export function createKey(api: ServiceApi, body: object): Promise<answers.NewKey> {
  return api.ask('POST /api/v1/keys', { body }, answers.newKey);
}

export function revokeKey(api: ServiceApi, id: string): Promise<void> {
  return api.tell('DELETE /api/v1/keys/{id}', { path: { id } });
}
