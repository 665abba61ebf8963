import type { ProviderKind } from '../src/domain';

/** How a field is entered: a secret is masked wherever a config is shown. */
export type ConfigFieldKind =
  'text' | 'secret' | 'long' | 'number' | 'switch' | 'json' | { readonly choice: readonly string[] };

/** One field of an agent's config, by its name in snake_case; the camelCase spelling is read too. */
export interface ConfigField {
  readonly label: string;
  readonly kind: ConfigFieldKind;
  readonly required?: boolean;
  readonly help?: string;
  readonly placeholder?: string;
  /** Other names under which it may be given. */
  readonly aliases?: readonly string[];
  /** Determines where the agent's secrets are sent: when it leads elsewhere, stored secrets must be entered again. */
  readonly isAddress?: true;
  /** The address when none is given. */
  readonly defaultAddress?: string;
  /** Rarely needed. */
  readonly seldom?: boolean;
}

export interface AgentKind {
  readonly label: string;
  readonly description: string;
  /** In the order in which they are entered. */
  readonly fields: Readonly<Record<string, ConfigField>>;
}

const PACE = {
  turn_timeout_ms: { label: 'Reply timeout, in ms', kind: 'number', placeholder: '30000', seldom: true },
  max_retries: { label: 'Retries', kind: 'number', placeholder: '4', seldom: true },
  requests_per_minute: {
    label: 'Requests per minute',
    kind: 'number',
    placeholder: 'no limit',
    help: 'Shared by every run against this agent.',
    seldom: true,
  },
} as const;

const AUTO_CLEANUP = {
  auto_cleanup: {
    label: 'Delete the room afterwards',
    kind: 'switch',
    help: 'On by default.',
    seldom: true,
  },
} as const;

const END_TOOLS = {
  end_tools: {
    label: 'Tools that end the conversation',
    kind: 'json',
    placeholder: '["end_call"]',
    help: 'Names of the agent’s tools: calling one of them hangs up.',
    seldom: true,
  },
} as const;

const LEAVING_ENDS = {
  leaving_ends_conversation: {
    label: 'Leaving the room ends the conversation',
    kind: 'switch',
    help: 'Only for agents that leave for no other reason. Off by default.',
    seldom: true,
  },
} as const;

const REPLY_FORMAT = {
  reply_format: {
    label: 'Reply format',
    kind: { choice: ['text', 'html'] },
    help: 'Default: text. A web page in place of a reply then counts as an error of the server in front of the agent.',
    seldom: true,
  },
} as const;

