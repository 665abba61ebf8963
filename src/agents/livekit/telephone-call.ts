import { z } from 'zod';
import type { LiveKitConfig } from '../config';
import { ProviderError } from '../errors';
import { AgentEndpoint, below, type EndpointParts } from '../outbound/agent-endpoint';
import type { Secrets } from '../secrets/secrets';
import { callRefused } from './call-refusal';
import { dialingToken, type KeyPair } from './room-token';

/** LiveKit's answer to a telephone that rang to the end still has to arrive. */
const ANSWER_GRACE_MS = 15_000;
/** A call whose examiner was killed is ended by LiveKit after this time: seven turns of two and a half minutes, and a third. */
const LONGEST_CALL_S = 1_800;

/** The number at which an agent answers, and the trunk that dials it. */
export interface TelephoneNumber {
  readonly number: string;
  readonly trunk: string;
}

/** Where the agent is on the telephone; null for one that joins rooms itself. */
export function telephoneOf({ phone_number: number, sip_trunk_id: trunk }: LiveKitConfig): TelephoneNumber | null {
  return number === undefined || trunk === undefined ? null : { number, trunk };
}

/** The identity in the room of whatever answers the telephone. @param execution names the scenario run and its attempt */
export function calleeIdentity(execution: string): string {
  return `osce-telephone-${execution}`;
}

const Created = z.object({ participant_identity: z.string().optional() });

/**
 * Has LiveKit's SIP service dial a number into a room, and waits until the telephone is answered:
 * https://docs.livekit.io/reference/telephony/sip-api/. It is asked once: a second request would let the telephone ring twice.
 * @param base the HTTP address of the LiveKit server
 * @param ringingMs how long the telephone may ring; LiveKit lets it ring for 80 s at most
 * @throws ProviderError as `callRefused` says it; `agent_not_joined` where the deadline passed; canceled
 */
export async function dial(
  parts: EndpointParts,
  base: URL,
  keys: KeyPair,
  secrets: Secrets,
  call: TelephoneNumber & { readonly room: string; readonly identity: string },
  ringingMs: number,
  signal: AbortSignal,
): Promise<void> {
  const token = await dialingToken(keys, call.room);
  // A server quotes a token that it refuses.
  await secrets.learn(token);
  const endpoint = new AgentEndpoint(parts, {
    url: below(base, 'twirp/livekit.SIP/CreateSIPParticipant'),
    headers: { authorization: `Bearer ${token}` },
    credential: keys.apiKey,
    pace: { turn_timeout_ms: ringingMs + ANSWER_GRACE_MS, max_retries: 0, requests_per_minute: null },
    secrets,
    terminalCode: () => null,
  });
  const request = {
    sip_trunk_id: call.trunk,
    sip_call_to: call.number,
    room_name: call.room,
    participant_identity: call.identity,
    participant_name: 'Agent on the telephone',
    wait_until_answered: true,
    ringing_timeout: `${Math.ceil(ringingMs / 1_000)}s`,
    max_call_duration: `${LONGEST_CALL_S}s`,
  };
  const refuse = (status: number, answer: unknown): false => {
    const refusal = callRefused(status, answer, secrets);
    if (refusal !== null) throw refusal;
    return false;
  };
  try {
    await endpoint.post(
      () => JSON.stringify(request),
      (json) => Created.safeParse(json).data ?? null,
      signal,
      refuse,
    );
  } catch (error) {
    const isLate = error instanceof ProviderError && error.code === 'provider_timeout';
    throw isLate ? notAnswered(ringingMs) : error;
  }
}

function notAnswered(ringingMs: number): ProviderError {
  return new ProviderError(
    'agent_not_joined',
    `The LiveKit server did not say within ${Math.round(ringingMs / 1_000)} s that the agent's telephone was answered: check that the agent takes calls at phone_number.`,
  );
}
