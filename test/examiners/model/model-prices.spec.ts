import { costOf, priceOf } from '../../../src/examiners/model/model-prices';

const tokens = { inputTokens: 1_000_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1_000_000 };
const short = { inputTokens: 100_000, cacheReadTokens: 40_000, cacheWriteTokens: 20_000, outputTokens: 10_000 };

function priceAt(name: string, baseUrl: string | null = null) {
  const [vendor, model = ''] = name.split('/');
  return priceOf({ vendor: vendor === 'openai' ? 'openai' : 'anthropic', model, baseUrl });
}

test.each([
  ['anthropic/claude-sonnet-5-5', 0.04 * 2 + 0.04 * 0.1 + 0.02 * 2.5 + 0.01 * 10],
  ['anthropic/claude-haiku-4-5-20251001', 0.04 * 1 + 0.04 * 0.1 + 0.02 * 1.25 + 0.01 * 5],
  ['openai/gpt-4o-2024-08-06', 0.06 * 2.5 + 0.04 * 1.25 + 0.01 * 10],
  ['openai/gpt-5.6', 0.04 * 4 + 0.04 * 0.4 + 0.02 * 5 + 0.01 * 20],
])('%s: fresh, read from the cache, written into it and answered, each at its price', (name, dollars) => {
  expect(costOf(priceAt(name), short)).toBeCloseTo(dollars, 12);
});

test.each([
  ['anthropic/claude-haiku-5-5', 5 * 0.1 + 5 * 0.5],
  ['openai/gpt-5.5', 2 * 5 + 1.5 * 30],
  ['openai/gpt-5.1', 1.25 + 10],
])('%s: a long prompt', (name, dollars) => {
  expect(costOf(priceAt(name), tokens)).toBeCloseTo(dollars, 12);
});

test('a self-hosted server has unknown prices, even for a model name from the list', () => {
  expect(priceAt('openai/gpt-4o', 'http://127.0.0.1:4000/v1')).toBeNull();
  expect(priceAt('openai/gpt-4o', 'https://api.openai.com/v1')).not.toBeNull();
  expect(priceAt('openai/our-model')).toBeNull();
  expect(priceAt('anthropic/our-model')).toBeNull();
  expect(costOf(null, tokens)).toBeNull();
});
