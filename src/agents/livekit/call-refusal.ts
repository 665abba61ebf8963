import { z } from 'zod';
import type { ErrorCode } from '../../domain';
import { ProviderError } from '../errors';
import { printable } from '../outbound/http-refusal';
import type { Secrets } from '../secrets/secrets';

/** How an error of LiveKit's HTTP API is written: https://twitchtv.github.io/twirp/docs/spec_v7.html#error-codes */
const TwirpError = z.object({
  code: z.string(),
  msg: z.string().catch(''),
  /** Texts, by the specification; of others nothing is read. */
  meta: z.record(z.string(), z.string()).catch({}),
});

interface Meaning {
  readonly code: ErrorCode;
  /** What happened, without its end. */
  readonly what: string;
  readonly advice: string;
}

const BUSY: Meaning = {
  code: 'agent_not_joined',
  what: "The agent's telephone was busy",
  advice: 'lower concurrency_limit to the number of calls that it takes at a time, or try again later',
};
const NO_ANSWER: Meaning = {
  code: 'agent_not_joined',
  what: "The agent's telephone was not answered",
  advice: 'check that the agent takes calls at phone_number',
};
const DECLINED: Meaning = {
  code: 'agent_not_joined',
  what: "The agent's telephone declined the call",
  advice: 'check that the number that the trunk calls from may call it',
};
const NO_SUCH_NUMBER: Meaning = {
  code: 'not_found',
  what: 'The number is not in service, or incomplete',
  advice: 'check phone_number, with its country code, such as +15550100',
};
const TRUNK_REFUSED: Meaning = {
  code: 'auth_failed',
  what: 'The telephone provider refused the trunk',
  advice: 'check the user name and password of the trunk sip_trunk_id at LiveKit',
};
const LINE_FAILED: Meaning = {
  code: 'connect_failed',
  what: 'The telephone provider could not put the call through',
  advice: 'check the address of the trunk sip_trunk_id at LiveKit, and what the provider says of the call',
};

/** Of the SIP answers (RFC 3261, 21; RFC 8197) those that say more than that a call failed. */
const SIP_MEANINGS: ReadonlyMap<number, Meaning> = new Map([
  ...[486, 600].map((status) => [status, BUSY] as const),
  ...[408, 480, 487].map((status) => [status, NO_ANSWER] as const),
  ...[403, 603, 607, 608].map((status) => [status, DECLINED] as const),
  ...[404, 410, 484, 604].map((status) => [status, NO_SUCH_NUMBER] as const),
  ...[401, 407].map((status) => [status, TRUNK_REFUSED] as const),
]);

const UNKNOWN_TRUNK: Meaning = {
  code: 'not_found',
  what: 'The LiveKit server has no such trunk',
  advice: 'set sip_trunk_id to an outbound trunk of the project of api_key (lk sip outbound list)',
};
const NO_SIP: Meaning = {
  code: 'connect_failed',
  what: 'The LiveKit server has no SIP service',
  advice: 'use LiveKit Cloud, or run livekit-sip and Redis beside the server',
};

/** What a server without livekit-sip says, besides `unavailable`. */
const NOT_CONNECTED = /sip not connected|no response from servers/i;
/** Servers before meta held the status, and proxies, leave it in the sentence alone. */
const STATUS_IN_WORDS = /\bsip status:? (\d{3})\b/i;
const READ_CHARACTERS = 20_000;
const QUOTED_CHARACTERS = 200;

/**
 * What the server's refusal to dial means. None of it is about what the agent says.
 * @param status of HTTP
 * @param answer the JSON of the refusal
 * @returns null where the HTTP status says all there is to say, such as of a key that is refused
 */
export function callRefused(status: number, answer: unknown, secrets: Secrets): ProviderError | null {
  const { data: error } = TwirpError.safeParse(answer);
  if (error === undefined) return null;
  const sip = sipStatusOf(error);
  const meaning = sip === null ? meaningOf(error) : (SIP_MEANINGS.get(sip) ?? LINE_FAILED);
  if (meaning === null) return null;
  const words = secrets.remove(error.meta['sip_status'] ?? error.msg).slice(0, READ_CHARACTERS);
  const said = printable(words).slice(0, QUOTED_CHARACTERS).trim();
  const reported =
    sip === null ? `HTTP ${status}${said === '' ? '' : `: ${said}`}` : `SIP ${sip}${said === '' ? '' : ` ${said}`}`;
  return new ProviderError(meaning.code, `${meaning.what} (${reported}): ${meaning.advice}.`);
}

function meaningOf({ code, msg }: z.infer<typeof TwirpError>): Meaning | null {
  if (code === 'bad_route' || code === 'unavailable' || NOT_CONNECTED.test(msg)) return NO_SIP;
  if (code === 'not_found') return UNKNOWN_TRUNK;
  if (code === 'deadline_exceeded' || code === 'canceled') return NO_ANSWER;
  return null;
}

/** 100 to 699; null where the error is not about a call that was tried. */
function sipStatusOf({ meta, msg }: z.infer<typeof TwirpError>): number | null {
  const status = Number(meta['sip_status_code'] ?? STATUS_IN_WORDS.exec(msg)?.[1]);
  return Number.isInteger(status) && status >= 100 && status < 700 ? status : null;
}
