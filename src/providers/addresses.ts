import { DEFAULT_ADDRESSES } from './config';
import { fieldOf, givenValue } from './config-reader';
import type { AgentConfig } from './provider';

/** By kind, the fields that determine where an agent's credentials are sent. */
const ADDRESS_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['openai', ['base_url']],
  ['vapi', ['api_base']],
  ['livekit', ['url', 'token_url']],
  ['pipecat', ['base_url', 'transport_url']],
  ['browser', ['url']],
  ['http', ['url']],
]);

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
