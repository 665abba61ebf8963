import { conversationWarning } from '../../domain/kept-conversation';
import { givenValue } from '../../agents/config-reader';
import { seemsToHoldSecret } from '../../agents/secrets/secret-path';

/** What everybody should know of an agent before it is examined. */
export function examinationWarnings(kind: string, config: Readonly<Record<string, unknown>>): string[] {
  const warning = conversationWarning(kind, config);
  return warning === null ? [] : [warning];
}

/**
 * What only somebody who may change an agent should know of it. A path is the agent's identity, in what is shown, in what runs keep and in
 * their hashes: a secret in it cannot be told from the rest, so it is not hidden but warned of.
 */
export function secretWarnings(kind: string, config: Readonly<Record<string, unknown>>): string[] {
  // Addresses of the other kinds are their vendors', with ids in them.
  const url = kind === 'http' ? givenValue(kind, config, 'url') : undefined;
  if (typeof url !== 'string' || !seemsToHoldSecret(url)) return [];
  return [
    'config.url seems to hold a secret in its path, which every service key shows, runs keep and replies may repeat: ' +
      'give it in config.headers, or in a query parameter named as one, such as token.',
  ];
}
