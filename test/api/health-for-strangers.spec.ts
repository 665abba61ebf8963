import { ApiClient } from '../setup/api-client';
import { keyVariables, KEYS } from '../setup/role-keys';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    ...keyVariables(),
    ANTHROPIC_API_KEY: 'sk-ant-0123456789',
    MAX_SPEND_USD_PER_DAY: '12.34',
  });
  const config = { base_url: 'http://127.0.0.1:9/v1', model: 'claude-sonnet-4-5' };
  const admin = new ApiClient(service.url, { 'x-api-key': KEYS.admin });
  await admin.post('/api/v1/agents', { name: 'Project Nightingale', provider: 'openai', config });
});
afterAll(() => service.close());

describe('GET /health of a service with keys', () => {
  it('tells nobody without a key which agents, models and sums there are', async () => {
    const unknown = new ApiClient(service.url, { 'x-api-key': 'key-of-nobody-0123456789-01' });
    for (const api of [new ApiClient(service.url), unknown]) {
      const { status, body } = await api.get('/health');
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { status: 'ok', checks: { database: { status: 'ok', detail: 'It works.' } }, setup: {} },
      });
      expect(JSON.stringify(body)).not.toMatch(/Nightingale|[Cc]laude|12\.34|SECRETS_KEY/);
    }
  });

  it('tells who shows one, and nothing on the way keeps it', async () => {
    const { body, headers } = await new ApiClient(service.url, { 'x-api-key': KEYS.viewer }).get('/health');
    expect(JSON.stringify(body.checks)).toMatch(/Nightingale.*12\.34/);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
