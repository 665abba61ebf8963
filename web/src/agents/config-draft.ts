import type { AgentConfig } from '../api/agents';
import type { ConfigField } from './config-fields';

/** The contents of the form: text for every field, `''` for what is not set; switches hold `true` or `false`. */
export type ConfigDraft = Readonly<Record<string, string>>;

export interface DraftConfig {
  /** Changes to the stored config: null removes a key. */
  readonly changes: AgentConfig;
  /** The reason why a field cannot be used, by its key. */
  readonly wrong: Readonly<Record<string, string>>;
}

export function draftOf(config: AgentConfig, fields: readonly ConfigField[]): ConfigDraft {
  return Object.fromEntries(
    fields.map((field) => {
      const value = config[storedKey(config, field)];
      return [field.key, textOf(value)];
    }),
  );
}

/**
 * The changes that make the stored config match the form; keys that the form does not know stay.
 * @param entered keys of fields that the reader typed into: they are sent even when they match what is stored, since a secret has
 *   to be given again when the agent's address moves
 */
export function configChanges(
  draft: ConfigDraft,
  stored: AgentConfig,
  fields: readonly ConfigField[],
  entered: ReadonlySet<string>,
): DraftConfig {
  const changes: Record<string, unknown> = {};
  const wrong: Record<string, string> = {};
  const before = draftOf(stored, fields);
  for (const field of fields) {
    const text = draft[field.key] ?? '';
    if (text === before[field.key] && !entered.has(field.key)) continue;
    const read = valueOf(text, field);
    if ('wrong' in read) wrong[field.key] = read.wrong;
    else changes[storedKey(stored, field)] = read.value;
  }
  return { changes, wrong };
}

/** A config keeps the spelling of its keys. */
function storedKey(config: AgentConfig, { key, aliases = [] }: ConfigField): string {
  const spellings = [key, ...aliases].flatMap((name) => [name, camelCase(name)]);
  return spellings.find((name) => Object.hasOwn(config, name) && config[name] !== null) ?? key;
}

function valueOf(text: string, { kind }: ConfigField): { value: unknown } | { wrong: string } {
  if (text.trim() === '') return { value: null };
  if (kind === 'number') {
    const number = Number(text);
    return Number.isFinite(number) ? { value: number } : { wrong: 'Enter a number.' };
  }
  if (kind === 'switch') return { value: text === 'true' };
  if (kind === 'json') return jsonOf(text);
  return { value: text };
}

function jsonOf(text: string): { value: unknown } | { wrong: string } {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return { wrong: 'Enter JSON, such as { "name": "value" }.' };
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, typeof value === 'object' ? 2 : 0);
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
