import type { ModelConnection } from '../../src/platform/config/examiner-models';

type Given = Partial<Pick<ModelConnection, 'apiKey' | 'baseUrl' | 'model'>>;

/** Where nothing listens, unless an address is given. */
const NOWHERE = 'http://127.0.0.1:9';

export function anthropicConnection(given: Given = {}): ModelConnection {
  return {
    vendor: 'anthropic',
    model: 'claude-sonnet-5-5',
    apiKey: 'sk-ant-test',
    baseUrl: NOWHERE,
    keyVariable: 'ANTHROPIC_API_KEY',
    addressVariable: 'ANTHROPIC_BASE_URL',
    ...given,
  };
}

export function openAiConnection(given: Given = {}): ModelConnection {
  return {
    vendor: 'openai',
    model: 'our-model',
    apiKey: 'sk-examiner-test',
    baseUrl: `${NOWHERE}/v1`,
    keyVariable: 'EXAMINER_API_KEY',
    addressVariable: 'EXAMINER_BASE_URL',
    ...given,
  };
}
