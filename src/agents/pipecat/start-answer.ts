import { z } from 'zod';
import type { ErrorCode } from '../../domain';
import { roomOfToken } from '../livekit/room-token';

/** Where to meet the bot, as far as the answer to a start says. */
export interface StartedSession {
  readonly sessionId: string | null;
  readonly url: string | null;
  readonly token: string | null;
  readonly room: string | null;
  /** The answer's own name for a transport other than LiveKit; null when it names none. */
  readonly otherTransport: string | null;
}

/** The field names that clouds, development runners and self-hosted servers use. */
const URL_NAMES = ['url', 'livekitUrl', 'livekit_url', 'transportUrl', 'transport_url', 'ws_url'];
const TOKEN_NAMES = ['token', 'livekitToken', 'livekit_token', 'transportToken', 'transport_token'];
const ROOM_NAMES = ['room', 'roomName', 'room_name', 'livekitRoom', 'livekit_room'];
const SESSION_NAMES = ['sessionId', 'session_id'];
/** The vendor's are UUIDs. Other text could not be put into a URL's path, or would lead elsewhere, as `..` does. */
const SESSION_ID = /^(?!\.{1,2}$)[\w.:~=+@-]{1,200}$/;

/** Fields of an answer when the bot waits somewhere else, and the name of that transport. */
const OTHER_TRANSPORTS: readonly (readonly [field: string, transport: string])[] = [
  ['dailyRoom', 'Daily'],
  ['daily_room', 'Daily'],
  ['iceConfig', 'a direct WebRTC connection'],
  ['wsUrl', 'a plain WebSocket'],
  ['moq', 'Media over QUIC'],
];

const Answer = z.record(z.string(), z.unknown());
/** More than any answer to a start has: checking a megabyte of them would take long. */
const MAX_FIELDS = 1_000;

/** Reads the JSON of a successful start; null when it is not an object. An address that no LiveKit client can use counts as absent. */
export function readStarted(json: unknown): StartedSession | null {
  if (typeof json === 'object' && json !== null && Object.keys(json).length > MAX_FIELDS) return null;
  const { data } = Answer.safeParse(json);
  if (data === undefined) return null;
  const url = firstText(data, URL_NAMES);
  const token = firstText(data, TOKEN_NAMES);
  const isAddress = url !== null && isTransportAddress(url);
  const other = OTHER_TRANSPORTS.find(([field]) => (data[field] ?? null) !== null);
  return {
    sessionId: firstText(data, SESSION_NAMES, SESSION_ID),
    url: isAddress ? url : null,
    token,
    room: firstText(data, ROOM_NAMES) ?? (token === null ? null : roomOfToken(token)),
    otherTransport: isAddress ? null : (other?.[1] ?? null),
  };
}

const Refusal = z.object({ code: z.union([z.string(), z.number()]).transform(String) });

/** Codes of refusals whose status alone would be misread (docs.pipecat.ai, "Error codes"). */
const TERMINAL_CODES: Readonly<Record<string, ErrorCode>> = {
  'PCC-1002': 'auth_failed',
  'PCC-1004': 'rate_limited',
};

/** A refusal's code that no later try can get past; null when the status decides. */
export function terminalStartCode(_status: number, json: unknown): ErrorCode | null {
  return TERMINAL_CODES[refusalCode(json)] ?? null;
}

/** Every instance is taken: one becomes free when a session ends, whatever the status. */
export function saysAtCapacity(_status: number, json: unknown): boolean {
  return /\bAT[-_]CAPACITY\b/i.test(refusalCode(json));
}

function refusalCode(json: unknown): string {
  return Refusal.safeParse(json).data?.code ?? '';
}

function firstText(
  answer: Readonly<Record<string, unknown>>,
  names: readonly string[],
  form: RegExp = /\S/,
): string | null {
  for (const name of names) {
    const value = Object.hasOwn(answer, name) ? answer[name] : null;
    if (typeof value === 'string' && form.test(value.trim())) return value.trim();
  }
  return null;
}

function isTransportAddress(url: string): boolean {
  return URL.canParse(url) && ['ws:', 'wss:', 'http:', 'https:'].includes(new URL(url).protocol);
}
