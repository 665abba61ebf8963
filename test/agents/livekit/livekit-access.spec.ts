import { readLiveKitConfig } from '../../../src/agents/config';
import { HttpClient } from '../../../src/agents/outbound/http-client';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { Limiter } from '../../../src/agents/outbound/limiter';
import { LiveKitAccess } from '../../../src/agents/livekit/livekit-access';
import { Secrets } from '../../../src/agents/secrets/secrets';
import { systemClock } from '../../../src/agents/outbound/clock';
import { sendJson, startHttpStub, type HttpStub } from '../../fakes/http-stub';
import { unaborted } from '../provider.contract';

describe('a token for a room', () => {
  let stub: HttpStub;
  let http: HttpClient;
  beforeEach(async () => {
    stub = await startHttpStub((response) => sendJson(response, 200, { token: 'token-of-a-server-4711' }));
    http = new HttpClient();
  });
  afterEach(async () => {
    await http.close();
    await stub.close();
  });

  it.each([
    ['made', () => ({ api_key: 'key', api_secret: 'secret-of-32-characters-or-more-x' })],
    ['received', () => ({ auth_mode: 'token', token_url: stub.origin })],
  ])('is a secret of the conversation when it was %s', async (_how, configOf) => {
    const config = { url: 'ws://127.0.0.1:9', ...configOf() };
    const secrets = Secrets.of(config);
    const limiter = new Limiter(new InProcessRequestBudget(), systemClock);
    const parts = { http, limiter, clock: systemClock };
    const { token } = await new LiveKitAccess(parts, readLiveKitConfig(config), secrets, {
      scenarioRunId: 's',
      attempt: 1,
    }).open(unaborted());
    expect(secrets.remove(`It was ${token}, I think.`)).toBe('It was [removed], I think.');
  });
});
