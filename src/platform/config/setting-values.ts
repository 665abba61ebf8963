import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { FORWARD_PROXY, readForwardProxy, type ForwardProxy } from '../egress/forward-proxy';
import { NO_PROXY_LIST, readNoProxy, type DirectHosts } from '../egress/no-proxy';
import { readAllowedTarget, type AllowedTarget } from '../targets/allowed-targets';
import { isOnLoopback } from './host-name';
import { MODEL_NAMES, readModelName } from './model-name';

/** How the values of settings are written; a message says what is accepted, and follows "must be". */

export const wholeNumber = (min: number, max: number) => {
  const accepted = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, accepted)
    .transform(Number)
    .refine((number) => number >= min && number <= max, accepted);
};

/** More than that, and PostgreSQL has more connections than processors could ever use. */
const MOST_WORKERS = 64;

/** How many processes; `auto` leaves a processor to PostgreSQL. */
export const workerCount = z
  .string()
  .transform((text) =>
    text === 'auto' ? Math.max(1, availableParallelism() - 1) : Number(/^\d{1,9}$/.exec(text)?.[0]),
  )
  .refine((number) => number >= 1 && number <= MOST_WORKERS, `auto, or a whole number from 1 to ${MOST_WORKERS}`);

/** US dollars. No `0`: that might be meant as nothing at all, or as no limit. */
export const amount = z
  .string()
  .regex(/^(?=.*[1-9])\d{1,9}(\.\d{1,6})?$/, 'an amount above 0, such as 20 or 7.50 (leave it out for no limit)')
  .transform(Number);

const SWITCH: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  yes: true,
  on: true,
  false: false,
  0: false,
  no: false,
  off: false,
};
export const onOff = z
  .string()
  .transform((text) => SWITCH[text.toLowerCase()])
  .pipe(z.boolean({ error: '"true" or "false"' }));

export const urlOf = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `an address such as ${example}` });

const PUBLIC_ADDRESS = 'an address such as https://osce.example.org, without credentials, query or fragment';
/** It is sent to others, and paths are put behind it. */
export const publicUrl = z.url({ protocol: /^https?$/, error: PUBLIC_ADDRESS }).refine((text) => {
  if (!URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
}, PUBLIC_ADDRESS);

const TRACE_ADDRESS =
  'an http or https address with {trace_id}, {conversation_id} or {run_id} behind its host, without credentials, such as https://langfuse.example/trace/{trace_id}';
const TRACE_PLACEHOLDER = /\{(?:trace_id|conversation_id|run_id)\}/g;
/** What is left when the placeholders are gone leads nowhere else: they never stand in the host, and there are no others. */
export const traceUrlTemplate = z.string().refine((text) => {
  const filled = text.replaceAll(TRACE_PLACEHOLDER, '0');
  if (filled === text || /[{}\s]/.test(filled) || !URL.canParse(filled)) return false;
  const { protocol, username, password } = new URL(filled);
  const [host = ''] = text.replace(/^[a-z]{1,10}:\/\//i, '').split(/[/?#]/);
  return /^https?:$/.test(protocol) && username === '' && password === '' && !/[{}]/.test(host);
}, TRACE_ADDRESS);
const ISSUER =
  'the address that your provider calls itself by, such as https://login.example.org/realms/clinic: https (http on loopback only), without credentials, query or fragment';
/** Tokens name it character by character, so that it is kept as it is written. */
export const oidcIssuer = z.url({ protocol: /^https?$/, error: ISSUER }).refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isSafe = protocol === 'https:' || isOnLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
  return isSafe && [username, password, search, hash].every((part) => part === '');
}, ISSUER);

const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

/** Names or ids of groups, as the provider writes them. */
export const groupList = commaSeparated;

export const keyList = commaSeparated.pipe(
  z
    .array(z.string().regex(/^[\x21-\x7e]+$/, 'one key, or several separated by commas, without spaces inside'))
    .min(1, 'one key, or several separated by commas'),
);

