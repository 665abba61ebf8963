import { AccessToken, TokenVerifier } from 'livekit-server-sdk';
import { randomUUID } from 'node:crypto';
import { SipFront, type Dialed, type Dialing } from '../fakes/sip-front';
import { eventually } from '../setup/eventually';
import { SAYS, SpokenCalls } from '../setup/spoken-calls';
import { unaborted } from '../agents/provider.contract';

/**
 * Agents that are rung at a telephone number: a real LiveKit server, in front of which dialing is answered as its SIP service answers it, with a
 * bot that comes into the room as a telephone does.
 */
let calls: SpokenCalls;
const fronts: SipFront[] = [];

beforeAll(async () => {
  calls = await SpokenCalls.start();
});
afterEach(async () => {
  for (const front of fronts.splice(0)) await front.close();
});
afterAll(() => calls.close());

const frontOf = async (dialing: Dialing): Promise<SipFront> => {
  const front = await SipFront.start(calls.livekit.port, dialing);
  fronts.push(front);
  return front;
};

/** Of a number that is rung in a room of its own. */
const configOf = (url: string, room_name: string) => ({
  url,
  room_name,
  phone_number: '+1 (555) 0100',
  sip_trunk_id: 'ST_clinic',
});

/** As livekit-sip signs the token of a telephone that was answered. */
async function telephoneToken(room: string, identity: string): Promise<string> {
  const { apiKey, apiSecret } = calls.livekit;
  const token = new AccessToken(apiKey, apiSecret, { identity, attributes: { 'sip.callStatus': 'active' } });
  token.kind = 'sip';
  token.addGrant({ room, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true });
  return token.toJwt();
}

async function answered({ body }: Dialed): Promise<readonly [number, unknown]> {
  const [room, identity] = [String(body['room_name']), String(body['participant_identity'])];
  const replies = [SAYS, SAYS].map((reply) => ({ ...reply, text: null }));
  await calls.join(room, await telephoneToken(room, identity), { replies });
  return [200, { participant_id: 'PA_1', participant_identity: identity, room_name: room, sip_call_id: 'SCL_1' }];
}

test('the number is dialed once into the room of the patient, and whatever answers it is the agent until the patient hangs up', async () => {
  const room = `telephone-${randomUUID()}`;
  const front = await frontOf(async (dialed) => {
    // Another program of the project that joins rooms by itself.
    const { apiKey, apiSecret } = calls.livekit;
    const token = new AccessToken(apiKey, apiSecret, { identity: 'bystander' });
    token.kind = 'agent';
    token.addGrant({ room, roomJoin: true, canPublish: false, canSubscribe: true });
    await calls.join(`${room}`, await token.toJwt(), { hasVoice: false });
    return answered(dialed);
  });
  const config = { ...configOf(front.url, room), auto_cleanup: false };
  const { session } = await calls.call(null, { config, hearsWords: true });
  const { content, spoken } = await session.send('My chest hurts.', unaborted());
  // What is heard of a telephone has no text: it is for the ear.
  expect(content).toBe('');
  expect(spoken?.heard).toHaveLength(1);
  expect(spoken).toMatchObject({ own: null, understood: null });

  const [{ token, body } = { token: '', body: {} }, ...again] = front.dialed;
  expect(again).toEqual([]);
  const identity = String(body['participant_identity']);
  expect(identity).toMatch(/^osce-telephone-.+-1$/);
  expect(session.metadata()).toMatchObject({ agent_identity: identity, protocol: 'voice', room });
  expect(body).toEqual({
    sip_trunk_id: 'ST_clinic',
    sip_call_to: '+15550100',
    room_name: room,
    participant_identity: identity,
    participant_name: expect.any(String),
    wait_until_answered: true,
    ringing_timeout: '60s',
    max_call_duration: '1800s',
  });
  const { apiKey, apiSecret } = calls.livekit;
  const { sip, video } = await new TokenVerifier(apiKey, apiSecret).verify(token);
  expect(sip).toEqual({ call: true });
  expect(video).toEqual({ room });

  expect(await calls.livekit.identitiesIn(room)).toContain(identity);
  await session.close();
  await eventually(async () => {
    expect(await calls.livekit.identitiesIn(room)).toEqual(['bystander']);
  });
}, 120_000);

test('a telephone that is busy is an error that says so, and no room is left', async () => {
  const room = `telephone-${randomUUID()}`;
  const meta = { sip_status_code: '486', sip_status: 'Busy Here' };
  const front = await frontOf(() => Promise.resolve([503, { code: 'unavailable', msg: 'call failed', meta }]));
  const call = calls.call(null, { config: configOf(front.url, room), hearsWords: true });
  await expect(call).rejects.toMatchObject({
    code: 'agent_not_joined',
    message:
      "The agent's telephone was busy (SIP 486 Busy Here): lower concurrency_limit to the number of calls that it takes at a time, or try again later.",
  });
  expect(front.dialed).toHaveLength(1);
  await eventually(async () => expect(await calls.livekit.roomNames()).not.toContain(room));
}, 120_000);

test('a real server without a SIP service is named as one', async () => {
  const room = `telephone-${randomUUID()}`;
  const call = calls.call(null, { config: configOf(calls.livekit.url, room), hearsWords: true });
  await expect(call).rejects.toMatchObject({
    code: 'connect_failed',
    message: expect.stringMatching(/^The LiveKit server has no SIP service \(HTTP \d+: .*\): use LiveKit Cloud/),
  });
}, 120_000);
