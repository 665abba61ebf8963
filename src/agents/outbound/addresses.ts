import type { ProviderKind } from '../../domain';
import { DEFAULT_ADDRESSES } from '../config';
import { fieldOf, givenValue } from '../config-reader';
import type { AgentConfig } from '../provider';

/** The fields that determine where an agent's credentials are sent: without them, stored secrets would follow to any address. */
const ADDRESS_FIELDS_BY_KIND: Readonly<Record<ProviderKind, readonly string[]>> = {
  openai: ['base_url'],
  vapi: ['api_base'],
  livekit: ['url', 'token_url'],
  pipecat: ['base_url', 'transport_url'],
  browser: ['url'],
  http: ['url'],
};
/** By kind as it is stored, perhaps by another version. */
const ADDRESS_FIELDS = new Map<string, readonly string[]>(Object.entries(ADDRESS_FIELDS_BY_KIND));

/** Whether a key of a config is an address, however it is spelled. */
export function isAddressField(kind: string, key: string): boolean {
  return ADDRESS_FIELDS.get(kind)?.includes(fieldOf(kind, key)) ?? false;
}

/** The address fields whose scheme, host or port differs between `stored` and `changed`, as far as `stored` has one. */
export function movedAddresses(kind: string, stored: AgentConfig, changed: AgentConfig): readonly string[] {
  return (ADDRESS_FIELDS.get(kind) ?? []).filter((field) => {
    const origin = originOf(kind, changed, field);
    return origin !== null && origin !== originOf(kind, stored, field);
  });
}

/** Null: nothing is sent to this field's address. */
function originOf(kind: string, config: AgentConfig, field: string): string | null {
  const given = givenValue(kind, config, field) ?? DEFAULT_ADDRESSES.get(`${kind}.${field}`);
  if (typeof given !== 'string' || !URL.canParse(given.trim())) return null;
  return new URL(given.trim()).origin;
}
