import { isDeepStrictEqual } from 'node:util';
import { BadRequestException } from '@nestjs/common';
import { listNames } from '../../domain/sentence';
import { fieldOf, givenValue } from '../../agents/config-reader';
import { configWithoutSecrets } from '../../agents/examined-config';
import { editedConfig } from './edited-config';
import { secretsNotGiven } from './left-secrets';

type Config = Readonly<Record<string, unknown>>;
type Agent = { readonly provider: string; readonly config: Config };

/** What an agent says and how long it may take: none of them decides what its secrets are used for. */
const HARMLESS: ReadonlySet<string> = new Set([
  'model',
  'system_prompt',
  'temperature',
  'max_tokens',
  'turn_timeout_ms',
  'max_retries',
  'requests_per_minute',
]);

/**
 * The config of an agent with changes of somebody who may not see its secrets, to be tried. An admin has decided what the secrets are
 * used for: with any other path, method or body they would do for a runner whatever they can do at their origin.
 * @throws BadRequestException as editedConfig, and when stored secrets would be used with a change that is not harmless
 */
export async function runnersConfig({ provider, config }: Agent, changes: Config): Promise<Config> {
  const edited = await editedConfig({ provider, config }, changes);
  const fields = new Set([...Object.keys(config), ...Object.keys(edited)].map((key) => fieldOf(provider, key)));
  const changed = [...fields].filter(
    (field) =>
      !HARMLESS.has(field) &&
      !isDeepStrictEqual(givenValue(provider, edited, field), givenValue(provider, config, field)),
  );
  if (changed.length === 0) return edited;
  const left = secretsNotGiven(provider, changes, edited).map((key) => `config.${key}`);
  if (left.length > 0) {
    throw new BadRequestException(
      `config.${changed[0]} decides what the agent's stored secrets are used for, which an admin does: ` +
        `give ${listNames(left)} again in the same change, or null to remove them.`,
    );
  }
  // Not even a stored secret that another field repeats goes along.
  return editedConfig({ provider, config: await configWithoutSecrets(config) }, changes);
}
