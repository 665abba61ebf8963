import { CONFIG_FIELDS } from '../../agents/config-field-names';
import type { KnownNames } from './known-names';

/** Of an agent's config: keys that no provider knows. They are stored, so they are a change, but what they are called may be anything. */
const OTHER_KEYS = 'config.*';

/**
 * What a request named, by name alone: fields of its body, keys of an agent's config as `config.api_key`, parameters of its query as
 * `?purge`. Only names that this service has given: somebody may paste a secret where a name belongs. Each once, so their number is
 * bounded by what the service knows and none is cut off: whatever is sent along, nothing that was changed goes unnamed.
 */
export function namedFields(body: unknown, query: unknown, known: KnownNames): readonly string[] {
  const fields = keysOf(body).filter((name) => known.body.has(name));
  const keys = fields.includes('config') ? configKeys(Reflect.get(Object(body), 'config')) : [];
  const parameters = keysOf(query).filter((name) => known.query.has(name));
  return [...fields, ...keys, ...parameters.map((name) => `?${name}`)];
}

/** In snake_case, however they were sent: a config takes both. */
function configKeys(config: unknown): readonly string[] {
  const names = keysOf(config).map(snakeCase);
  return [...new Set(names.map((name) => (CONFIG_FIELDS.has(name) ? `config.${name}` : OTHER_KEYS)))];
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function keysOf(given: unknown): readonly string[] {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.keys(given) : [];
}