/** The kinds of agents that the service examines, and the config of each. */
export const AGENT_KINDS = {
  openai: {
    label: 'OpenAI-compatible',
    description: 'Any chat completions API, including your own server.',
    fields: {
      base_url: {
        isAddress: true,
        defaultAddress: 'https://api.openai.com/v1',
        label: 'Address',
        kind: 'text',
        placeholder: 'https://api.openai.com/v1',
        help: 'The part before /chat/completions.',
      },
      model: { label: 'Model', kind: 'text', aliases: ['target_model'] },
      api_key: {
        label: 'API key',
        kind: 'secret',
        help: 'Left empty, the service’s OPENAI_API_KEY is sent, if it has one and the address is the vendor’s or in OPENAI_API_KEY_HOSTS.',
      },
      system_prompt: { label: 'System prompt', kind: 'long' },
      temperature: { label: 'Temperature', kind: 'number', seldom: true },
      max_tokens: { label: 'Max tokens per reply', kind: 'number', seldom: true },
      headers: { label: 'Headers', kind: 'json', placeholder: '{ "X-Tenant": "clinic" }', seldom: true },
      ...REPLY_FORMAT,
      ...END_TOOLS,
      reports_tool_calls: {
        label: 'The agent reports all its tool calls',
        kind: 'switch',
        help: 'An answer without tool_calls then means that no tool was called; otherwise it is not known. Off by default.',
        seldom: true,
      },
      ...PACE,
    },
  },
  vapi: {
    label: 'Vapi',
    description: 'An assistant on the Vapi voice platform, through its chat API.',
    fields: {
      api_key: { label: 'Private API key', kind: 'secret', required: true },
      assistant_id: { label: 'Assistant id', kind: 'text', required: true, aliases: ['provider_id'] },
      api_base: {
        isAddress: true,
        defaultAddress: 'https://api.vapi.ai',
        label: 'API address',
        kind: 'text',
        placeholder: 'https://api.vapi.ai',
        seldom: true,
      },
      ...REPLY_FORMAT,
      ...END_TOOLS,
      ...PACE,
    },
  },
  livekit: {
    label: 'LiveKit',
    description: 'An agent in a LiveKit room, or at a telephone number that LiveKit dials.',
    fields: {
      url: { isAddress: true, label: 'Server address', kind: 'text', required: true, placeholder: 'wss://…' },
      auth_mode: { label: 'Authentication', kind: { choice: ['api', 'token'] }, help: 'Default: api.' },
      api_key: { label: 'API key', kind: 'secret' },
      api_secret: { label: 'API secret', kind: 'secret' },
      agent_name: { label: 'Agent name', kind: 'text' },
      dispatch_mode: { label: 'Dispatch', kind: { choice: ['auto', 'explicit'] }, help: 'Default: auto.' },
      token: { label: 'Token', kind: 'secret', seldom: true },
      token_url: { isAddress: true, label: 'Token address', kind: 'text', seldom: true },
      token_headers: { label: 'Headers of the token request', kind: 'json', seldom: true },
      token_body: { label: 'Body of the token request', kind: 'json', seldom: true },
      token_field: { label: 'Field of the response that holds the token', kind: 'text', seldom: true },
      room_name: { label: 'Room name', kind: 'text', seldom: true },
      room_prefix: { label: 'Prefix of room names', kind: 'text', placeholder: 'osce', seldom: true },
      phone_number: {
        label: 'Telephone number',
        kind: 'text',
        placeholder: '+15550100',
        help: 'Dialed into the room: the agent that answers is examined, by voice only.',
        seldom: true,
      },
      sip_trunk_id: { label: 'SIP trunk that dials it', kind: 'text', placeholder: 'ST_…', seldom: true },
      ...AUTO_CLEANUP,
      ...END_TOOLS,
      ...LEAVING_ENDS,
      ...PACE,
    },
  },
  pipecat: {
    label: 'Pipecat Cloud',
    description: 'A deployed Pipecat agent, in its LiveKit room.',
    fields: {
      api_key: { label: 'API key', kind: 'secret', required: true },
      agent_name: { label: 'Agent name', kind: 'text', required: true },
      base_url: {
        isAddress: true,
        defaultAddress: 'https://api.pipecat.daily.co',
        label: 'Cloud API address',
        kind: 'text',
        seldom: true,
      },
      transport_url: {
        isAddress: true,
        label: 'LiveKit address',
        kind: 'text',
        aliases: ['livekit_url'],
        seldom: true,
      },
      transport_api_key: { label: 'LiveKit key', kind: 'secret', aliases: ['livekit_api_key'], seldom: true },
      transport_api_secret: { label: 'LiveKit secret', kind: 'secret', aliases: ['livekit_api_secret'], seldom: true },
      ...AUTO_CLEANUP,
      ...END_TOOLS,
      ...LEAVING_ENDS,
      ...PACE,
    },
  },
  browser: {
    label: 'Chat page',
    description: 'A web page with a chat, driven in a real browser.',
    fields: {
      url: { isAddress: true, label: 'Address of the page', kind: 'text', required: true, placeholder: 'https://…' },
      input_selector: { label: 'Input selector', kind: 'text', help: 'Detected automatically when left empty.' },
      send_selector: { label: 'Send button selector', kind: 'text', help: 'Detected automatically when left empty.' },
      message_selector: { label: 'Reply selector', kind: 'text', help: 'Detected automatically when left empty.' },
      end_selector: {
        label: 'End selector',
        kind: 'text',
        help: 'Matches what the page shows only once a conversation has ended. Left empty, the page never ends one.',
        seldom: true,
      },
      reply_idle_ms: { label: 'Silence that ends a reply, in ms', kind: 'number', placeholder: '2000', seldom: true },
      storage_state: { label: 'Cookies and local storage', kind: 'json', seldom: true },
      headers: { label: 'Headers', kind: 'json', seldom: true },
      ...PACE,
    },
  },
  http: {
    label: 'Any HTTP API',
    description:
      'An agent with an API of its own: you say what a request looks like and where the answer holds the reply.',
    fields: {
      url: {
        isAddress: true,
        label: 'Address',
        kind: 'text',
        required: true,
        placeholder: 'https://agents.example.org/chat',
        help: 'Path and query may hold {{message}} and {{session_id}}. Anyone with a service key can see the path: put secrets into headers.',
      },
      method: { label: 'Method', kind: { choice: ['POST', 'GET', 'PUT', 'PATCH'] }, help: 'Default: POST.' },
      body: {
        label: 'Body',
        kind: 'json',
        placeholder: '{ "message": "{{message}}", "session": "{{session_id}}" }',
        help: 'JSON with {{message}}, {{session_id}}, {{history}} (the turns so far) or {{messages}} (those and the new message). In quotes, for a content type of text or XML.',
      },
      reply_path: {
        label: 'Where the reply is',
        kind: 'text',
        placeholder: 'data.reply',
        help: 'JMESPath, such as choices[0].message.content. Left empty, the whole answer is the reply.',
      },
      session_id_path: {
        label: 'Where the session id is',
        kind: 'text',
        placeholder: 'data.session_id',
        help: 'For agents that name the session themselves. Left empty, {{session_id}} is made by the service.',
      },
      api_key: { label: 'API key', kind: 'secret', help: 'Sent as Authorization: Bearer.' },
      headers: { label: 'Headers', kind: 'json', placeholder: '{ "X-Tenant": "clinic" }' },
      ...REPLY_FORMAT,
      stream_reply_path: {
        label: 'Where the reply is in an event',
        kind: 'text',
        placeholder: 'choices[0].delta.content',
        help: 'For answers in events; the pieces are joined. Left empty, the same place as above.',
        seldom: true,
      },
      stream_text: {
        label: 'Event content',
        kind: { choice: ['pieces', 'cumulative'] },
        help: 'Default: pieces, which are joined. Cumulative: each event repeats everything so far, and the last one counts.',
        seldom: true,
      },
      end_path: {
        label: 'End condition',
        kind: 'text',
        placeholder: "state == 'closed'",
        help: 'JMESPath that is true in the agent’s last answer. If empty, the agent never ends the conversation.',
        seldom: true,
      },
      tool_calls_path: {
        label: 'Where the tool calls are',
        kind: 'text',
        placeholder: 'steps[].{ name: tool, arguments: input, result: output }',
        help: 'JMESPath to a list of { name, arguments, result }; nothing there means that no tool was called. Left empty, it is not known.',
        seldom: true,
      },
      usage_path: {
        label: 'Where the usage is',
        kind: 'text',
        placeholder: 'usage',
        help: 'JMESPath to an object with numbers such as input_tokens, output_tokens and cost_usd.',
        seldom: true,
      },
      context_path: {
        label: 'Where the retrieved context is',
        kind: 'text',
        placeholder: 'sources[].text',
        help: 'JMESPath to the pieces of text that the agent had retrieved for its reply.',
        seldom: true,
      },
      message_format: {
        label: 'Names in {{history}} and {{messages}}',
        kind: 'json',
        placeholder: '{ "role": "role", "content": "content", "user": "user", "assistant": "assistant" }',
        seldom: true,
      },
      ...PACE,
    },
  },
  'media-stream': {
    label: 'Telephone bot (media stream)',
    description: 'A server that takes calls as Twilio Media Streams carries them. It can only be spoken with.',
    fields: {
      url: {
        isAddress: true,
        label: 'Address',
        kind: 'text',
        required: true,
        placeholder: 'wss://agent.example.org/ws',
        help: 'Where Twilio’s <Stream> would connect to.',
      },
      headers: { label: 'Headers', kind: 'json', placeholder: '{ "Authorization": "Bearer …" }' },
      custom_parameters: {
        label: 'Custom parameters',
        kind: 'json',
        placeholder: '{ "clinic": "north" }',
        help: 'Sent with the start of the stream, as TwiML’s <Parameter> does.',
      },
      closing_ends_conversation: {
        label: 'Closing the stream ends the conversation',
        kind: 'switch',
        help: 'Only for agents that close it in order for no other reason. Off by default.',
        seldom: true,
      },
      ...PACE,
    },
  },
} as const satisfies Readonly<Record<ProviderKind, AgentKind>>;

/** The names of a kind's fields. */
export type ConfigFieldOf<Kind extends ProviderKind> = keyof (typeof AGENT_KINDS)[Kind]['fields'];

/** The fields of a kind by name, in the order in which they are entered; of a kind that is not known none. */
export function configFields(kind: string): ReadonlyMap<string, ConfigField> {
  return FIELDS.get(kind) ?? new Map();
}

const FIELDS: ReadonlyMap<string, ReadonlyMap<string, ConfigField>> = new Map(
  Object.entries(AGENT_KINDS).map(([kind, { fields }]) => [kind, new Map(Object.entries(fields))]),
);
