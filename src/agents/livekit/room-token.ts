import type { SIPGrant, VideoGrant } from 'livekit-server-sdk';
import { z } from 'zod';

/**
 * A token is only checked on joining, and the server itself renews it for those in a room: long enough for a bot that
 * cold-starts, with every retry.
 */
const LIFETIME = '10m';

export interface KeyPair {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** The patient's grants: it receives everything and sends text and data, but publishes no audio or video. */
export function patientToken(keys: KeyPair, room: string, identity: string): Promise<string> {
  return signed(keys, identity, { ...PATIENT, room, canPublish: false });
}

/** The grants of a patient who speaks: its voice too, and no video. */
export async function speakingPatientToken(keys: KeyPair, room: string, identity: string): Promise<string> {
  const { TrackSource } = await import('livekit-server-sdk');
  return signed(keys, identity, { ...PATIENT, room, canPublish: true, canPublishSources: [TrackSource.MICROPHONE] });
}

const PATIENT: VideoGrant = { roomJoin: true, canSubscribe: true, canPublishData: true };

/** The grants of a bot whose room we created: everything a voice agent does, including audio. */
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

/** Valid for creating, populating and deleting one room; sent to the LiveKit server only. */
export function adminToken(keys: KeyPair, room: string): Promise<string> {
  return signed(keys, 'osce-admin', { room, roomCreate: true, roomAdmin: true });
}

/** Valid for having one number dialed into a room; sent to the LiveKit server only. */
export function dialingToken(keys: KeyPair, room: string): Promise<string> {
  return signed(keys, 'osce-admin', { room }, { call: true });
}

const Claims = z.object({ video: z.object({ room: z.string().optional() }).optional() });

/** The room that a token is for, if it names one; its signature is for the server to check. */
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

async function signed(
  { apiKey, apiSecret }: KeyPair,
  identity: string,
  grant: VideoGrant,
  telephone?: SIPGrant,
): Promise<string> {
  // Loaded when a room is first used: most deployments start without one.
  const { AccessToken } = await import('livekit-server-sdk');
  const token = new AccessToken(apiKey, apiSecret, { identity, ttl: LIFETIME });
  token.addGrant(grant);
  if (telephone !== undefined) token.addSIPGrant(telephone);
  return token.toJwt();
}

/** Our identity in a room. @param execution names the scenario run and its attempt */
export function patientIdentity(execution: string): string {
  return `osce-patient-${execution}`;
}

/** One of our own participants, of this or another process, whatever the kind of agent: never the agent. */
export function isPatient(identity: string): boolean {
  return /^(osce-patient|patient-osce)-/.test(identity);
}
