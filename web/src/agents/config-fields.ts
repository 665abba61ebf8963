import type { ProviderKind } from '../../../src/domain';

/** How the form presents a field of an agent's config. */
export type FieldKind =
  'text' | 'secret' | 'long' | 'number' | 'switch' | 'json' | { readonly choice: readonly string[] };

export interface ConfigField {
  /** The name in the config, in snake_case; its camelCase spelling is read too. */
  readonly key: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly required?: boolean;
  readonly help?: string;
  readonly placeholder?: string;
  /** Other names that the service accepts for it. */
  readonly aliases?: readonly string[];
  /** Rarely needed: shown on request. */
  readonly seldom?: boolean;
}

export interface ProviderForm {
  readonly provider: string;
  readonly label: string;
  readonly description: string;
  readonly fields: readonly ConfigField[];
}

const PACE: readonly ConfigField[] = [
  { key: 'turn_timeout_ms', label: 'Reply timeout, in ms', kind: 'number', placeholder: '30000', seldom: true },
  { key: 'max_retries', label: 'Retries', kind: 'number', placeholder: '4', seldom: true },
  {
    key: 'requests_per_minute',
    label: 'Requests per minute',
    kind: 'number',
    placeholder: 'no limit',
    help: 'Shared by every run against this agent.',
    seldom: true,
  },
];

const AUTO_CLEANUP: ConfigField = {
  key: 'auto_cleanup',
  label: 'Delete the room afterwards',
  kind: 'switch',
  help: 'On by default.',
  seldom: true,
};

const END_TOOLS: ConfigField = {
  key: 'end_tools',
  label: 'Tools that end the conversation',
  kind: 'json',
  placeholder: '["end_call"]',
  help: 'Names of the agent’s tools: calling one of them hangs up.',
  seldom: true,
};

const LEAVING_ENDS: ConfigField = {
  key: 'leaving_ends_conversation',
  label: 'Leaving the room ends the conversation',
  kind: 'switch',
  help: 'Only for agents that leave for no other reason. Off by default.',
  seldom: true,
};

const REPLY_FORMAT: ConfigField = {
  key: 'reply_format',
  label: 'Reply format',
  kind: { choice: ['text', 'html'] },
  help: 'Default: text. A web page in place of a reply then counts as an error of the server in front of the agent.',
  seldom: true,
};

