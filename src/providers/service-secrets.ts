import type { Settings } from '../config/settings';
import { secretsOfUrl } from './secret-address';

/** Secrets of the deployment that an agent may have got hold of: its keys, and the passwords in its addresses. */
export function serviceSecretsOf(settings: Settings): readonly string[] {
  const { serviceKeys, secretsKeys, metricsToken, examiners, openaiApiKey, databaseUrl, natsUrl } = settings;
  const keys = [
    ...serviceKeys.map(({ key }) => key),
    ...secretsKeys.filter((key) => key !== 'plain'),
    ...examiners.keys,
    metricsToken,
    openaiApiKey,
  ].filter((key) => key !== null);
  const addresses = [databaseUrl, natsUrl, ...examiners.addresses].filter((address) => address !== null);
  return [...keys, ...addresses.flatMap(passwordOf)];
}

/** NATS takes a token in place of a user; next to a password, the user is not a secret. */
function passwordOf(address: string): readonly string[] {
  const url = new URL(address);
  if (url.password !== '') url.username = '';
  return secretsOfUrl(url);
}
