import type { ModelConnection } from '../../platform/config';
import type { TokenCounts } from './model-usage';

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** For the part of the prompt that came from the vendor's cache. */
  readonly cacheRead: number;
  /** For the part that was written to it. */
  readonly cacheWrite: number;
  /** The factors by which a prompt longer than `above` tokens costs more, for itself and for its answer. */
  readonly long?: { readonly above: number; readonly input: number; readonly output: number };
}

/** Writing to a vendor's cache costs a quarter more than a fresh prompt: Anthropic's five-minute cache, and OpenAI's newer models. */
function priced(input: number, cacheRead: number, output: number, long?: Price['long']): Price {
  return { input, cacheRead, cacheWrite: input * 1.25, output, ...(long && { long }) };
}

/** For models whose cache writes cost nothing extra. */
function withoutWrites(input: number, cacheRead: number, output: number, long?: Price['long']): Price {
  return { ...priced(input, cacheRead, output, long), cacheWrite: input };
}

const LONG_HAIKU = { above: 100_000, input: 5, output: 5 };
const LONG_GPT = { above: 272_000, input: 2, output: 1.5 };

/**
 * List prices from platform.claude.com (models overview and pricing), read in November 2026; cache prices as LiteLLM 1.106.2 has
 * them (model_prices_and_context_window.json). A model that is not listed, such as a proxy's own name, has no known price.
 */
const ANTHROPIC_PRICES: ReadonlyMap<string, Price> = new Map([
  ['claude-fable-5', priced(10, 1, 50)],
  ['claude-fable-5-1', priced(10, 0.25, 50)],
  ['claude-mythos-5', priced(10, 1, 50)],
  ['claude-opus-5-5', priced(4, 0.2, 20)],
  ['claude-opus-5', priced(5, 0.5, 25)],
  ['claude-opus-4-8', priced(5, 0.5, 25)],
  ['claude-opus-4-7', priced(5, 0.5, 25)],
  ['claude-opus-4-6', priced(5, 0.5, 25)],
  ['claude-opus-4-5', priced(5, 0.5, 25)],
  ['claude-sonnet-5-5', priced(2, 0.1, 10)],
  ['claude-sonnet-5', priced(2, 0.2, 10)],
  ['claude-sonnet-4-6', priced(3, 0.3, 15)],
  ['claude-sonnet-4-5', priced(3, 0.3, 15)],
  ['claude-haiku-5-5', priced(0.1, 0.01, 0.5, LONG_HAIKU)],
  ['claude-haiku-4-5', priced(1, 0.1, 5)],
]);

/** OpenAI's list prices (standard tier) as LiteLLM 1.106.2 has them. */
const OPENAI_PRICES: ReadonlyMap<string, Price> = new Map([
  ['gpt-6.1-sol', priced(2, 0.1, 10, LONG_GPT)],
  ['gpt-6-astra', priced(10, 1, 50, LONG_GPT)],
  ['gpt-6-sol', priced(2, 0.2, 10, LONG_GPT)],
  ['gpt-6-luna', priced(0.1, 0.01, 0.5, LONG_GPT)],
  ['gpt-5.6', priced(4, 0.4, 20, LONG_GPT)],
  ['gpt-5.6-sol', priced(4, 0.4, 20, LONG_GPT)],
  ['gpt-5.6-terra', priced(2, 0.2, 12, LONG_GPT)],
  ['gpt-5.6-luna', priced(0.2, 0.02, 1.2, LONG_GPT)],
  ['gpt-5.5', withoutWrites(5, 0.5, 30, LONG_GPT)],
  ['gpt-5.4', withoutWrites(2.5, 0.25, 15, LONG_GPT)],
  ['gpt-5.4-mini', withoutWrites(0.75, 0.075, 4.5)],
  ['gpt-5.4-nano', withoutWrites(0.2, 0.02, 1.25)],
  ['gpt-5.2', withoutWrites(1.75, 0.175, 14)],
  ['gpt-5.1', withoutWrites(1.25, 0.125, 10)],
  ['gpt-5', withoutWrites(1.25, 0.125, 10)],
  ['gpt-5-mini', withoutWrites(0.25, 0.025, 2)],
  ['gpt-5-nano', withoutWrites(0.05, 0.005, 0.4)],
  ['gpt-4.1', withoutWrites(2, 0.5, 8)],
  ['gpt-4.1-mini', withoutWrites(0.4, 0.1, 1.6)],
  ['gpt-4.1-nano', withoutWrites(0.1, 0.025, 0.4)],
  ['gpt-4o', withoutWrites(2.5, 1.25, 10)],
  ['gpt-4o-mini', withoutWrites(0.15, 0.075, 0.6)],
  ['o3', withoutWrites(2, 0.5, 8)],
  ['o3-mini', withoutWrites(1.1, 0.55, 4.4)],
  ['o4-mini', withoutWrites(1.1, 0.275, 4.4)],
]);

/** Servers that only speak OpenAI's API have prices of their own, whatever they call their models. */
const OPENAI_ORIGIN = 'https://api.openai.com';

/** From the published lists; null when the price is not known. Dated snapshots cost the same as their model. */
export function priceOf({
  vendor,
  model,
  baseUrl,
}: Pick<ModelConnection, 'vendor' | 'model' | 'baseUrl'>): Price | null {
  if (vendor === 'anthropic') return ANTHROPIC_PRICES.get(model.replace(/-\d{8}$/, '')) ?? null;
  if (baseUrl !== null && new URL(baseUrl).origin !== OPENAI_ORIGIN) return null;
  return OPENAI_PRICES.get(model.replace(/-\d{4}-\d{2}-\d{2}$/, '')) ?? null;
}

/** US dollars of one call; null without a price. */
export function costOf(price: Price | null, tokens: TokenCounts): number | null {
  if (price === null) return null;
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = tokens;
  const long = price.long !== undefined && inputTokens > price.long.above ? price.long : { input: 1, output: 1 };
  const fresh = inputTokens - cacheReadTokens - cacheWriteTokens;
  const prompt = fresh * price.input + cacheReadTokens * price.cacheRead + cacheWriteTokens * price.cacheWrite;
  return (prompt * long.input + outputTokens * price.output * long.output) / 1_000_000;
}
