import { canonicalHash } from '../domain/fingerprint';
import { leaveOutCredentials, maskCredentials } from './secrets/mask-credentials';
import { Secrets } from './secrets/secrets';

export interface ExaminedConfig {
  /** As `GET /api/v1/agents/{id}` shows it with MASK_CREDENTIALS, and without secrets that another field repeats. */
  readonly shown: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

/**
 * What a run keeps of its agent's config. The hash is of `{ provider, config }` with every secret left out: not even a salted
 * fingerprint of one goes into it. So no reader can test guesses against it, and a new key is not a new agent; what stands beside
 * secrets, such as other headers, does not count either.
 */
export async function examinedConfig(provider: string, config: unknown): Promise<ExaminedConfig> {
  const given = isDocument(config) ? config : {};
  const secrets = await secretsOf(given);
  return {
    shown: documentWithout(secrets, maskCredentials(given)),
    hash: canonicalHash({ provider, config: documentWithout(secrets, leaveOutCredentials(given)) }),
  };
}

/** The config as a run keeps it, for readers who may not see its secrets. */
export async function configWithoutSecrets(
  config: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  return documentWithout(await secretsOf(config), maskCredentials(config));
}

async function secretsOf(config: Readonly<Record<string, unknown>>): Promise<Secrets> {
  const secrets = Secrets.of(config);
  await secrets.prepare();
  return secrets;
}

function documentWithout(secrets: Secrets, document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(document).map(([key, part]) => [secrets.remove(key), without(secrets, part)]),
  );
}

function without(secrets: Secrets, value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return secrets.removeFrom(value);
  if (Array.isArray(value)) return value.map((item) => without(secrets, item));
  return isDocument(value) ? documentWithout(secrets, value) : value;
}

function isDocument(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
