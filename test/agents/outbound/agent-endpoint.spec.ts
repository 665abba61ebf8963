import { AgentEndpoint, type EndpointSettings } from '../../../src/agents/outbound/agent-endpoint';
import { HttpClient } from '../../../src/agents/outbound/http-client';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { Limiter } from '../../../src/agents/outbound/limiter';
import { Secrets } from '../../../src/agents/secrets/secrets';
import { manualClock } from '../../fakes/manual-clock';
import { sendJson, startHttpStub, type HttpStub, type Step } from '../../fakes/http-stub';
import { unaborted } from '../provider.contract';

const busy: Step = (response) => {
  response.setHeader('retry-after', '5');
  sendJson(response, 429, { error: 'later' });
};
const PACE = { turn_timeout_ms: 30_000, max_retries: 0, requests_per_minute: null };

describe('The endpoint of an agent', () => {
  let stub: HttpStub;
  let http: HttpClient;
  const clock = manualClock();
  let limiter: Limiter;
  beforeEach(async () => {
    stub = await startHttpStub((response) => sendJson(response, 200, { reply: 'Rest.' }));
    http = new HttpClient();
    limiter = new Limiter(new InProcessRequestBudget(clock), clock);
  });
  afterEach(async () => {
    await http.close();
    await stub.close();
  });

  const endpointWith = (settings: Partial<EndpointSettings> = {}): AgentEndpoint =>
    new AgentEndpoint(
      { http, limiter, clock },
      {
        url: new URL(`${stub.origin}/chat?a=b`),
        headers: { 'x-tenant': 'clinic' },
        credential: 'key',
        pace: PACE,
        secrets: Secrets.of({}),
        terminalCode: () => null,
        ...settings,
      },
    );
  const post = (endpoint: AgentEndpoint, body = '{}') =>
    endpoint.post(
      () => body,
      (json) => json,
      unaborted(),
    );

  it('is left alone by all who share its credential for as long as it asks', async () => {
    stub.next(busy);
    await expect(post(endpointWith())).rejects.toMatchObject({ code: 'rate_limited' });
    const waited = clock.waits.length;
    await post(endpointWith({ credential: 'another' }));
    expect(clock.waits).toHaveLength(waited);
    await post(endpointWith());
    expect(clock.waits.slice(waited)).toEqual([expect.any(Number)]);
    expect(clock.waits.at(-1)).toBeGreaterThan(4_000);
  });

  it('is asked again as often as its pace says, which counts as tries of one answer', async () => {
    stub.next(busy, busy);
    const answer = await post(endpointWith({ pace: { ...PACE, max_retries: 2 } }));
    expect(answer).toMatchObject({ value: { reply: 'Rest.' }, tries: 3 });
    expect(answer.latencyMs).toBeGreaterThanOrEqual(10_000);
  });

  it('gets what is posted as JSON, with headers of its own before those of a trace', async () => {
    const traceHeaders = () => ({ traceparent: '00-1', 'X-Tenant': 'traced' });
    await post(endpointWith({ traceHeaders }), '{"say":"Hi"}');
    expect(stub.requests).toMatchObject([
      {
        method: 'POST',
        path: '/chat?a=b',
        body: { say: 'Hi' },
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'agent-osce',
          'x-tenant': 'clinic',
          traceparent: '00-1',
        },
      },
    ]);
  });

  it('gets a body that is made anew for every try, in time too', async () => {
    stub.next(busy);
    let made = 0;
    const body = async (): Promise<string> => `{"try":${(made += 1)}}`;
    await endpointWith({ pace: { ...PACE, max_retries: 1 } }).post(body, (json) => json, unaborted());
    expect(stub.requests.map((request) => request.body)).toEqual([{ try: 1 }, { try: 2 }]);
  });

  it('may answer in another shape, or with an error', async () => {
    const none = (): null => null;
    const asked = () => endpointWith().post(() => '{}', none, unaborted());
    await expect(asked()).rejects.toThrow('in a shape that this kind of agent does not use');
    stub.next((response) => sendJson(response, 200, { error: 'down' }));
    await expect(asked()).rejects.toThrow('answered HTTP 200 with an error');
  });

  it('may refuse what is then asked otherwise, at once', async () => {
    stub.next((response) => sendJson(response, 400, { error: 'field' }));
    const seen: unknown[] = [];
    const revise = (status: number, json: unknown): boolean => seen.push([status, json]) === 1;
    const answer = await endpointWith().post(
      () => '{}',
      (json) => json,
      unaborted(),
      revise,
    );
    expect(answer.tries).toBe(2);
    expect(seen).toEqual([[400, { error: 'field' }]]);
  });

  it.each<[string, Partial<EndpointSettings>, object]>([
    [
      'as its body says',
      { terminalCode: (status) => (status === 429 ? 'auth_failed' : null) },
      { code: 'auth_failed' },
    ],
    [
      'for lack of capacity, whatever its status',
      { isAtCapacity: () => true },
      { code: 'rate_limited', disposition: { kind: 'retryable', retryAfterMs: 5_000 } },
    ],
  ])('refuses %s', async (_, settings, error) => {
    stub.next(busy);
    await expect(post(endpointWith(settings))).rejects.toMatchObject(error);
  });

  it.each<[string, boolean, object]>([
    ['for lack of capacity', true, { code: 'rate_limited', disposition: { kind: 'retryable' } }],
    ['for good', false, { code: 'provider_error', disposition: { kind: 'terminal' } }],
  ])('refuses %s as its kind reads a status that says nothing of it', async (_, isFull, error) => {
    stub.next((response) => sendJson(response, 400, { error: 'no' }));
    await expect(post(endpointWith({ isAtCapacity: () => isFull }))).rejects.toMatchObject(error);
  });

  it('is not asked by an attempt that has lost its row, nor after the deadline of the turn', async () => {
    const lost = new Error('lost');
    await expect(post(endpointWith({ assureOwnership: () => Promise.reject(lost) }))).rejects.toBe(lost);
    const late = endpointWith({ pace: { ...PACE, turn_timeout_ms: 1 } });
    const slow = late.call(
      async () => {
        await clock.sleep(5, unaborted());
        return { method: 'GET', path: '/', headers: {}, body: null };
      },
      () => 'read',
      unaborted(),
    );
    await expect(slow).rejects.toMatchObject({ code: 'provider_timeout' });
    expect(stub.requests).toEqual([]);
    expect(http.origins).toEqual([]);
  });

  it('is not kept from its time by what the database takes to say that the row is owned', async () => {
    const assureOwnership = () => clock.sleep(60_000, unaborted());
    const answer = await post(endpointWith({ assureOwnership }));
    expect(answer.latencyMs).toBeLessThan(60_000);
  });
});
