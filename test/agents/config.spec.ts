import {
  readBrowserConfig,
  readLiveKitConfig,
  readMediaStreamConfig,
  readOpenAiConfig,
  readPace,
  readPipecatConfig,
  readVapiConfig,
} from '../../src/agents/config';
import { fieldOf, givenValue } from '../../src/agents/config-reader';
import { ProviderError } from '../../src/agents/errors';
import type { AgentConfig } from '../../src/agents/provider';

type Read = (config: AgentConfig) => unknown;

/** The rest of the sentence; empty when the config can be used. */
function problemOf(read: Read, config: AgentConfig): string {
  try {
    read(config);
    return '';
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    expect(error.code).toBe('config_invalid');
    expect(error.message).toMatch(/^The agent's config cannot be used: .*\.$/);
    return error.message.slice("The agent's config cannot be used: ".length, -1);
  }
}

const PACE = { turn_timeout_ms: 30_000, max_retries: 4, requests_per_minute: null };
const LIVEKIT = { url: 'wss://a.livekit.cloud', api_key: 'key', api_secret: 'secret' };
const PIPECAT = { api_key: 'key', agent_name: 'clinic' };

describe('What is left out of a config', () => {
  it.each<[string, Read, AgentConfig, object]>([
    [
      'openai',
      readOpenAiConfig,
      {},
      {
        ...PACE,
        base_url: new URL('https://api.openai.com/v1'),
        headers: {},
        reply_format: 'text',
        end_tools: [],
        reports_tool_calls: false,
      },
    ],
    [
      'vapi',
      readVapiConfig,
      { api_key: 'key', assistant_id: 'one' },
      {
        ...PACE,
        api_key: 'key',
        assistant_id: 'one',
        api_base: new URL('https://api.vapi.ai'),
        reply_format: 'text',
        end_tools: ['endCall', 'end_call_tool'],
      },
    ],
    [
      'livekit',
      readLiveKitConfig,
      LIVEKIT,
      {
        ...PACE,
        ...LIVEKIT,
        auth_mode: 'api',
        token_headers: {},
        token_body: {},
        dispatch_mode: 'auto',
        auto_cleanup: true,
        end_tools: ['end_call'],
        leaving_ends_conversation: false,
      },
    ],
    [
      'pipecat',
      readPipecatConfig,
      PIPECAT,
      {
        ...PACE,
        ...PIPECAT,
        base_url: new URL('https://api.pipecat.daily.co'),
        auto_cleanup: true,
        end_tools: [],
        leaving_ends_conversation: false,
      },
    ],
    [
      'browser',
      readBrowserConfig,
      { url: 'https://a.example/chat' },
      { ...PACE, url: new URL('https://a.example/chat'), headers: {}, reply_idle_ms: 2_000 },
    ],
    [
      'media-stream',
      readMediaStreamConfig,
      { url: 'wss://a.example/ws' },
      {
        ...PACE,
        url: new URL('wss://a.example/ws'),
        headers: {},
        custom_parameters: {},
        closing_ends_conversation: false,
      },
    ],
  ])('takes its default in an agent of the kind %s', (_kind, read, config, expected) => {
    expect(read(config)).toEqual(expected);
  });
});

describe('A field', () => {
  it.each<[string, AgentConfig, object]>([
    ['may be in camelCase', { maxTokens: 5, baseUrl: 'http://a.example' }, { max_tokens: 5 }],
    ['counts in snake_case where it is there twice', { max_tokens: 5, maxTokens: 6 }, { max_tokens: 5 }],
    ['may have another name', { target_model: 'm' }, { model: 'm' }],
    ['may have another name in camelCase', { targetModel: 'm' }, { model: 'm' }],
    ['counts by its own name before another', { targetModel: 'n', model: 'm' }, { model: 'm' }],
    ['counts where it holds something, rather than nothing', { model: '', targetModel: 'm' }, { model: 'm' }],
    ['that is null is left out', { model: null, targetModel: 'm', max_retries: null }, { model: 'm', max_retries: 4 }],
    ['that is empty is left out', { model: ' ', api_key: ' ', system_prompt: '' }, { max_retries: 4 }],
    ['that is not known is passed over', { modell: 'm', toString: 1 }, { max_retries: 4 }],
    ['is a key without the white space around it', { api_key: ' key\n' }, { api_key: 'key' }],
    ['is an address without the white space around it', { base_url: ' http://a.example/v1 ' }, {}],
    [
      'holds headers as texts, by names in lower case',
      { headers: { 'X-Tenant': ' clinic ', 'X-Count': 7, 'X-Is': true } },
      { headers: { 'x-tenant': 'clinic', 'x-count': '7', 'x-is': 'true' } },
    ],
    ['holds names without white space around them', { end_tools: [' hang_up '] }, { end_tools: ['hang_up'] }],
    ['may be at its least', { turn_timeout_ms: 1, max_retries: 0, requests_per_minute: 0.1 }, { max_retries: 0 }],
    [
      'may be at its most',
      { turn_timeout_ms: 3_600_000, max_retries: 100, requests_per_minute: 60_000 },
      { max_retries: 100 },
    ],
  ])('%s', (_, config, expected) => {
    expect(readOpenAiConfig(config)).toMatchObject(expected);
  });

  it('that is empty has no value at all', () => {
    expect(readOpenAiConfig({ model: ' ', system_prompt: '', api_key: '' })).not.toEqual(
      expect.objectContaining({ model: expect.anything() }),
    );
    expect(readOpenAiConfig({ model: '', api_key: ' ' })).toMatchObject({ model: undefined, api_key: undefined });
  });

  it.each<[string, AgentConfig, string]>([
    ['no time', { turn_timeout_ms: 0 }, 'turn_timeout_ms must be a whole number of milliseconds from 1 to 3600000'],
    ['too long a time', { turn_timeout_ms: 3_600_001 }, 'turn_timeout_ms must be a whole number of milliseconds from'],
    ['half a time', { turn_timeout_ms: 1.5 }, 'turn_timeout_ms must be a whole number of milliseconds from 1'],
    ['a time in words', { turn_timeout_ms: '30 s' }, 'turn_timeout_ms must be a whole number of milliseconds from 1'],
    ['too many retries', { max_retries: 101 }, 'max_retries must be a whole number from 0 to 100'],
    ['fewer than no retries', { maxRetries: -1 }, 'max_retries must be a whole number from 0 to 100'],
    [
      'too few requests',
      { requests_per_minute: 0.05 },
      'requests_per_minute must be at least 0.1, which is one request',
    ],
    ['too many requests', { requests_per_minute: 60_001 }, 'requests_per_minute must be at most 60000; leave it out'],
    ['requests in words', { requests_per_minute: 'many' }, 'requests_per_minute must be a number from 0.1'],
    ['a number for text', { model: 5 }, 'model must be text'],
    ['a key over two lines', { api_key: 'a\nb' }, 'api_key holds characters that an HTTP header cannot carry'],
    ['another scheme', { base_url: 'ftp://a.example' }, 'base_url must be a complete http or https address, without'],
    ['no scheme', { base_url: 'a.example' }, 'base_url must be a complete http or https address, without'],
    ['a user', { base_url: 'http://me@a.example' }, 'base_url must be a complete http or https address, without user'],
    ['a password', { base_url: 'http://:p@a.example' }, 'base_url must be a complete http or https address, without'],
    ['no text for an address', { base_url: 5 }, 'base_url must be text: an http or https address'],
    ['headers in text', { headers: 'a: b' }, 'headers must be an object with text values'],
    ['a header that is an object', { headers: { a: {} } }, 'headers.a must be text'],
    ['a header of the connection', { headers: { Host: 'a' } }, 'headers.Host is set by the harness itself: remove it'],
    [
      'a header with an odd name',
      { headers: { 'a b': 'c' } },
      'headers.a b holds characters that an HTTP header cannot',
    ],
    ['a header over two lines', { headers: { a: 'b\nc' } }, 'headers.a holds characters that an HTTP header cannot'],
    ['an unknown format', { reply_format: 'xml' }, 'reply_format must be text or html'],
    ['a tool for a list of them', { end_tools: 'end' }, 'end_tools must be a list of names of tools'],
    ['a tool without a name', { end_tools: ['a', ' '] }, 'end_tools.1 holds an empty name'],
    [
      'too many tools',
      { end_tools: Array.from({ length: 51 }, (_, at) => `t${at}`) },
      'end_tools must name at most 50 tools',
    ],
    ['a word for a switch', { reports_tool_calls: 'yes' }, 'reports_tool_calls must be true or false'],
    ['a temperature in words', { temperature: 'warm' }, 'temperature must be a number'],
    ['no tokens', { max_tokens: 0 }, 'max_tokens must be a whole number from 1 to 10000000'],
  ])('cannot hold %s', (_, config, problem) => {
    expect(problemOf(readOpenAiConfig, config)).toContain(problem);
  });

  it('that is wrong is named with every other that is, and once', () => {
    expect(problemOf(readVapiConfig, { reply_format: 'xml' })).toBe(
      'api_key is missing: set it to the private API key of the Vapi account; ' +
        'assistant_id is missing: set it to the id of the assistant to examine; reply_format must be text or html',
    );
    expect(problemOf(readVapiConfig, { api_key: ' ', assistant_id: 7 })).toBe(
      'api_key is empty: set it to the private API key of the Vapi account; ' +
        'assistant_id must be text: the id of the assistant to examine',
    );
    expect(problemOf(readVapiConfig, { api_key: 'a\nb', assistant_id: 'one' })).toBe(
      'api_key holds characters that an HTTP header cannot carry',
    );
    // Two checks of one number say the same.
    expect(problemOf(readOpenAiConfig, { max_retries: -0.5 })).toBe('max_retries must be a whole number from 0 to 100');
  });

  it.each([
    ['vapi', 'providerId', 'assistant_id'],
    ['vapi', 'provider_id', 'assistant_id'],
    ['vapi', 'apiKey', 'api_key'],
    ['openai', 'providerId', 'provider_id'],
    ['pipecat', 'livekitApiSecret', 'transport_api_secret'],
    ['nobody', 'apiKey', 'api_key'],
  ])('of an agent of the kind %s is known by %s', (kind, key, field) => {
    expect(fieldOf(kind, key)).toBe(field);
  });

  it('has its value in whichever spelling it is given', () => {
    expect(givenValue('vapi', { providerId: 'a' }, 'assistant_id')).toBe('a');
    expect(givenValue('vapi', { assistantId: '', provider_id: 'b' }, 'assistant_id')).toBe('b');
    expect(givenValue('vapi', { assistantId: '' }, 'assistant_id')).toBe('');
    expect(givenValue('vapi', { assistant_id: null }, 'assistant_id')).toBeUndefined();
  });

  it('of the pace is read without any other', () => {
    expect(readPace({ maxRetries: 2, url: 7 })).toEqual({ ...PACE, max_retries: 2 });
  });
});

describe('An agent in a LiveKit room', () => {
  const problem = (config: AgentConfig) => problemOf(readLiveKitConfig, config);

  it.each(['ws://a.example', 'wss://a.example', 'http://a.example', ' https://a.example '])('may be at %s', (url) => {
    expect(readLiveKitConfig({ ...LIVEKIT, url }).url).toBe(url.trim());
  });

  it.each<[AgentConfig, string]>([
    [{}, 'url is missing: set it to the address of the LiveKit server, such as wss://name.livekit.cloud'],
    [{ url: 7 }, 'url must be text: the address of the LiveKit server'],
    [{ url: 'a.livekit.cloud' }, 'url must be the complete address of the LiveKit server'],
    [{ url: 'ftp://a.livekit.cloud' }, 'url must be the complete address of the LiveKit server'],
    [{ auth_mode: 'none' }, 'auth_mode must be "api" (api_key and api_secret) or "token" (token or token_url)'],
    [{ dispatch_mode: 'none' }, 'dispatch_mode must be "auto" or "explicit"'],
    [{ token_body: [] }, 'token_body must be an object'],
    [{ auto_cleanup: 'no' }, 'auto_cleanup must be true or false'],
    [{ leaving_ends_conversation: 'no' }, 'leaving_ends_conversation must be true or false'],
    [{ phone_number: 5 }, 'phone_number must be text, such as +15550100'],
    [{ phone_number: '+1' }, 'phone_number must be a telephone number, such as +15550100'],
    [{ phone_number: 'clinic' }, 'phone_number must be a telephone number, such as +15550100'],
    [{ phone_number: 'call 15550100' }, 'phone_number must be a telephone number, such as +15550100'],
    [{ phone_number: '15550100 now' }, 'phone_number must be a telephone number, such as +15550100'],
    [{ phone_number: `+${'1'.repeat(21)}` }, 'phone_number must be a telephone number, such as +15550100'],
  ])('cannot be called by %j', (config, sentence) => {
    expect(problem(config)).toContain(sentence);
  });

  it('is called with a key and its secret, or with a token', () => {
    const { url } = LIVEKIT;
    // All that is wrong is said at once.
    expect(problem({ url: 7 })).toBe(
      'url must be text: the address of the LiveKit server; ' +
        'api_key is missing: set it to the API key of the LiveKit project; ' +
        'api_secret is missing: set it to the API secret of the LiveKit project',
    );
    expect(problem({ url })).toBe(
      'api_key is missing: set it to the API key of the LiveKit project; ' +
        'api_secret is missing: set it to the API secret of the LiveKit project',
    );
    expect(problem({ url, auth_mode: 'token' })).toBe(
      'token is missing: with auth_mode "token" set it to a participant token, or token_url to a server that issues one',
    );
    expect(problem({ url, auth_mode: 'token', token: 'one' })).toBe('');
    expect(problem({ url, auth_mode: 'token', token_url: 'https://a.example/token' })).toBe('');
  });

  it('is named where it is sent into the room', () => {
    expect(problem({ ...LIVEKIT, dispatch_mode: 'explicit' })).toBe(
      'agent_name is missing: explicit dispatch sends the agent of this name into the room',
    );
    expect(problem({ ...LIVEKIT, dispatch_mode: 'explicit', agent_name: 'clinic' })).toBe('');
  });

  it('is dialed with a number and a trunk, and with nothing that belongs to rooms', () => {
    const dialed = { ...LIVEKIT, phone_number: ' +1 (555) 01-00. ', sip_trunk_id: 'ST_1' };
    expect(readLiveKitConfig(dialed)).toMatchObject({ phone_number: '+15550100', sip_trunk_id: 'ST_1' });
    expect(readLiveKitConfig({ ...LIVEKIT, phone_number: ' ' }).phone_number).toBeUndefined();
    expect(problem({ ...dialed, phone_number: '' })).toBe(
      'phone_number is missing: set it to the number that sip_trunk_id is to dial, or leave sip_trunk_id out',
    );
    expect(problem({ ...dialed, sip_trunk_id: '' })).toBe(
      'sip_trunk_id is missing: set it to the outbound trunk at LiveKit that dials phone_number, such as ST_…',
    );
    expect(problem({ ...dialed, auth_mode: 'token', token: 'one' })).toBe(
      'auth_mode must be "api" with phone_number: a number is dialed with api_key and api_secret',
    );
    const forRooms =
      'agent_name is for agents that join rooms: leave agent_name and dispatch_mode out, or phone_number';
    expect(problem({ ...dialed, agent_name: 'clinic' })).toBe(forRooms);
    expect(problem({ ...dialed, dispatch_mode: 'explicit' })).toContain(forRooms);
  });
});

describe('An agent of Pipecat Cloud', () => {
  const problem = (config: AgentConfig) => problemOf(readPipecatConfig, { ...PIPECAT, ...config });
  const [transport_api_key, transport_api_secret] = ['lk', 'lks'];

  it('has its key and its name', () => {
    expect(problemOf(readPipecatConfig, {})).toBe(
      'api_key is missing: set it to the API key of the Pipecat Cloud account; ' +
        'agent_name is missing: set it to the name of the deployed agent',
    );
    expect(problem({ api_key: 'a\nb' })).toBe('api_key holds characters that an HTTP header cannot carry');
  });

  it('has both halves of a key for rooms, and the server that they are for, or none of it', () => {
    expect(problem({ transport_url: 'wss://a.example', transport_api_key, transport_api_secret })).toBe('');
    expect(problem({ livekit_url: 'wss://a.example' })).toBe('');
    expect(problem({ transport_api_key, transport_api_secret })).toBe(
      'transport_url is missing: set it to the LiveKit server that transport_api_key and transport_api_secret belong to',
    );
    expect(problem({ transport_api_key })).toBe(
      'transport_api_secret is missing: transport_api_key is useful only together with it',
    );
    expect(problem({ transport_api_secret })).toBe(
      'transport_api_key is missing: transport_api_secret is useful only together with it',
    );
  });

  it('may leave the server empty, but not name another thing', () => {
    expect(readPipecatConfig({ ...PIPECAT, transport_url: ' ' }).transport_url).toBeUndefined();
    expect(problem({ transport_url: 'a.example' })).toContain(
      'transport_url must be the complete address of the LiveKit',
    );
    expect(problem({ transport_url: 7 })).toBe('transport_url must be text: the address of the LiveKit server');
  });
});

describe('An agent that takes media streams', () => {
  const problem = (config: AgentConfig) => problemOf(readMediaStreamConfig, { url: 'wss://a.example', ...config });

  it.each([
    ['http://a.example/ws', 'ws://a.example/ws'],
    ['HTTPS://a.example/http', 'wss://a.example/http'],
    ['wss://http.example/ws', 'wss://http.example/ws'],
    [' ws://a.example ', 'ws://a.example/'],
  ])('is rung at %s', (url, rung) => {
    expect(readMediaStreamConfig({ url }).url.href).toBe(rung);
  });

  it.each<[AgentConfig, string]>([
    [{ url: null }, 'url is missing: set it to the address of the media stream, such as wss://agent.example.org/ws'],
    [{ url: 7 }, 'url must be text: the address of the media stream'],
    [{ url: 'a.example' }, 'url must be the complete address of the media stream'],
    [{ url: 'ftp://a.example' }, 'url must be the complete address of the media stream'],
    [{ url: 'wss://me@a.example' }, 'without user and password'],
    [{ url: 'wss://:p@a.example' }, 'without user and password'],
    [{ custom_parameters: 'a' }, 'custom_parameters must be an object with text values'],
    [{ custom_parameters: { a: {} } }, 'custom_parameters.a must be text'],
    [{ closing_ends_conversation: 1 }, 'closing_ends_conversation must be true or false'],
  ])('is not rung by %j', (config, sentence) => {
    expect(problem(config)).toContain(sentence);
  });

  it('is told no name and no text that is longer than the vendor passes on', () => {
    const long = 'x'.repeat(501);
    expect(problem({ custom_parameters: { a: long } })).toBe('custom_parameters.a must have at most 500 characters');
    expect(problem({ custom_parameters: { [long]: 'a' } })).toBe(
      'custom_parameters holds a name of more than 500 characters',
    );
  });

  it('is told its parameters as texts', () => {
    const custom_parameters = { clinic: 'north', floor: 2, open: true, ['x'.repeat(500)]: 'x'.repeat(500) };
    expect(readMediaStreamConfig({ url: 'wss://a.example', custom_parameters }).custom_parameters).toEqual({
      ...custom_parameters,
      floor: '2',
      open: 'true',
    });
  });
});

describe('An agent on a page', () => {
  const read = (config: AgentConfig) => readBrowserConfig({ url: 'https://a.example', ...config });
  const problem = (config: AgentConfig) => problemOf(read, config);
  const cookie = { name: 'sid', value: '1', domain: 'a.example' };
  const asKept = { ...cookie, path: '/', expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' };

  it('keeps a login as an object and as the text of a file', () => {
    const origins = [{ origin: 'https://a.example', localStorage: [{ name: 'k', value: 'v' }] }];
    const kept = { cookies: [asKept], origins };
    expect(read({ storage_state: { cookies: [cookie], origins } }).storage_state).toEqual(kept);
    expect(read({ storage_state: JSON.stringify({ cookies: [cookie], origins }) }).storage_state).toEqual(kept);
    expect(read({ storage_state: {} }).storage_state).toEqual({ cookies: [], origins: [] });
    expect(read({ storage_state: { origins: [{ origin: 'o' }] } }).storage_state?.origins).toEqual([
      { origin: 'o', localStorage: [] },
    ]);
    expect(read({}).storage_state).toBeUndefined();
  });

  it.each<[object, object]>([
    [{ expires: 5 }, { expires: 5 }],
    [{ expirationDate: 6 }, { expires: 6 }],
    [{ expires: 5, expirationDate: 6 }, { expires: 5 }],
    [{ sameSite: 'Strict' }, { sameSite: 'Strict' }],
    [{ sameSite: 'no_restriction' }, { sameSite: 'None' }],
    [{ sameSite: 'NONE' }, { sameSite: 'None' }],
    [{ sameSite: 'unspecified' }, { sameSite: 'Lax' }],
    [{ sameSite: null }, { sameSite: 'Lax' }],
    [
      { httpOnly: true, secure: true, path: '/chat' },
      { httpOnly: true, secure: true, path: '/chat' },
    ],
  ])('reads a cookie with %j as browsers and their extensions write it', (given, expected) => {
    expect(read({ storage_state: { cookies: [{ ...cookie, ...given }] } }).storage_state?.cookies).toEqual([
      { ...asKept, ...expected },
    ]);
  });

  it.each<[AgentConfig, string]>([
    [{ url: null }, 'url is missing: set it to the address of the chat page'],
    [{ url: 7 }, 'url must be text: the address of the chat page'],
    [{ url: 'wss://a.example' }, 'url must be a complete http or https address'],
    [{ reply_idle_ms: 49 }, 'reply_idle_ms must be a whole number of milliseconds from 50 to 60000'],
    [{ reply_idle_ms: 60_001 }, 'reply_idle_ms must be a whole number of milliseconds from 50 to 60000'],
    [{ storage_state: 'login.json' }, 'storage_state must be an object with cookies and origins'],
    [{ storage_state: { cookies: {} } }, 'storage_state.cookies must be a list'],
    [{ storage_state: { cookies: [{ ...cookie, name: '' }] } }, 'storage_state.cookies.0.name is empty'],
    [{ storage_state: { cookies: [{ ...cookie, domain: '' }] } }, 'storage_state.cookies.0.domain is empty'],
    [{ storage_state: { cookies: [{ ...cookie, value: 1 }] } }, 'storage_state.cookies.0.value must be text'],
    [
      { storage_state: { cookies: [{ ...cookie, secure: 1 }] } },
      'storage_state.cookies.0.secure must be true or false',
    ],
    [{ storage_state: { origins: [{ origin: 1 }] } }, 'storage_state.origins.0.origin must be text'],
  ])('is not opened by %j', (config, sentence) => {
    expect(problem(config)).toContain(sentence);
  });
});
