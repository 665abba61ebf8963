import { BadRequestException } from '@nestjs/common';
import { fieldOf, configWithoutSecrets } from '../../agents';
import { isAddressField, movedAddresses } from '../../agents/outbound';
import {
  maskCredentials,
  restoreMasked,
  fieldsWithMask,
  hasMask,
  holdsSecret,
  fieldsWithLongSecrets,
  LONGEST_SECRET,
} from '../../agents/secrets';
import { listClauses, listNames } from '../../domain';

type Config = Readonly<Record<string, unknown>>;

/**
 * The config of an agent with changes merged into it key by key, whether they are stored or only tried. A client that was shown a
 * config without its secrets may send it back: what stands in place of a secret then means the stored one, whichever client it
 * was shown to.
 * @throws BadRequestException when stored secrets would follow a changed address, a secret is too long, or a mask stands for nothing that
 * is stored
 */
export async function editedConfig(
  { provider, config }: { readonly provider: string; readonly config: Config },
  given: Config,
): Promise<Record<string, unknown>> {
  requireBoundedSecrets(given);
  const shown = [maskCredentials(config), await configWithoutSecrets(config)];
  const changes = restoreMasked(given, config, shown);
  const edited = mergeConfig(config, changes, (key) => fieldOf(provider, key));
  const wrong = leftMasksSentence(changes, config) ?? leftSecretsSentence(provider, config, given, edited);
  if (wrong !== null) throw new BadRequestException(wrong);
  return edited;
}

/** @throws BadRequestException when the config of an agent that is not stored holds masks, or secrets that are too long */
export function requireOwnSecrets(config: Config): void {
  requireBoundedSecrets(config);
  const wrong = leftMasksSentence(config);
  if (wrong !== null) throw new BadRequestException(wrong);
}

/** Every secret is looked for in what the agent says: a long one would cost each reply. @throws BadRequestException */
function requireBoundedSecrets(config: Config): void {
  const problems = fieldsWithLongSecrets(config).map(
    (field) =>
      `config.${field}: holds a secret of more than ${LONGEST_SECRET} characters, the most that one may have: check what was pasted`,
  );
  if (problems.length > 0) throw new BadRequestException(listClauses(problems));
}

/**
 * The sentence that refuses a config for its masks, which stand for secrets that are not known here; null when there are none.
 * Once stored, they would be the agent's credentials.
 * @param stored its values may be sent back as they are
 */
function leftMasksSentence(config: Config, stored: Config = {}): string | null {
  const fields = fieldsWithMask(config, stored).map((key) => `config.${key}`);
  if (fields.length === 0) return null;
  return (
    `${listNames(fields)} ${fields.length === 1 ? 'holds' : 'hold'} bullets, which stand for a secret that was not shown: ` +
    'give the secret itself, or leave the field out to keep what is stored.'
  );
}

/**
 * A stored config with changes merged key by key: null removes. A field has one spelling afterwards, that of the change:
 * with two, the reader might use the old one.
 * @param fieldOf the field that a key means, however it is spelled
 */
function mergeConfig(stored: Config, changes: Config, fieldOf: (key: string) => string): Record<string, unknown> {
  const changed = new Set(Object.keys(changes).map(fieldOf));
  const kept = Object.entries(stored).filter(([key]) => Object.hasOwn(changes, key) || !changed.has(fieldOf(key)));
  return Object.fromEntries(
    Object.entries({ ...Object.fromEntries(kept), ...changes }).filter(([key]) => !isRemoved(changes, key)),
  );
}

function isRemoved(changes: Config, key: string): boolean {
  return Object.hasOwn(changes, key) && changes[key] === null;
}

/**
 * The sentence that refuses a change which would send stored secrets to an address that they were not given for; null for any
 * other change. Secrets belong to the origin (scheme, host and port) that the agent had when they were given: when one of its
 * address fields moves to another, all of them have to be given again in the same change, or be removed.
 * @param changes as they were sent: a mask that is sent back does not give a secret
 * @param changed the resulting config
 */
function leftSecretsSentence(kind: string, stored: Config, changes: Config, changed: Config): string | null {
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