/** The kinds of agents the service examines, and how each is reached. */
const FORMS: Readonly<Record<ProviderKind, Omit<ProviderForm, 'provider'>>> = {
  openai: {
    label: 'OpenAI-compatible',
    description: 'Any chat completions API, including your own server.',
    fields: [
      {
        key: 'base_url',
        label: 'Address',
        kind: 'text',
        placeholder: 'https://api.openai.com/v1',
        help: 'The part before /chat/completions.',
      },
      { key: 'model', label: 'Model', kind: 'text', aliases: ['target_model'] },
      {
        key: 'api_key',
        label: 'API key',
        kind: 'secret',
        help: 'Left empty, the service’s OPENAI_API_KEY is sent, if it has one and the address is the vendor’s or in OPENAI_API_KEY_HOSTS.',
      },
      { key: 'system_prompt', label: 'System prompt', kind: 'long' },
      { key: 'temperature', label: 'Temperature', kind: 'number', seldom: true },
      { key: 'max_tokens', label: 'Max tokens per reply', kind: 'number', seldom: true },
      { key: 'headers', label: 'Headers', kind: 'json', placeholder: '{ "X-Tenant": "clinic" }', seldom: true },
      REPLY_FORMAT,
      END_TOOLS,
      ...PACE,
    ],
  },
  vapi: {
    label: 'Vapi',
    description: 'An assistant on the Vapi voice platform, through its chat API.',
    fields: [
      { key: 'api_key', label: 'Private API key', kind: 'secret', required: true },
      { key: 'assistant_id', label: 'Assistant id', kind: 'text', required: true, aliases: ['provider_id'] },
      { key: 'api_base', label: 'API address', kind: 'text', placeholder: 'https://api.vapi.ai', seldom: true },
      REPLY_FORMAT,
      END_TOOLS,
      ...PACE,
    ],
  },
  livekit: {
    label: 'LiveKit',
    description: 'An agent in a LiveKit room, in text.',
    fields: [
      { key: 'url', label: 'Server address', kind: 'text', required: true, placeholder: 'wss://…' },
      { key: 'auth_mode', label: 'Authentication', kind: { choice: ['api', 'token'] }, help: 'Default: api.' },
      { key: 'api_key', label: 'API key', kind: 'secret' },
      { key: 'api_secret', label: 'API secret', kind: 'secret' },
      { key: 'agent_name', label: 'Agent name', kind: 'text' },
      { key: 'dispatch_mode', label: 'Dispatch', kind: { choice: ['auto', 'explicit'] }, help: 'Default: auto.' },
      { key: 'token', label: 'Token', kind: 'secret', seldom: true },
      { key: 'token_url', label: 'Token address', kind: 'text', seldom: true },
      { key: 'token_headers', label: 'Headers of the token request', kind: 'json', seldom: true },
      { key: 'token_body', label: 'Body of the token request', kind: 'json', seldom: true },
      { key: 'token_field', label: 'Field of the response that holds the token', kind: 'text', seldom: true },
      { key: 'room_name', label: 'Room name', kind: 'text', seldom: true },
      { key: 'room_prefix', label: 'Prefix of room names', kind: 'text', placeholder: 'osce', seldom: true },
      AUTO_CLEANUP,
      END_TOOLS,
      LEAVING_ENDS,
      ...PACE,
    ],
  },
  pipecat: {
    label: 'Pipecat Cloud',
    description: 'A deployed Pipecat agent, in its LiveKit room.',
    fields: [
      { key: 'api_key', label: 'API key', kind: 'secret', required: true },
      { key: 'agent_name', label: 'Agent name', kind: 'text', required: true },
      { key: 'base_url', label: 'Cloud API address', kind: 'text', seldom: true },
      { key: 'transport_url', label: 'LiveKit address', kind: 'text', aliases: ['livekit_url'], seldom: true },
      { key: 'transport_api_key', label: 'LiveKit key', kind: 'secret', aliases: ['livekit_api_key'], seldom: true },
      {
        key: 'transport_api_secret',
        label: 'LiveKit secret',
        kind: 'secret',
        aliases: ['livekit_api_secret'],
        seldom: true,
      },
      AUTO_CLEANUP,
      END_TOOLS,
      LEAVING_ENDS,
      ...PACE,
    ],
  },
  browser: {
    label: 'Chat page',
    description: 'A web page with a chat, driven in a real browser.',
    fields: [
      { key: 'url', label: 'Address of the page', kind: 'text', required: true, placeholder: 'https://…' },
      { key: 'input_selector', label: 'Input selector', kind: 'text', help: 'Detected automatically when left empty.' },
      {
        key: 'send_selector',
        label: 'Send button selector',
        kind: 'text',
        help: 'Detected automatically when left empty.',
      },
      {
        key: 'message_selector',
        label: 'Reply selector',
        kind: 'text',
        help: 'Detected automatically when left empty.',
      },
      {
        key: 'end_selector',
        label: 'End selector',
        kind: 'text',
        help: 'Matches what the page shows only once a conversation has ended. Left empty, the page never ends one.',
        seldom: true,
      },
      {
        key: 'reply_idle_ms',
        label: 'Silence that ends a reply, in ms',
        kind: 'number',
        placeholder: '2000',
        seldom: true,
      },
      { key: 'storage_state', label: 'Cookies and local storage', kind: 'json', seldom: true },
      { key: 'headers', label: 'Headers', kind: 'json', seldom: true },
      ...PACE,
    ],
  },
  http: {
    label: 'Any HTTP API',
    description:
      'An agent with an API of its own: you say what a request looks like and where the answer holds the reply.',
    fields: [
      {
        key: 'url',
        label: 'Address',
        kind: 'text',
        required: true,
        placeholder: 'https://agents.example.org/chat',
        help: 'Path and query may hold {{message}} and {{session_id}}. Anyone with a service key can see the path: put secrets into headers.',
      },
      { key: 'method', label: 'Method', kind: { choice: ['POST', 'GET', 'PUT', 'PATCH'] }, help: 'Default: POST.' },
      {
        key: 'body',
        label: 'Body',
        kind: 'json',
        placeholder: '{ "message": "{{message}}", "session": "{{session_id}}" }',
        help: 'JSON with {{message}}, {{session_id}}, {{history}} (the turns so far) or {{messages}} (those and the new message). In quotes, for a content type of text or XML.',
      },
      {
        key: 'reply_path',
        label: 'Where the reply is',
        kind: 'text',
        placeholder: 'data.reply',
        help: 'JMESPath, such as choices[0].message.content. Left empty, the whole answer is the reply.',
      },
      {
        key: 'session_id_path',
        label: 'Where the session id is',
        kind: 'text',
        placeholder: 'data.session_id',
        help: 'For agents that name the session themselves. Left empty, {{session_id}} is made by the service.',
      },
      { key: 'api_key', label: 'API key', kind: 'secret', help: 'Sent as Authorization: Bearer.' },
      { key: 'headers', label: 'Headers', kind: 'json', placeholder: '{ "X-Tenant": "clinic" }' },
      REPLY_FORMAT,
      {
        key: 'stream_reply_path',
        label: 'Where the reply is in an event',
        kind: 'text',
        placeholder: 'choices[0].delta.content',
        help: 'For answers in events; the pieces are joined. Left empty, the same place as above.',
        seldom: true,
      },
      {
        key: 'stream_text',
        label: 'Event content',
        kind: { choice: ['pieces', 'cumulative'] },
        help: 'Default: pieces, which are joined. Cumulative: each event repeats everything so far, and the last one counts.',
        seldom: true,
      },
      {
        key: 'end_path',
        label: 'End condition',
        kind: 'text',
        placeholder: "state == 'closed'",
        help: 'JMESPath that is true in the agent’s last answer. If empty, the agent never ends the conversation.',
        seldom: true,
      },
      {
        key: 'message_format',
        label: 'Names in {{history}} and {{messages}}',
        kind: 'json',
        placeholder: '{ "role": "role", "content": "content", "user": "user", "assistant": "assistant" }',
        seldom: true,
      },
      ...PACE,
    ],
  },
};

export const PROVIDER_FORMS: readonly ProviderForm[] = Object.entries(FORMS).map(([provider, form]) => ({
  provider,
  ...form,
}));

export function providerForm(provider: string): ProviderForm | null {
  return PROVIDER_FORMS.find((form) => form.provider === provider) ?? null;
}
