import { isAddressField, movedAddresses } from '../../agents/outbound/addresses';
import { fieldOf } from '../../agents/config-reader';
import { hasMask, holdsSecret } from '../../agents/secrets/mask-credentials';

type Config = Readonly<Record<string, unknown>>;

/**
 * Why a change would send stored secrets to an address that they were not given for; null when it would not. Secrets belong to
 * the origin (scheme, host and port) that the agent had when they were given: to whichever address one of its fields is moved,
 * all of them have to be given again in the same change, or be removed.
 * @param changes as they were sent: a mask that is sent back does not give a secret
 * @param changed the resulting config
 */
export function leftSecretsSentence(kind: string, stored: Config, changes: Config, changed: Config): string | null {
  const moved = movedAddresses(kind, stored, changed);
  if (moved.length === 0) return null;
  const left = secretsNotGiven(kind, changes, changed)
    .filter((key) => !isAddressField(kind, key))
    .map((key) => `config.${key}`);
  if (left.length === 0) return null;
  const addresses = moved.map((field) => `config.${field}`).join(' and ');
  return (
    `${addresses} would send the agent's stored secrets to another scheme, host or port than they were given for: ` +
    `give ${left.join(', ')} again in the same change, or null to remove them.`
  );
}

/** The keys of the resulting config whose values hold secrets that did not come with the change. */
export function secretsNotGiven(kind: string, changes: Config, changed: Config): readonly string[] {
  const given = new Set(
    Object.entries(changes).flatMap(([key, value]) => (hasMask(value) ? [] : [fieldOf(kind, key)])),
  );
  return Object.keys(changed).filter((key) => holdsSecret(key, changed[key]) && !given.has(fieldOf(kind, key)));
}
