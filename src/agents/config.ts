import { z } from 'zod';
import { AGENT_KINDS, configFields, type ConfigFieldOf } from '../../contract/agent-kinds';
import { PROVIDER_KINDS, type ProviderKind } from '../domain';
import { parseConfigJson } from './agent-json';
import {
  endTools,
  headers,
  httpUrl,
  isHeaderValue,
  leavingEnds,
  NOT_FOR_HEADERS,
  optionalCredential,
  optionalText,
  pace,
  problem,
  replyFormat,
  requiredText,
  wholeNumber,
} from './config-fields';
import { configReader, otherNamesOf } from './config-reader';
import { HTTP_AGENT_SHAPE } from './http/http-agent-config';

/** How each field that the contract lists is read; the compiler asks for one that is missing, and refuses another. */
type Fields<Kind extends ProviderKind> = Readonly<Record<ConfigFieldOf<Kind>, z.ZodType>>;

const SAME_SITE: Readonly<Record<string, 'Strict' | 'Lax' | 'None'>> = {
  strict: 'Strict',
  lax: 'Lax',
  none: 'None',
  no_restriction: 'None',
};

/** Exports of browsers and their extensions differ in details; what is left out takes the browser's default. */
const cookie = z
  .object({
    name: z.string('must be text').min(1, 'is empty'),
    value: z.string('must be text'),
    domain: z.string('must be text').min(1, 'is empty'),
    path: z.string('must be text').default('/'),
    /** Seconds since 1970; -1: until the browser closes. */
    expires: z.number('must be a number of seconds').optional(),
    expirationDate: z.number('must be a number of seconds').optional(),
    httpOnly: z.boolean('must be true or false').default(false),
    secure: z.boolean('must be true or false').default(false),
    sameSite: z.string('must be text').nullish(),
  })
  .transform(({ expires, expirationDate, sameSite, ...rest }) => ({
    ...rest,
    expires: expires ?? expirationDate ?? -1,
    sameSite: SAME_SITE[sameSite?.toLowerCase() ?? ''] ?? ('Lax' as const),
  }));

const origin = z.object({
  origin: z.string('must be text'),
  localStorage: z
    .array(z.object({ name: z.string('must be text'), value: z.string('must be text') }), 'must be a list')
    .default([]),
});

/**
 * What a login left in a browser: cookies and local storage, in Playwright's storageState format, as an object
 * or as the text of that file. Never the name of a file.
 */
const storageState = z.preprocess(
  parsed,
  z
    .object(
      {
        cookies: z.array(cookie, 'must be a list').default([]),
        origins: z.array(origin, 'must be a list').default([]),
      },
      'must be an object with cookies and origins',
    )
    .optional(),
);

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseConfigJson(value);
  } catch {
    // The text is left as it is: the schema refuses it.
    return value;
  }
}

const { openai, vapi, pipecat } = AGENT_KINDS;

const OpenAiConfig = z.object({
  ...pace,
  api_key: optionalCredential,
  base_url: httpUrl.default(new URL(openai.fields.base_url.defaultAddress)),
  model: optionalText,
  system_prompt: optionalText,
  temperature: z.number('must be a number').optional(),
  max_tokens: wholeNumber(1, 10_000_000, '').optional(),
  headers: headers.default({}),
  reply_format: replyFormat,
  end_tools: endTools([]),
  reports_tool_calls: z.boolean('must be true or false').default(false),
} satisfies Fields<'openai'>);
export type OpenAiConfig = z.infer<typeof OpenAiConfig>;

const VapiConfig = z.object({
  ...pace,
  api_key: requiredText('the private API key of the Vapi account').refine(isHeaderValue, NOT_FOR_HEADERS),
  assistant_id: requiredText('the id of the assistant to examine'),
  api_base: httpUrl.default(new URL(vapi.fields.api_base.defaultAddress)),
  reply_format: replyFormat,
  // https://docs.vapi.ai/tools/hang-up: the tool's type, and the name that the dashboard gives it.
  end_tools: endTools(['endCall', 'end_call_tool']),
} satisfies Fields<'vapi'>);
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

