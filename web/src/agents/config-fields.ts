import { AGENT_KINDS, configFields, type ConfigField as Field } from '../../../contract/agent-kinds';

/** A field of the form, with its name in the config. */
export interface ConfigField extends Field {
  readonly key: string;
}

export interface ProviderForm {
  readonly provider: string;
  readonly label: string;
  readonly description: string;
  readonly fields: readonly ConfigField[];
}

export const PROVIDER_FORMS: readonly ProviderForm[] = Object.entries(AGENT_KINDS).map(
  ([provider, { label, description }]) => ({
    provider,
    label,
    description,
    fields: [...configFields(provider)].map(([key, field]) => ({ key, ...field })),
  }),
);

export function providerForm(provider: string): ProviderForm | null {
  return PROVIDER_FORMS.find((form) => form.provider === provider) ?? null;
}
