import { misspeltSettings } from '../../../src/platform/config/environment';

it.each([
  ['SECRET_KEY', 'SECRETS_KEY'],
  ['SERVICE_VIEWER_KEYS', 'SERVICE_VIEWER_KEY'],
  ['SERVICE_APIKEY', 'SERVICE_API_KEY'],
  ['METRIC_TOKEN', 'METRICS_TOKEN'],
  ['METRICS_TOKENS_FILE', 'METRICS_TOKEN_FILE'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['RETENTION_DAY', 'RETENTION_DAYS'],
  ['MASK_CREDENTIALS_FILE', 'MASK_CREDENTIALS'],
  ['PORT_FILE', 'PORT'],
])('%s is taken for a slip of %s', (variable, setting) => {
  expect(misspeltSettings({ [variable]: 'x', HOST: '0.0.0.0' })).toEqual([{ variable, setting }]);
});

it('settings, and what else stands in an environment, are no slips', () => {
  const others = [
    'HOME',
    'PATH',
    'HOSTNAME',
    'POST',
    'PORTS',
    'USER',
    'LANG',
    'OTEL_SERVICE_NAME',
    'NODE_EXTRA_CA_CERTS',
  ];
  const ofKubernetes = [
    'AGENT_OSCE_SERVICE_HOST',
    'SERVICE_PORT',
    'SERVICE_HOST',
    'POSTGRES_SERVICE_PORT',
    'NATS_PORT',
  ];
  const settings = ['SECRETS_KEY', 'SECRETS_KEY_FILE', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'ANTHROPIC_API_KEY_FILE'];
  const variables = Object.fromEntries([...others, ...ofKubernetes, ...settings].map((name) => [name, 'x']));
  expect(misspeltSettings({ ...variables, SECRET_KEY: ' ' })).toEqual([]);
});
