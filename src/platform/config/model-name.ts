/** The vendor whose API a model is called with: the Messages API, or the chat completions that many servers offer. */
export const VENDORS = ['anthropic', 'openai'] as const;
export type Vendor = (typeof VENDORS)[number];

export interface ModelName {
  readonly vendor: Vendor;
  /** As the server calls it; may hold slashes of its own (`openai/meta-llama/Llama-3.1-8B`). */
  readonly model: string;
}

/** What a model's name may be, for messages about one that is not. */
export const MODEL_NAMES = "a model such as anthropic/claude-sonnet-5-5 or openai/gpt-5.1 (a bare name is Anthropic's)";

/** Patients and examiners need the same judgement; the mid-size model is the current balance of quality, speed and price. */
export const DEFAULT_MODEL = 'claude-sonnet-5-5';

const NAME = /^[\x21-\x7e]{1,200}$/;

/** `vendor/model`; a bare name is Anthropic's. Null for an unknown prefix. */
export function readModelName(text: string): ModelName | null {
  if (!NAME.test(text)) return null;
  const slash = text.indexOf('/');
  if (slash < 0) return { vendor: 'anthropic', model: text };
  const vendor = VENDORS.find((known) => known === text.slice(0, slash));
  const model = text.slice(slash + 1);
  return vendor === undefined || model === '' ? null : { vendor, model };
}

/** The name with its prefix, the same however it was given. */
export function fullNameOf({ vendor, model }: ModelName): string {
  return `${vendor}/${model}`;
}
