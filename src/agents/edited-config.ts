import { BadRequestException } from '@nestjs/common';
import { fieldOf } from '../providers/config-reader';
import { restoreMasked } from '../providers/mask-credentials';
import { leftSecretsSentence } from './left-secrets';
import { mergeConfig } from './merge-config';

type Config = Readonly<Record<string, unknown>>;

/**
 * The config of an agent with changes merged into it key by key, whether they are stored or only tried.
 * @param isMasked answers show credentials masked: a mask that is sent back stands for what is stored
 * @throws BadRequestException when stored secrets would follow a changed address
 */
export function editedConfig(
  { provider, config }: { readonly provider: string; readonly config: Config },
  given: Config,
  isMasked: boolean,
): Record<string, unknown> {
  const changes = isMasked ? restoreMasked(given, config) : given;
  const edited = mergeConfig(config, changes, (key) => fieldOf(provider, key));
  const left = leftSecretsSentence(provider, config, given, edited);
  if (left !== null) throw new BadRequestException(left);
  return edited;
}
