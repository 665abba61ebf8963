import { fullNameOf, readModelName, type ModelName, type Vendor } from './model-name';
import { SettingsError } from './setting-values';

/** The roles of a language model. */
export const ROLES = ['tester', 'judge'] as const;
export type Role = (typeof ROLES)[number];

/** One language model, where it is reached, and the key that is given to that address alone. */
export interface ModelConnection extends ModelName {
  readonly apiKey: string;
  /** Null: the vendor's public address. */
  readonly baseUrl: string | null;
  /** Where key and address come from, for sentences about them. */
  readonly keyVariable: string;
  readonly addressVariable: string;
}

/** A model that a run may ask for, in either role. */
export interface AllowedModel extends Readonly<Record<Role, ModelConnection>> {
  /** With its prefix. */
  readonly name: string;
}

/** Which language models play and mark. */
export interface ExaminerModels {
  /** Null: the offline one. */
  readonly tester: ModelConnection | null;
  readonly judge: ModelConnection | null;
  readonly allowed: readonly AllowedModel[];
  /** Every key and address that was given, used or not. */
  readonly keys: readonly string[];
  readonly addresses: readonly string[];
}

const KEYS = ['ANTHROPIC_API_KEY', 'EXAMINER_API_KEY', 'TESTER_API_KEY', 'JUDGE_API_KEY'] as const;
const ADDRESSES = ['ANTHROPIC_BASE_URL', 'EXAMINER_BASE_URL', 'TESTER_BASE_URL', 'JUDGE_BASE_URL'] as const;
/** The variables that decide about models, as they were given. */
type Given = Readonly<Partial<Record<(typeof KEYS)[number] | (typeof ADDRESSES)[number], string | undefined>>>;
export interface ModelVariables extends Given {
  readonly TESTER_MODEL: string;
  readonly JUDGE_MODEL: string;
  readonly ALLOWED_MODELS: readonly string[];
}

const MODEL_VARIABLE = { tester: 'TESTER_MODEL', judge: 'JUDGE_MODEL' } as const;
const OWN = {
  tester: { key: 'TESTER_API_KEY', address: 'TESTER_BASE_URL' },
  judge: { key: 'JUDGE_API_KEY', address: 'JUDGE_BASE_URL' },
} as const;
const SHARED = {
  anthropic: { key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL' },
  openai: { key: 'EXAMINER_API_KEY', address: 'EXAMINER_BASE_URL' },
} as const;

/** Where a vendor's own models are. */
export const PUBLIC_ADDRESS: Readonly<Record<Vendor, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
};

/** @throws SettingsError for a model without a key, and for a key that was not given for the address it would go to */
export function examinerModelsOf(variables: ModelVariables): ExaminerModels {
  const tester = configured('tester', variables);
  const judge = configured('judge', variables);
  const asked = variables.ALLOWED_MODELS.map(modelNamed);
  const names = asked.length > 0 ? asked : [tester, judge].filter((connection) => connection !== null);
  const byName = new Map(names.map((name) => [fullNameOf(name), name]));
  /** A model that is configured for one role is reached in the same way in the other. */
  const reached = (role: Role, name: ModelName): ModelConnection => {
    const inOrder = role === 'tester' ? [tester, judge] : [judge, tester];
    const known = inOrder.find((connection) => connection !== null && fullNameOf(connection) === fullNameOf(name));
    return known ?? connected(role, name, 'ALLOWED_MODELS', variables);
  };
  return {
    tester,
    judge,
    allowed: [...byName].map(([name, model]) => ({
      name,
      tester: reached('tester', model),
      judge: reached('judge', model),
    })),
    keys: KEYS.flatMap((variable) => variables[variable] ?? []),
    addresses: ADDRESSES.flatMap((variable) => variables[variable] ?? []),
  };
}

/** Null: the model is Anthropic's by a bare name or by default, and there is no key for it. */
function configured(role: Role, variables: ModelVariables): ModelConnection | null {
  const variable = MODEL_VARIABLE[role];
  const text = variables[variable];
  const name = modelNamed(text);
  const access = accessOf(role, name.vendor, variables);
  if (access.key === undefined && !text.includes('/')) return null;
  return connected(role, name, variable, variables);
}

function connected(role: Role, name: ModelName, variable: string, variables: ModelVariables): ModelConnection {
  const { key, keyVariable, address, addressVariable } = accessOf(role, name.vendor, variables);
  if (key === undefined) {
    const shared = SHARED[name.vendor].key;
    const needed = isOfRole(role, name.vendor, variables) ? `${shared} or ${OWN[role].key}` : shared;
    throw new SettingsError(
      `${variable} names ${fullNameOf(name)}, and there is no key for it as a ${role}: set ${needed} ` +
        '(for a server that asks for none, any word).',
    );
  }
  return { ...name, apiKey: key, baseUrl: address ?? null, keyVariable, addressVariable };
}

interface Access {
  readonly key: string | undefined;
  readonly keyVariable: string;
  readonly address: string | undefined;
  readonly addressVariable: string;
}

/**
 * A role's own key and address before those it shares.
 * @throws SettingsError when a shared key would go to a server of the role's own
 */
function accessOf(role: Role, vendor: Vendor, variables: ModelVariables): Access {
  const shared = SHARED[vendor];
  const own = isOfRole(role, vendor, variables) ? OWN[role] : shared;
  const [ownKey, ownAddress] = [variables[own.key], variables[own.address]];
  const [sharedKey, sharedAddress] = [variables[shared.key], variables[shared.address]];
  const isElsewhere =
    ownAddress !== undefined && originOf(ownAddress) !== originOf(sharedAddress ?? PUBLIC_ADDRESS[vendor]);
  if (ownKey === undefined && sharedKey !== undefined && isElsewhere) {
    throw new SettingsError(
      `${own.address} is set and ${own.key} is not: ${shared.key} was given for another server and is not sent there. ` +
        `Set ${own.key} too.`,
    );
  }
  return {
    key: ownKey ?? sharedKey,
    keyVariable: ownKey === undefined ? shared.key : own.key,
    address: ownAddress ?? sharedAddress,
    addressVariable: ownAddress === undefined ? shared.address : own.address,
  };
}

/** Whether a role's own key and address are for this vendor: they are for that of its own model. */
function isOfRole(role: Role, vendor: Vendor, variables: ModelVariables): boolean {
  return modelNamed(variables[MODEL_VARIABLE[role]]).vendor === vendor;
}

function originOf(address: string): string {
  return new URL(address).origin;
}

/** The schema of the settings has checked it. @throws SettingsError for what it should have refused */
function modelNamed(text: string): ModelName {
  const name = readModelName(text);
  if (name === null) throw new SettingsError(`${JSON.stringify(text)} names no model.`);
  return name;
}