/** Long enough that it cannot be found by trying. */
export const longKey = z
  .string()
  .regex(/^[\x21-\x7e]{24,500}$/, 'at least 24 characters without spaces, such as `openssl rand -hex 24` prints');

const HOST_NAMES = 'host names separated by commas, such as osce.example.org, *.example.org or 10.0.0.5:8000';
/** A name, or an address (IPv6 in brackets), with or without a port; `*` stands for whole labels at the beginning only. */
const HOST_PATTERN = /^((\*\.)?[^\s:/?#@[\]\\%*.]+(\.[^\s:/?#@[\]\\%*.]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

export const hostList = commaSeparated.pipe(z.array(z.string().regex(HOST_PATTERN, HOST_NAMES)));
export const TARGET_LIST =
  'hosts, *.suffix or CIDR ranges separated by commas, each with a port or without (agents.example, *.example, 10.0.0.0/8, [fd00::1]:8080)';
export const targetList = commaSeparated.transform((entries, context): AllowedTarget[] => {
  const read = entries.map(readAllowedTarget).filter((entry) => entry !== null);
  if (read.length < entries.length || read.length === 0)
    context.issues.push({ code: 'custom', message: TARGET_LIST, input: entries });
  return read;
});

/** @param variable that the setting is called */
export const forwardProxy = (variable: string) =>
  z.string().transform((text, context): ForwardProxy => {
    const proxy = readForwardProxy(text, variable);
    if (proxy !== null) return proxy;
    context.issues.push({ code: 'custom', message: FORWARD_PROXY, input: text });
    return z.NEVER;
  });

export const directHosts = z.string().transform((text, context): DirectHosts => {
  const direct = readNoProxy(text);
  if (direct !== null) return direct;
  context.issues.push({ code: 'custom', message: NO_PROXY_LIST, input: text });
  return z.NEVER;
});

export const modelName = z.string().refine((text) => readModelName(text) !== null, MODEL_NAMES);
export const modelList = commaSeparated.pipe(
  z.array(z.string().refine((text) => readModelName(text) !== null, `models separated by commas, each ${MODEL_NAMES}`)),
);

/** What goes into an Authorization header. */
export const key = z.string().regex(/^[\x21-\x7e]+$/, 'one key, without spaces inside');

export const modelServer = urlOf(/^https?$/, 'https://models.example/v1');

/** As a vendor calls a model or a voice. */
export const vendorName = z
  .string()
  .regex(/^[^\p{Cc}]{1,200}$/u, 'a name of at most 200 characters, as the server or program calls it');

export const SECRETS_KEYS =
  'one key of 32 bytes in base64 (openssl rand -base64 32), or two separated by a comma: the first encrypts, both decrypt; plain, in the place of the first, decrypts what is stored';

/** Base64 of 32 bytes, with either alphabet. */
const KEY_OF_32_BYTES = /^[A-Za-z0-9+/_-]{43}=?$/;

export const secretsKeys = commaSeparated.refine((entries) => {
  const keys = entries.filter((entry, place) => place > 0 || entry !== 'plain');
  const isWhole = entries.length <= 2 && keys.length > 0 && keys.every((entry) => KEY_OF_32_BYTES.test(entry));
  return isWhole && new Set(keys.map((entry) => Buffer.from(entry, 'base64').toString('hex'))).size === keys.length;
}, SECRETS_KEYS);

const MILLISECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** A setting such as `24h`: a whole number and its unit. */
export const duration = z.string().regex(/^\d{1,6}[smhd]$/, 'a time such as 90s, 30m, 24h or 7d');

/** @param text as `duration` accepts it */
export function millisecondsOf(text: string): number {
  return Number(text.slice(0, -1)) * (MILLISECONDS.get(text.slice(-1)) ?? 0);
}

/** A setting that cannot be used: one sentence naming the variable, what was given and what is accepted. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
