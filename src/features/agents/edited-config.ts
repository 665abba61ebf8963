import { BadRequestException } from '@nestjs/common';
import { fieldOf } from '../../agents/config-reader';
import { configWithoutSecrets } from '../../agents/examined-config';
import { maskCredentials } from '../../agents/secrets/mask-credentials';
import { restoreMasked } from '../../agents/secrets/restore-masked';
import { leftMasksSentence } from './left-masks';
import { leftSecretsSentence } from './left-secrets';
import { mergeConfig } from './merge-config';

type Config = Readonly<Record<string, unknown>>;

/**
 * The config of an agent with changes merged into it key by key, whether they are stored or only tried. Whoever reads a config without
 * its secrets may send it back: what was shown in place of one stands for what is stored, whoever was shown it.
 * @throws BadRequestException when stored secrets would follow a changed address, or a mask stands for nothing that is stored
 */
export async function editedConfig(
  { provider, config }: { readonly provider: string; readonly config: Config },
  given: Config,
): Promise<Record<string, unknown>> {
  const shown = [maskCredentials(config), await configWithoutSecrets(config)];
  const changes = restoreMasked(given, config, shown);
  const edited = mergeConfig(config, changes, (key) => fieldOf(provider, key));
  const wrong = leftMasksSentence(changes, config) ?? leftSecretsSentence(provider, config, given, edited);
  if (wrong !== null) throw new BadRequestException(wrong);
  return edited;
}

/** @throws BadRequestException when a config that nothing is stored of holds masks */
export function requireNoMasks(config: Config): void {
  const wrong = leftMasksSentence(config);
  if (wrong !== null) throw new BadRequestException(wrong);
}
