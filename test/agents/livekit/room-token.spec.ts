import { z } from 'zod';
import { readPipecatConfig } from '../../../src/agents/config';
import { adminToken, botToken, patientToken } from '../../../src/agents/livekit/room-token';
import { meetingPlace } from '../../../src/agents/pipecat/meeting-place';
import { readStarted } from '../../../src/agents/pipecat/start-answer';

const Claims = z.object({
  exp: z.number(),
  iss: z.string(),
  video: z.record(z.string(), z.unknown()),
});

function claimsOf(token: string): z.infer<typeof Claims> {
  const [, payload = ''] = token.split('.');
  return Claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
}

const KEYS = { apiKey: 'key', apiSecret: 'secret-of-32-characters-or-more-x' };
const MINUTES_10 = 10 * 60;

describe('tokens made from a key pair', () => {
  it.each([
    ['the patient', () => patientToken(KEYS, 'ward', 'patient')],
    ['the bot', () => botToken(KEYS, 'ward', 'bot')],
    ['the administration', () => adminToken(KEYS, 'ward')],
  ])('are for one room, list no others and live for minutes: %s', async (_who, sign) => {
    const { exp, video } = claimsOf(await sign());
    expect(exp - Date.now() / 1000).toBeLessThanOrEqual(MINUTES_10 + 1);
    expect(video['room']).toBe('ward');
    expect(video['roomList']).toBeUndefined();
    expect(video['roomRecord']).toBeUndefined();
  });

  it('let neither patient nor bot administer anything', async () => {
    for (const token of [await patientToken(KEYS, 'ward', 'patient'), await botToken(KEYS, 'ward', 'bot')]) {
      const { video } = claimsOf(token);
      expect(video['roomAdmin']).toBeUndefined();
      expect(video['roomCreate']).toBeUndefined();
    }
  });

  it.each([
    ['another address', { url: 'wss://evil.example', token: 'a.b.c' }, 'ours'],
    ['another address and our room', { url: 'wss://evil.example', room: 'ours' }, 'ours'],
    ['another address and another room', { url: 'wss://evil.example', room: 'theirs' }, 'theirs'],
  ])('go to transport_url alone when a session names %s', async (_name, answer, room) => {
    const url = 'wss://livekit.example';
    const config = readPipecatConfig({
      api_key: 'k',
      agent_name: 'clinic',
      transport_url: url,
      transport_api_key: KEYS.apiKey,
      transport_api_secret: KEYS.apiSecret,
    });
    const started = readStarted(answer);
    if (started === null) throw new Error('The answer was not read.');
    const place = await meetingPlace(config, started, { url, name: 'ours' }, { identity: 'patient', speaks: false });
    expect(place).toMatchObject({ url, room });
    expect(claimsOf(place.token)).toMatchObject({ iss: KEYS.apiKey, video: { room } });
  });
});
