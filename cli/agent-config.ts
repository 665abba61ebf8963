import { holdsSecret } from '../src/agents/secrets/mask-credentials';
import { UsageFailure } from './failure';
import { readJsonObject } from './read-input';
import type { Environment, Session } from './session';

export interface ConfigOptions {
  readonly config?: readonly string[];
  readonly configEnv?: readonly string[];
  readonly configFile?: string;
}

/**
 * An agent's config from its three sources, the later ones winning: a JSON file, `key=value` and `key=VARIABLE`. The last
 * reads the value from the environment, so that credentials appear in no command line and no shell history.
 * @throws UsageFailure
 */
export async function configFrom(options: ConfigOptions, environment: Environment): Promise<Record<string, unknown>> {
  const fields = options.configFile === undefined ? {} : await readJsonObject(options.configFile);
  for (const pair of options.config ?? []) {
    const [key, value] = split(pair, '--config');
    fields[key] = valueOf(value);
  }
  for (const pair of options.configEnv ?? []) {
    const [key, variable] = split(pair, '--config-env');
    const value = environment[variable];
    if (value === undefined || value === '') {
      throw new UsageFailure(`--config-env ${key}: the environment variable ${variable} is not set.`);
    }
    fields[key] = value;
  }
  return fields;
}

/**
 * Call it before an agent's config is sent. @throws UsageFailure when the config holds credentials and a committed file names the
 * address: the author of that file would receive them
 */
export function requireOwnAddress(
  { settings }: Session,
  config: Readonly<Record<string, unknown>>,
  { configEnv = [] }: ConfigOptions = {},
): void {
  const hasSecrets = configEnv.length > 0 || Object.entries(config).some(([key, value]) => holdsSecret(key, value));
  const refusal = hasSecrets ? settings.credentialsRefusal('The agent’s credentials are') : null;
  if (refusal !== null) throw new UsageFailure(refusal);
}

function split(pair: string, option: string): readonly [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw new UsageFailure(`${option} takes key=value.`);
  return [pair.slice(0, at).trim(), pair.slice(at + 1)];
}

/** Numbers, true, false, null, objects, lists and quoted text as in JSON; anything else is the text itself. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
