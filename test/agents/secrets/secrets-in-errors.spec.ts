import { HttpAgentProvider } from '../../../src/agents/http/http.provider';
import { OpenAiProvider } from '../../../src/agents/openai/openai.provider';
import type { EndpointParts } from '../../../src/agents/outbound/agent-endpoint';
import { HttpClient } from '../../../src/agents/outbound/http-client';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { Limiter } from '../../../src/agents/outbound/limiter';
import type { AgentConfig, ConnectRequest, Provider } from '../../../src/agents/provider';
import { Secrets } from '../../../src/agents/secrets/secrets';
import { VapiProvider } from '../../../src/agents/vapi/vapi.provider';
import { sendJson, startHttpStub, type HttpStub } from '../../fakes/http-stub';
import { manualClock } from '../../fakes/manual-clock';
import { unaborted } from '../provider.contract';

const KEY = 'sk-0123456789abcdef';
const SERVICE_KEY = 'service-key-of-the-night-shift';

type Make = (parts: EndpointParts) => Provider;

/** A quotation of an answer is cut: what is left of a secret at its end could not be told any more. */
describe.each<[string, Make, (origin: string) => AgentConfig]>([
  [
    'an openai agent that is called with the key of the service',
    (parts) => new OpenAiProvider(parts, { key: KEY, hosts: ['127.0.0.1'] }),
    (base_url) => ({ base_url }),
  ],
  ['an openai agent', (parts) => new OpenAiProvider(parts, undefined), (base_url) => ({ base_url, api_key: KEY })],
  [
    'a vapi agent',
    (parts) => new VapiProvider(parts),
    (api_base) => ({ api_base, api_key: KEY, assistant_id: 'assistant-1' }),
  ],
  ['an http agent', (parts) => new HttpAgentProvider(parts), (url) => ({ url, api_key: KEY, body: '{{message}}' })],
])('The provider itself removes secrets from what it quotes of the answer of %s', (_name, make, configFor) => {
  let stub: HttpStub;
  let http: HttpClient;
  beforeEach(async () => {
    stub = await startHttpStub((response) => sendJson(response, 200, { error: `No: ${KEY} ${SERVICE_KEY}.` }));
    http = new HttpClient();
  });
  afterEach(async () => {
    await http.close();
    await stub.close();
  });

  const messageOf = async (more: Partial<ConnectRequest>): Promise<string> => {
    const clock = manualClock();
    const provider = make({ http, clock, limiter: new Limiter(new InProcessRequestBudget(clock), clock) });
    const request = { agentId: 'a', scenarioRunId: 'b', attempt: 1, history: [], continuation: null };
    const session = await provider.connect({ ...request, config: configFor(stub.origin), ...more }, unaborted());
    const error: unknown = await session.send('hello', unaborted()).catch((reason: unknown) => reason);
    return error instanceof Error ? error.message : '';
  };

  it('all that it is told of', async () => {
    expect(await messageOf({ secrets: Secrets.of({ api_key: KEY }, [SERVICE_KEY]) })).toContain(
      'No: [removed] [removed].',
    );
  });

  it('those that it uses itself, where it is told of none', async () => {
    expect(await messageOf({})).toContain(`No: [removed] ${SERVICE_KEY}.`);
  });
});
