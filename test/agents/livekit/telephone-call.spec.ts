import { readLiveKitConfig } from '../../../src/agents/config';
import { dial } from '../../../src/agents/livekit/telephone-call';
import { systemClock } from '../../../src/agents/outbound/clock';
import { HttpClient } from '../../../src/agents/outbound/http-client';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { Limiter } from '../../../src/agents/outbound/limiter';
import { Secrets } from '../../../src/agents/secrets/secrets';
import { isOnTelephone } from '../../../src/domain';
import { sendJson, startHttpStub, type HttpStub } from '../../fakes/http-stub';
import { unaborted } from '../provider.contract';

const KEYS = { apiKey: 'key', apiSecret: 'secret-of-32-characters-or-more-x' };
const ROOMS = { url: 'ws://127.0.0.1:9', api_key: 'key', api_secret: KEYS.apiSecret };
const CALL = { number: '+15550100', trunk: 'ST_1', room: 'ward', identity: 'osce-telephone-1' };

describe('a number that is dialed', () => {
  let stub: HttpStub;
  let http: HttpClient;
  beforeEach(async () => {
    stub = await startHttpStub((response) => sendJson(response, 200, { participant_identity: CALL.identity }));
    http = new HttpClient();
  });
  afterEach(async () => {
    await http.close();
    await stub.close();
  });

  const dialed = (signal = unaborted()): Promise<void> => {
    const parts = { http, limiter: new Limiter(new InProcessRequestBudget(), systemClock), clock: systemClock };
    return dial(parts, new URL(stub.origin), KEYS, Secrets.of(ROOMS), CALL, 60_000, signal);
  };
  const sip = (status: number, words: string) => ({
    code: 'internal',
    msg: 'INVITE failed',
    meta: { sip_status_code: String(status), sip_status: words },
  });

  it.each([
    ['busy', 500, sip(486, 'Busy Here'), 'agent_not_joined', /^The agent's telephone was busy \(SIP 486 Busy Here\): /],
    ['busy everywhere', 500, sip(600, 'Busy Everywhere'), 'agent_not_joined', /was busy \(SIP 600 Busy Everywhere\)/],
    [
      'not answered',
      500,
      sip(408, 'Request Timeout'),
      'agent_not_joined',
      /was not answered \(SIP 408 Request Timeout\)/,
    ],
    ['switched off', 500, sip(480, ''), 'agent_not_joined', /was not answered \(SIP 480\): check that/],
    [
      'rung to the end',
      408,
      { code: 'deadline_exceeded', msg: 'x' },
      'agent_not_joined',
      /was not answered \(HTTP 408: x\)/,
    ],
    [
      'declined',
      500,
      sip(603, 'Decline'),
      'agent_not_joined',
      /^The agent's telephone declined the call \(SIP 603 Decline\)/,
    ],
    ['unknown', 500, sip(404, 'Not Found'), 'not_found', /^The number is not in service, or incomplete \(SIP 404/],
    [
      'not for this trunk',
      500,
      sip(407, 'Proxy Authentication'),
      'auth_failed',
      /^The telephone provider refused the trunk/,
    ],
    [
      'not put through',
      500,
      sip(503, 'Service Unavailable'),
      'connect_failed',
      /could not put the call through \(SIP 503/,
    ],
    [
      'refused by an older server',
      500,
      { code: 'internal', msg: 'twirp error: sip status: 486: Busy Here' },
      'agent_not_joined',
      /was busy \(SIP 486 twirp error/,
    ],
    [
      'of an unknown trunk',
      404,
      { code: 'not_found', msg: 'object cannot be found' },
      'not_found',
      /no such trunk \(HTTP 404: object cannot be found\): set sip_trunk_id to an outbound trunk/,
    ],
    [
      'at a server without the API',
      404,
      { code: 'bad_route', msg: 'no handler', meta: { twirp_invalid_route: 'POST /' } },
      'connect_failed',
      /no SIP service/,
    ],
    ['with wrong keys', 401, { code: 'unauthenticated', msg: 'no' }, 'auth_failed', /401/],
    [
      'with a broken status',
      500,
      { code: 'internal', msg: 'x', meta: { sip_status_code: [] } },
      'provider_error',
      /500/,
    ],
    ['at a proxy in the way', 502, '<html>Bad gateway</html>', 'provider_error', /502/],
  ])('and is %s ends in a sentence, and is not dialed again', async (_name, status, answer, code, sentence) => {
    stub.next((response) => sendJson(response, status, answer));
    await expect(dialed()).rejects.toMatchObject({ code, message: expect.stringMatching(sentence) });
    expect(stub.requests).toHaveLength(1);
    expect(stub.requests[0]?.path).toBe('/twirp/livekit.SIP/CreateSIPParticipant');
  });

  it('is given up when the run is canceled while it rings', async () => {
    stub.next(() => undefined);
    const ending = new AbortController();
    const ringing = dialed(ending.signal);
    const outcome = expect(ringing).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    await stub.until(() => stub.requests.length === 1);
    ending.abort();
    await outcome;
  });

  it('keeps the words of a provider short, and secrets out of them', async () => {
    const words = `${KEYS.apiSecret} ${'no '.repeat(50_000)}`;
    stub.next((response) => sendJson(response, 500, sip(500, words)));
    const error: unknown = await dialed().catch((reason: unknown) => reason);
    const message = error instanceof Error ? error.message : '';
    expect(message).toContain('[removed] no no');
    expect(message.length).toBeLessThan(600);
  });
});

describe('the config of an agent on the telephone', () => {
  const read = (fields: object) => readLiveKitConfig({ ...ROOMS, ...fields });

  it('takes the number as people write it', () => {
    expect(read({ phone_number: '+1 (555) 01-00.1', sip_trunk_id: 'ST_1' }).phone_number).toBe('+155501001');
    expect(read({ phoneNumber: '911', sipTrunkId: 'ST_1' }).phone_number).toBe('911');
    expect(read({ phone_number: ' ', sip_trunk_id: '' }).phone_number).toBeUndefined();
  });

  it.each([
    [{ phone_number: '+15550100' }, /sip_trunk_id is missing: set it to the outbound trunk/],
    [{ sip_trunk_id: 'ST_1' }, /phone_number is missing: set it to the number/],
    [{ phone_number: 'call me', sip_trunk_id: 'ST_1' }, /phone_number must be a telephone number, such as \+15550100/],
    [{ phone_number: 15550100, sip_trunk_id: 'ST_1' }, /phone_number must be text, such as \+15550100/],
    [{ phone_number: '+15550100', sip_trunk_id: 'ST_1', agent_name: 'a' }, /agent_name is for agents that join rooms/],
    [
      { phone_number: '+15550100', sip_trunk_id: 'ST_1', auth_mode: 'token', token: 'a-token-of-a-room' },
      /auth_mode must be "api" with phone_number/,
    ],
  ])('%j is refused', (fields, sentence) => {
    expect(() => read(fields)).toThrow(sentence);
  });

  it('tells before it is read whether it is one', () => {
    expect(isOnTelephone('livekit', { phoneNumber: '+15550100' })).toBe(true);
    expect(isOnTelephone('livekit', { phone_number: '' })).toBe(false);
    expect(isOnTelephone('livekit', ROOMS)).toBe(false);
    expect(isOnTelephone('openai', { phone_number: '+15550100' })).toBe(false);
  });
});
