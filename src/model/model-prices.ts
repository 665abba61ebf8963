interface Price {
  /** US dollars a million tokens. */
  readonly input: number;
  readonly output: number;
}

/**
 * List prices of platform.claude.com (models overview and pricing), read in November 2026. A model that is not here, a proxy's
 * own name for instance, has no known price.
 */
const PRICES: ReadonlyMap<string, Price> = new Map([
  ['claude-fable-5', { input: 10, output: 50 }],
  ['claude-fable-5-1', { input: 10, output: 50 }],
  ['claude-mythos-5', { input: 10, output: 50 }],
  ['claude-opus-5-5', { input: 4, output: 20 }],
  ['claude-opus-5', { input: 5, output: 25 }],
  ['claude-opus-4-8', { input: 5, output: 25 }],
  ['claude-opus-4-7', { input: 5, output: 25 }],
  ['claude-opus-4-6', { input: 5, output: 25 }],
  ['claude-opus-4-5', { input: 5, output: 25 }],
  ['claude-sonnet-5-5', { input: 2, output: 10 }],
  ['claude-sonnet-5', { input: 2, output: 10 }],
  ['claude-sonnet-4-6', { input: 3, output: 15 }],
  ['claude-sonnet-4-5', { input: 3, output: 15 }],
  ['claude-haiku-5-5', { input: 0.1, output: 0.5 }],
  ['claude-haiku-4-5', { input: 1, output: 5 }],
]);

/** Claude Haiku 5.5 costs five times as much when the prompt is longer than this. */
const LONG_PROMPT = { model: 'claude-haiku-5-5', tokens: 100_000, factor: 5 };

/** US dollars of one call by list price; null when the model's price is not known. Snapshots (…-20251001) cost what their model costs. */
export function costOf(model: string, inputTokens: number, outputTokens: number): number | null {
  const name = model.replace(/-\d{8}$/, '');
  const price = PRICES.get(name);
  if (price === undefined) return null;
  const factor = name === LONG_PROMPT.model && inputTokens > LONG_PROMPT.tokens ? LONG_PROMPT.factor : 1;
  return ((inputTokens * price.input + outputTokens * price.output) * factor) / 1_000_000;
}
