import { SettingsError } from './setting-values';
import { ROLES, type Role } from '../../../contract/operation';

/** A key that requests carry. */
export interface ServiceKey {
  /** The person or program that uses it, for people to read; several keys may have the same name. */
  readonly name: string;
  readonly role: Role;
  readonly key: string;
}

const VARIABLES = {
  admin: 'SERVICE_API_KEY',
  runner: 'SERVICE_RUNNER_KEY',
  reviewer: 'SERVICE_REVIEWER_KEY',
  viewer: 'SERVICE_VIEWER_KEY',
} as const;

export const SHORTEST_KEY = 24;
export const MAKE_A_KEY = 'openssl rand -hex 24';

const NAME = /^[A-Za-z0-9._-]{1,64}$/;

type KeyVariables = Readonly<Record<(typeof VARIABLES)[Role], readonly string[]>>;

/**
 * The keys of all roles. An entry is a key, or `name:key`; without a name it is called by its role and place.
 * @throws SettingsError that names the variable and the place, never a key
 */
export function serviceKeysOf(variables: KeyVariables): readonly ServiceKey[] {
  const keys: ServiceKey[] = [];
  const variableOf = new Map<string, string>();
  for (const role of [...ROLES].reverse()) {
    const variable = VARIABLES[role];
    for (const [index, entry] of variables[variable].entries()) {
      const read = readEntry(entry, role, `${variable}: key ${index + 1}`, index + 1);
      const other = variableOf.get(read.key);
      if (other !== undefined) throw new SettingsError(repeated(variable, other));
      variableOf.set(read.key, variable);
      keys.push(Object.freeze(read));
    }
  }
  return keys;
}

function readEntry(entry: string, role: Role, called: string, place: number): ServiceKey {
  const colon = entry.indexOf(':');
  const name = colon < 0 ? `${role} ${place}` : entry.slice(0, colon);
  const key = entry.slice(colon + 1);
  if (colon >= 0 && !NAME.test(name)) {
    throw new SettingsError(
      `${called} has a name that is none: what stands before the first colon (name:key) is 1 to 64 letters, digits, dots, underscores ` +
        'and hyphens.',
    );
  }
  if (key.length < SHORTEST_KEY) {
    throw new SettingsError(
      `${called} is shorter than ${SHORTEST_KEY} characters and could be guessed: make one with ${MAKE_A_KEY}.`,
    );
  }
  return { name, role, key };
}

function repeated(variable: string, other: string): string {
  const places = variable === other ? `twice in ${variable}` : `in both ${other} and ${variable}`;
  return `The same key stands ${places}: a key has one name and one role; make another with ${MAKE_A_KEY}.`;
}