/** As telephone providers take it; spaces, dots, hyphens and brackets are how people write it. */
const phoneNumber = z
  .string('must be text, such as +15550100')
  .transform((text) => text.replace(/[\s().-]/g, ''))
  .refine((text) => /^(?:\+?\d{2,20})?$/.test(text), 'must be a telephone number, such as +15550100')
  .transform((text) => (text === '' ? undefined : text))
  .optional();

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
    phone_number: phoneNumber,
    sip_trunk_id: optionalText,
    auto_cleanup: z.boolean('must be true or false').default(true),
    // livekit-agents, beta/tools/end_call.py.
    end_tools: endTools(['end_call']),
    leaving_ends_conversation: leavingEnds,
  } satisfies Fields<'livekit'>)
  .superRefine((config, context) => {
    const missing = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [field], message: `is missing: ${message}` });
    if (config.phone_number !== undefined || config.sip_trunk_id !== undefined) {
      const wrong = (field: string, message: string): void =>
        context.addIssue({ code: 'custom', path: [field], message });
      if (config.phone_number === undefined) {
        missing('phone_number', 'set it to the number that sip_trunk_id is to dial, or leave sip_trunk_id out');
      }
      if (config.sip_trunk_id === undefined) {
        missing('sip_trunk_id', 'set it to the outbound trunk at LiveKit that dials phone_number, such as ST_…');
      }
      if (config.auth_mode !== 'api') {
        wrong('auth_mode', 'must be "api" with phone_number: a number is dialed with api_key and api_secret');
      }
      if (config.agent_name !== undefined || config.dispatch_mode === 'explicit') {
        wrong('agent_name', 'is for agents that join rooms: leave agent_name and dispatch_mode out, or phone_number');
      }
    }
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
    base_url: httpUrl.default(new URL(pipecat.fields.base_url.defaultAddress)),
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
  } satisfies Fields<'pipecat'>)
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

const streamUrl = z
  .string(
    problem(
      'is missing: set it to the address of the media stream, such as wss://agent.example.org/ws',
      'must be text: the address of the media stream',
    ),
  )
  .trim()
  .refine(
    (text) => isTransportUrl(text) && new URL(text).username === '' && new URL(text).password === '',
    'must be the complete address of the media stream, such as wss://agent.example.org/ws, without user and password',
  )
  .transform((text) => new URL(text.replace(/^http/i, 'ws')));

/** Twilio passes on texts: https://www.twilio.com/docs/voice/twiml/stream#custom-parameters */
const LONGEST_PARAMETER = 500;
const customParameters = z
  .record(
    z.string(),
    z
      .union(
        [
          z.string().max(LONGEST_PARAMETER, `must have at most ${LONGEST_PARAMETER} characters`),
          z.number(),
          z.boolean(),
        ],
        'must be text',
      )
      .transform(String),
    'must be an object with text values',
  )
  .refine(
    (parameters) => Object.keys(parameters).every(({ length }) => length <= LONGEST_PARAMETER),
    `holds a name of more than ${LONGEST_PARAMETER} characters`,
  );

const MediaStreamConfig = z.object({
  ...pace,
  url: streamUrl,
  headers: headers.default({}),
  custom_parameters: customParameters.default({}),
  closing_ends_conversation: z.boolean('must be true or false').default(false),
} satisfies Fields<'media-stream'>);
export type MediaStreamConfig = z.infer<typeof MediaStreamConfig>;

export const readMediaStreamConfig = configReader(MediaStreamConfig);

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
} satisfies Fields<'browser'>);
export type BrowserConfig = z.infer<typeof BrowserConfig>;

export const readBrowserConfig = configReader(BrowserConfig);

export const readOpenAiConfig = configReader(OpenAiConfig, otherNamesOf('openai'));

export const readVapiConfig = configReader(VapiConfig, otherNamesOf('vapi'));

export const readLiveKitConfig = configReader(LiveKitConfig);

export const readPipecatConfig = configReader(PipecatConfig, otherNamesOf('pipecat'));

/** The fields of every kind but `http`, which has a file of its own. */
export const CONFIG_SHAPES = {
  openai: OpenAiConfig.shape,
  vapi: VapiConfig.shape,
  livekit: LiveKitConfig.shape,
  pipecat: PipecatConfig.shape,
  browser: BrowserConfig.shape,
  'media-stream': MediaStreamConfig.shape,
};

function isTransportUrl(text: string): boolean {
  return URL.canParse(text) && ['ws:', 'wss:', 'http:', 'https:'].includes(new URL(text).protocol);
}

const SHAPES: Readonly<Record<ProviderKind, object>> = { ...CONFIG_SHAPES, http: HTTP_AGENT_SHAPE };

/** The names, in snake_case, under which a kind of agent reads the fields of its config; aliases are left out. */
export function configFieldsOf(kind: ProviderKind): readonly string[] {
  return Object.keys(SHAPES[kind]);
}

/** Every name, in snake_case, under which some kind of agent reads a field of its config. */
export const CONFIG_FIELDS: ReadonlySet<string> = new Set([
  ...Object.values(SHAPES).flatMap((shape) => Object.keys(shape)),
  ...PROVIDER_KINDS.flatMap((kind) => [...configFields(kind).values()].flatMap(({ aliases = [] }) => aliases)),
]);
