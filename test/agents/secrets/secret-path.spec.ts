import { seemsToHoldSecret } from '../../../src/agents/secrets/secret-address';

describe('the path of an address', () => {
  it.each([
    [
      'a webhook in the style of Slack',
      'https://hooks.example.com/services/T01AB2CD3/B04EF5GH6/qW3eR5tY7uI9oP1aS2dF4gH6',
    ],
    ['a token in Base64', 'https://h.example/chat/dG9rZW4tMDEyMzQ1Njc4OWFiY2RlZg=='],
    ['a hexadecimal token, before an end that everybody knows', 'https://h.example/9f86d081884c7d65/messages'],
    ['a token that is written in codes', 'https://h.example/%71W3eR5tY7uI9oP1aS2dF4gH6'],
    ['a token beside a name', 'https://h.example/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendMessage'],
  ])('seems to hold a secret: %s', (_, address) => {
    expect(seemsToHoldSecret(address)).toBe(true);
  });

  it.each([
    ['words', 'https://h.example/api/v1/conversation/messages'],
    ['a UUID, which is an id as a rule', 'https://h.example/agents/0b5f2c1e-7c7b-4b39-9d0e-3f1e6f0f7a55/chat'],
    ['the name of a model', 'https://h.example/deployments/gpt-4o-mini-2024-07-18/chat/completions'],
    ['a long word, a long number', 'https://h.example/immunizationrecommendation/20261123063000000'],
    ['placeholders', 'https://h.example/{{session_id}}/{{message}}'],
    [
      'a secret elsewhere',
      'https://qW3eR5tY7uI9oP1aS2dF.example/chat?token=qW3eR5tY7uI9oP1aS2dF4gH6#qW3eR5tY7uI9oP1aS2dF4gH6',
    ],
    ['no address', 'qW3eR5tY7uI9oP1aS2dF4gH6'],
  ])('seems to hold none: %s', (_, address) => {
    expect(seemsToHoldSecret(address)).toBe(false);
  });
});
