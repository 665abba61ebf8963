import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { storageState } from './browser/storage-state';
import { configReader, OTHER_NAMES } from './config-reader';

/** Longer than any conversation waits for one reply; a timer can run for at most 24 days. */
const MAX_TURN_TIMEOUT_MS = 3_600_000;

/** Headers that belong to the connection or to the body that is really sent. */
const RESERVED_HEADERS = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'te',
]);

const OPENAI_ADDRESS = 'https://api.openai.com/v1';
const VAPI_ADDRESS = 'https://api.vapi.ai';
const PIPECAT_ADDRESS = 'https://api.pipecat.daily.co';

/** Where calls go when the config names no address, by kind and field. */
export const DEFAULT_ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['openai.base_url', OPENAI_ADDRESS],
  ['vapi.api_base', VAPI_ADDRESS],
  ['pipecat.base_url', PIPECAT_ADDRESS],
]);

const problem = (missing: string, wrong: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? missing : wrong),
});

/** Required text; `whatItIs` says what to put in. */
const requiredText = (whatItIs: string) =>
  z
    .string(problem(`is missing: set it to ${whatItIs}`, `must be text: ${whatItIs}`))
    .trim()
    .min(1, `is empty: set it to ${whatItIs}`);

const optionalText = z
  .string('must be text')
  .transform((text) => (text.trim() === '' ? undefined : text))
  .optional();

const NOT_FOR_HEADERS = 'holds characters that an HTTP header cannot carry';

/** A key pasted with a line break around it is still that key. */
const optionalCredential = z
  .string('must be text')
  .trim()
  .refine(isHeaderValue, NOT_FOR_HEADERS)
  .transform((text) => (text === '' ? undefined : text))
  .optional();

const httpUrl = z
  .string('must be text: an http or https address')
  .trim()
  .refine(isHttpUrl, 'must be a complete http or https address, without user and password')
  .transform((text) => new URL(text));

const headers = z
  .record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean()], 'must be text'),
    'must be an object with text values',
  )
  .transform((record, context) => {
    const valid: Record<string, string> = {};
    for (const [name, value] of Object.entries(record)) {
      const text = String(value).trim();
      const wrong = headerProblem(name, text);
      if (wrong !== null) context.issues.push({ code: 'custom', message: wrong, path: [name], input: undefined });
      else valid[name.toLowerCase()] = text;
    }
    return valid;
  });

const wholeNumber = (from: number, to: number, unit: string) => {
  const range = `must be a whole number${unit} from ${from} to ${to}`;
  return z.int(range).min(from, range).max(to, range);
};

/** Fields that all kinds share (CONTRACT: provider kinds). */
const pace = {
  turn_timeout_ms: wholeNumber(1, MAX_TURN_TIMEOUT_MS, ' of milliseconds').default(30_000),
  max_retries: wholeNumber(0, 100, '').default(4),
  /** null: no limit. */
  requests_per_minute: z
    .number('must be a number from 0.1, which is one request in ten minutes')
    .min(0.1, 'must be at least 0.1, which is one request in ten minutes')
    .max(60_000, 'must be at most 60000; leave it out for no limit')
    .nullable()
    .default(null),
};

/** Names of the agent's tools: who calls one of them ends the conversation (docs/providers.md). */
const endTools = (vendors: readonly string[]) =>
  z
    .array(z.string().trim().min(1, 'holds an empty name'), 'must be a list of names of tools')
    .max(50, 'must name at most 50 tools')
    .default([...vendors]);

/** Whether an agent that leaves the room by itself has ended the conversation. */
const leavingEnds = z.boolean('must be true or false').default(false);

export interface Pace {
  readonly turn_timeout_ms: number;
  readonly max_retries: number;
  readonly requests_per_minute: number | null;
}

const OpenAiConfig = z.object({
  ...pace,
  api_key: optionalCredential,
  base_url: httpUrl.default(new URL(OPENAI_ADDRESS)),
  model: optionalText,
  system_prompt: optionalText,
  temperature: z.number('must be a number').optional(),
  max_tokens: wholeNumber(1, 10_000_000, '').optional(),
  headers: headers.default({}),
  end_tools: endTools([]),
});
export type OpenAiConfig = z.infer<typeof OpenAiConfig>;

const VapiConfig = z.object({
  ...pace,
  api_key: requiredText('the private API key of the Vapi account').refine(isHeaderValue, NOT_FOR_HEADERS),
  assistant_id: requiredText('the id of the assistant to examine'),
  api_base: httpUrl.default(new URL(VAPI_ADDRESS)),
  // https://docs.vapi.ai/tools/hang-up: the tool's type, and the name that the dashboard gives it.
  end_tools: endTools(['endCall', 'end_call_tool']),
});
export type VapiConfig = z.infer<typeof VapiConfig>;

/** A check across fields runs even when some are wrong (and still hold the input), so that all problems are reported at once. */
const ALWAYS = { when: () => true };

const liveKitUrl = z
  .string(
    problem(
      'is missing: set it to the address of the LiveKit server, such as wss://name.livekit.cloud',
      'must be text: the address of the LiveKit server',
    ),
  )
  .trim()
  .refine(isTransportUrl, 'must be the complete address of the LiveKit server, such as wss://name.livekit.cloud');

