import { familyOf } from '../../../src/examiners/model/model-family';

test.each([
  ['claude-sonnet-5-5', 'Claude'],
  ['us.anthropic.claude-sonnet-4-5-v1:0', 'Claude'],
  ['gpt-5.1', 'GPT'],
  ['openai/o3-mini', 'GPT'],
  ['meta-llama/Llama-3.3-70B-Instruct', 'Llama'],
  ['deepseek-ai/DeepSeek-R1-Distill-Qwen-32B', 'Qwen'],
  ['our-model', null],
  ['x'.repeat(1_000_000), null],
])('the family of %.40s', (model, family) => {
  expect(familyOf(model)).toBe(family);
});
