import { listNames } from '../../domain/sentence';
import { fieldsWithMask } from '../../agents/secrets/mask-credentials';

type Config = Readonly<Record<string, unknown>>;

/**
 * Why a config cannot be used for the masks in it, which stand for secrets that nobody knows here; null when there are none. Stored,
 * they would be the agent's credentials from then on.
 * @param stored what the agent has already may be sent back
 */
export function leftMasksSentence(config: Config, stored: Config = {}): string | null {
  const fields = fieldsWithMask(config, stored).map((key) => `config.${key}`);
  if (fields.length === 0) return null;
  return (
    `${listNames(fields)} ${fields.length === 1 ? 'holds' : 'hold'} bullets, which stand for a secret that was not shown: ` +
    'give the secret itself, or leave the field out to keep what is stored.'
  );
}