const LiveKitConfig = z
  .object({
    ...pace,
    url: liveKitUrl,
    auth_mode: z
      .enum(['api', 'token'], 'must be "api" (api_key and api_secret) or "token" (token or token_url)')
      .default('api'),
    api_key: optionalCredential,
    api_secret: optionalCredential,
    token: optionalCredential,
    token_url: httpUrl.optional(),
    token_headers: headers.default({}),
    token_body: z.record(z.string(), z.unknown(), 'must be an object').default({}),
    token_field: optionalText,
    agent_name: optionalText,
    dispatch_mode: z.enum(['auto', 'explicit'], 'must be "auto" or "explicit"').default('auto'),
    room_name: optionalText,
    room_prefix: optionalText,
    auto_cleanup: z.boolean('must be true or false').default(true),
    // livekit-agents, beta/tools/end_call.py.
    end_tools: endTools(['end_call']),
    leaving_ends_conversation: leavingEnds,
  })
  .superRefine((config, context) => {
    const missing = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [field], message: `is missing: ${message}` });
    if (config.auth_mode === 'api') {
      if (config.api_key === undefined) missing('api_key', 'set it to the API key of the LiveKit project');
      if (config.api_secret === undefined) missing('api_secret', 'set it to the API secret of the LiveKit project');
      if (config.dispatch_mode === 'explicit' && config.agent_name === undefined) {
        missing('agent_name', 'explicit dispatch sends the agent of this name into the room');
      }
    } else if (config.auth_mode === 'token' && config.token === undefined && config.token_url === undefined) {
      missing(
        'token',
        'with auth_mode "token" set it to a participant token, or token_url to a server that issues one',
      );
    }
  }, ALWAYS);
export type LiveKitConfig = z.infer<typeof LiveKitConfig>;

/** Pipecat Cloud's public address; a server of your own with the same paths works too. */
const PipecatConfig = z
  .object({
    ...pace,
    api_key: requiredText('the API key of the Pipecat Cloud account').refine(isHeaderValue, NOT_FOR_HEADERS),
    agent_name: requiredText('the name of the deployed agent'),
    base_url: httpUrl.default(new URL(PIPECAT_ADDRESS)),
    transport_url: z
      .string('must be text: the address of the LiveKit server')
      .trim()
      .refine(
        (text) => text === '' || isTransportUrl(text),
        'must be the complete address of the LiveKit server, such as wss://name.livekit.cloud',
      )
      .transform((text) => (text === '' ? undefined : text))
      .optional(),
    transport_api_key: optionalCredential,
    transport_api_secret: optionalCredential,
    auto_cleanup: z.boolean('must be true or false').default(true),
    // Pipecat brings no such tool, and reports no name of any unless its bot says so.
    end_tools: endTools([]),
    leaving_ends_conversation: leavingEnds,
  })
  .superRefine(({ transport_url: url, transport_api_key: key, transport_api_secret: secret }, context) => {
    // What they sign is only for their own server, never for an address that an agent names.
    if (key !== undefined && secret !== undefined && url === undefined) {
      const message =
        'is missing: set it to the LiveKit server that transport_api_key and transport_api_secret belong to';
      context.addIssue({ code: 'custom', path: ['transport_url'], message });
    }
    if ((key === undefined) === (secret === undefined)) return;
    const [present, missing] =
      key === undefined ? ['transport_api_secret', 'transport_api_key'] : ['transport_api_key', 'transport_api_secret'];
    const message = `is missing: ${present} is useful only together with it`;
    context.addIssue({ code: 'custom', path: [missing], message });
  }, ALWAYS);
export type PipecatConfig = z.infer<typeof PipecatConfig>;

/** What all kinds share, whatever else a config holds. */
export const readPace = configReader(z.object(pace));

const BrowserConfig = z.object({
  ...pace,
  url: z
    .string(problem('is missing: set it to the address of the chat page', 'must be text: the address of the chat page'))
    .pipe(httpUrl),
  input_selector: optionalText,
  send_selector: optionalText,
  message_selector: optionalText,
  end_selector: optionalText,
  storage_state: storageState,
  headers: headers.default({}),
  /** How long a reply must stay unchanged to count as complete. */
  reply_idle_ms: wholeNumber(50, 60_000, ' of milliseconds').default(2_000),
});
export type BrowserConfig = z.infer<typeof BrowserConfig>;

export const readBrowserConfig = configReader(BrowserConfig);

export const readOpenAiConfig = configReader(OpenAiConfig, OTHER_NAMES.openai);

export const readVapiConfig = configReader(VapiConfig, OTHER_NAMES.vapi);

export const readLiveKitConfig = configReader(LiveKitConfig);

export const readPipecatConfig = configReader(PipecatConfig, OTHER_NAMES.pipecat);

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

function isTransportUrl(text: string): boolean {
  return URL.canParse(text) && ['ws:', 'wss:', 'http:', 'https:'].includes(new URL(text).protocol);
}

function headerProblem(name: string, value: string): string | null {
  if (RESERVED_HEADERS.has(name.toLowerCase())) return 'is set by the harness itself: remove it';
  return isHeaderName(name) && isHeaderValue(value) ? null : NOT_FOR_HEADERS;
}

function isHeaderName(name: string): boolean {
  try {
    validateHeaderName(name);
    return true;
  } catch {
    return false;
  }
}

function isHeaderValue(value: string): boolean {
  try {
    validateHeaderValue('x', value);
    return true;
  } catch {
    return false;
  }
}
