import { configFields } from '../../../contract/agent-kinds';
import { fieldOf, givenValue } from '../config-reader';
import type { AgentConfig } from '../provider';

/** Whether a key of a config is an address, however it is spelled. */
export function isAddressField(kind: string, key: string): boolean {
  return configFields(kind).get(fieldOf(kind, key))?.isAddress ?? false;
}

/** The address fields whose scheme, host or port differs between `stored` and `changed`, as far as `stored` has one. */
export function movedAddresses(kind: string, stored: AgentConfig, changed: AgentConfig): readonly string[] {
  const addresses = [...configFields(kind)].filter(([, { isAddress }]) => isAddress).map(([field]) => field);
  return addresses.filter((field) => {
    const origin = originOf(kind, changed, field);
    return origin !== null && origin !== originOf(kind, stored, field);
  });
}

/** Null: nothing is sent to this field's address. */
function originOf(kind: string, config: AgentConfig, field: string): string | null {
  const given = givenValue(kind, config, field) ?? configFields(kind).get(field)?.defaultAddress;
  if (typeof given !== 'string' || !URL.canParse(given.trim())) return null;
  return new URL(given.trim()).origin;
}
