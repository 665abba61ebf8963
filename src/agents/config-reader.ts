import type { z } from 'zod';
import { configFields } from '../../contract/agent-kinds';
import { listClauses } from '../domain';
import { ProviderError } from './errors';
import type { AgentConfig } from './provider';

/** The field that a key of a stored config means, however it is spelled: `apiKey` is `api_key`, vapi's `providerId` is `assistant_id`. */
export function fieldOf(kind: string, key: string): string {
  const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const others = otherNamesOf(kind);
  return Object.keys(others).find((field) => others[field]?.includes(name)) ?? name;
}

/** A stored config's value of a field, in whichever spelling takes precedence; undefined when it has none. */
export function givenValue(kind: string, config: AgentConfig, field: string): unknown {
  return picked(config, spellingsOf(field, otherNamesOf(kind)));
}

/** By field, the other names under which it may be given. */
export function otherNamesOf(kind: string): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...configFields(kind)].map(([field, { aliases = [] }]) => [field, aliases]));
}

/**
 * Makes the function that reads a kind's fields from a stored config. Each may be written in snake_case, which takes precedence, or in camelCase,
 * or under one of its aliases; null and an absent field are the same, and so is empty text next to another spelling that
 * has a value; unknown fields are ignored. The reader
 * throws ProviderError `config_invalid` naming the offending fields, as many as a sentence has room for.
 */
export function configReader<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  otherNames: Readonly<Record<string, readonly string[]>> = {},
): (config: AgentConfig) => z.infer<z.ZodObject<Shape>> {
  const spellings = Object.keys(schema.shape).map((field) => {
    return { field, accepted: spellingsOf(field, otherNames) };
  });
  return (config) => {
    const fields: Record<string, unknown> = {};
    for (const { field, accepted } of spellings) {
      const given = picked(config, accepted);
      if (given !== undefined) fields[field] = given;
    }
    const result = schema.safeParse(fields);
    if (result.success) return result.data;
    const problems = new Set(result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`));
    throw new ProviderError('config_invalid', `The agent's config cannot be used: ${listClauses([...problems])}.`);
  };
}

function spellingsOf(field: string, otherNames: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return [field, ...(otherNames[field] ?? [])].flatMap((name) => [name, camelCase(name)]);
}

function picked(config: AgentConfig, accepted: readonly string[]): unknown {
  const present = accepted.filter((name) => Object.hasOwn(config, name) && config[name] !== null);
  const given = present.find((name) => config[name] !== '') ?? present[0];
  return given === undefined ? undefined : config[given];
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
