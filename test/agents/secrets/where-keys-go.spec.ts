import { settingsFrom } from '../../../src/platform/config/settings';
import { isAddressField, movedAddresses } from '../../../src/agents/outbound/addresses';
import { mayReceive, withheldSentence, serviceSecretsOf } from '../../../src/agents/secrets/service-secrets';

describe('the key of the deployment', () => {
  const key = { key: 'sk-deployment', hosts: ['models.example', 'gateway.example:8443', '*.clinic.example', '?'] };

  it.each([
    'https://api.openai.com/v1',
    'https://eu.api.openai.com/v1',
    'https://models.example/v1',
    'http://models.example:8080/v1',
    'https://models.example./v1',
    'https://gateway.example:8443/v1',
    'https://a.clinic.example/v1',
  ])('goes to %s', (url) => {
    expect(mayReceive(key, new URL(url))).toBe(true);
  });

  it.each([
    'http://api.openai.com/v1',
    'https://api.openai.com:8443/v1',
    'https://api.openai.com.evil.example/v1',
    'https://evil-api.openai.com.example/v1',
    'https://api-openai.com/v1',
    'https://x.eu.api.openai.com/v1',
    'https://gateway.example/v1',
    'https://clinic.example/v1',
    'https://models.example.evil.example/v1',
    'http://127.0.0.1:11434/v1',
  ])('does not go to %s', (url) => {
    expect(mayReceive(key, new URL(url))).toBe(false);
    expect(mayReceive({ ...key, hosts: [] }, new URL(url))).toBe(false);
  });

  it.each([
    ['http://gateway.example/v1', 'gateway.example:80', true],
    ['http://gateway.example/v1', 'gateway.example:443', false],
    ['https://gateway.example/v1', 'gateway.example:443', true],
  ])('goes to %s when %s is named: %s', (url, host, goes) => {
    expect(mayReceive({ key: 'k', hosts: [host] }, new URL(url))).toBe(goes);
  });

  it('is named with its host where it was not sent', () => {
    expect(withheldSentence(new URL('http://127.0.0.1:11434/v1'))).toMatch(/not sent to 127\.0\.0\.1:11434, .*api_key/);
  });
});

describe('the addresses of a config', () => {
  it.each([
    ['openai', 'base_url', true],
    ['openai', 'baseUrl', true],
    ['openai', 'url', false],
    ['pipecat', 'livekitUrl', true],
    ['livekit', 'token_url', true],
    ['unknown', 'base_url', false],
  ])('%s: %s is one: %s', (kind, field, isOne) => {
    expect(isAddressField(kind, field)).toBe(isOne);
  });

  it.each<[string, string, object, object, readonly string[]]>([
    ['another host', 'openai', { base_url: 'https://a.example/1' }, { base_url: 'https://b.example/1' }, ['base_url']],
    ['another path', 'openai', { base_url: 'https://a.example/1' }, { base_url: ' https://a.example/2 ' }, []],
    ['away from the vendor', 'openai', {}, { baseUrl: 'https://b.example' }, ['base_url']],
    ['back to the vendor', 'vapi', { api_base: 'https://b.example' }, {}, ['api_base']],
    ['the vendor’s own, written out', 'vapi', {}, { api_base: 'https://api.vapi.ai/x' }, []],
    [
      'one of two',
      'livekit',
      { url: 'wss://a', token_url: 'https://t' },
      { url: 'wss://a', token_url: 'https://u' },
      ['token_url'],
    ],
    ['a new one', 'livekit', { url: 'wss://a' }, { url: 'wss://a', token_url: 'https://u' }, ['token_url']],
    ['one that is taken away', 'livekit', { url: 'wss://a', token_url: 'https://t' }, { url: 'wss://a' }, []],
    ['what is no address', 'livekit', { url: 'wss://a' }, { url: 7, token_url: 'nowhere' }, []],
    ['another kind', 'unknown', { url: 'wss://a' }, { url: 'wss://b' }, []],
  ])('that a change moves: %s', (_what, kind, stored, changed, moved) => {
    expect(movedAddresses(kind, { ...stored }, { ...changed })).toEqual(moved);
  });
});

it('the secrets of the deployment are its keys, and the passwords in its addresses', () => {
  const sealing = Buffer.alloc(32, 'sealing').toString('base64');
  const settings = settingsFrom({
    SERVICE_API_KEY: 'key-number-one-of-the-service, ci:key-number-two-of-the-service',
    SERVICE_RUNNER_KEY: 'key-of-the-service-for-runners',
    SERVICE_REVIEWER_KEY: 'key-of-the-service-for-reviewers',
    PUBLIC_URL: 'http://127.0.0.1:9',
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'agent-osce',
    OIDC_CLIENT_SECRET: 'secret-at-the-provider',
    OIDC_ADMINS: 'platform',
    SERVICE_VIEWER_KEY: 'key-of-the-service-for-viewers',
    ANTHROPIC_API_KEY: 'anthropic-key',
    OPENAI_API_KEY: 'openai-key',
    JUDGE_API_KEY: 'judge-key',
    JUDGE_MODEL: 'openai/j',
    JUDGE_BASE_URL: 'http://127.0.0.1:12/v1',
    DATABASE_URL: 'postgresql://osce:database-password@db/x',
    NATS_URL: 'nats://nats-token@bus:4222',
    SECRETS_KEY: `plain, ${sealing}`,
    METRICS_TOKEN: 'token-of-whoever-scrapes-it',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://osce:collector-password@127.0.0.1:4318',
    OTEL_EXPORTER_OTLP_HEADERS:
      'authorization=Bearer%20collector-key, x-api-key=collector%2Fkey-2;note=1,x-team=clinic, x-tier=2',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-api-key=collector-key-of-traces',
  });
  expect([...serviceSecretsOf(settings)].sort()).toEqual(
    [
      'key-number-one-of-the-service',
      'key-number-two-of-the-service',
      'key-of-the-service-for-runners',
      'key-of-the-service-for-reviewers',
      'secret-at-the-provider',
      'key-of-the-service-for-viewers',
      'anthropic-key',
      'openai-key',
      'judge-key',
      sealing,
      'database-password',
      'nats-token',
      'token-of-whoever-scrapes-it',
      'collector-password',
      'Bearer collector-key',
      'collector/key-2',
      'collector-key-of-traces',
    ].sort(),
  );
  expect(serviceSecretsOf(settingsFrom({}))).toEqual([]);
});
