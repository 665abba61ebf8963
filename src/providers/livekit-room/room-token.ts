import type { VideoGrant } from 'livekit-server-sdk';
import { z } from 'zod';

/**
 * A token is only looked at when somebody joins, and the server itself renews it for those who are in a room: long enough for a bot that
 * starts cold, with every retry.
 */
const LIFETIME = '10m';

export interface KeyPair {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** What the patient joins with: it hears everything and sends text and data, but publishes no audio or video. */
export function patientToken(keys: KeyPair, room: string, identity: string): Promise<string> {
  return signed(keys, identity, {
    room,
    roomJoin: true,
    canSubscribe: true,
    canPublishData: true,
    canPublish: false,
  });
}

/** What a bot joins with whose room we made: everything a voice agent does, with audio. */
export function botToken(keys: KeyPair, room: string, identity: string): Promise<string> {
  return signed(keys, identity, {
    room,
    roomJoin: true,
    agent: true,
    canSubscribe: true,
    canPublishData: true,
    canPublish: true,
    canUpdateOwnMetadata: true,
  });
}

/** Good for making, filling and deleting one room; it goes to the LiveKit server alone. */
export function adminToken(keys: KeyPair, room: string): Promise<string> {
  return signed(keys, 'osce-admin', { room, roomCreate: true, roomAdmin: true });
}

const Claims = z.object({ video: z.object({ room: z.string().optional() }).optional() });

/** The room that a token is for, as far as it says so; its signature is the server's business. */
export function roomOfToken(token: string): string | null {
  const [, payload] = token.split('.');
  if (payload === undefined) return null;
  try {
    const claims = Claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
    return claims.data?.video?.room ?? null;
  } catch {
    return null;
  }
}

async function signed({ apiKey, apiSecret }: KeyPair, identity: string, grant: VideoGrant): Promise<string> {
  // Loaded when a room is first used: most deployments start without one.
  const { AccessToken } = await import('livekit-server-sdk');
  const token = new AccessToken(apiKey, apiSecret, { identity, ttl: LIFETIME });
  token.addGrant(grant);
  return token.toJwt();
}
