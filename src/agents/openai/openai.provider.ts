import { AgentEndpoint, below, type EndpointParts } from '../outbound/agent-endpoint';
import { ChatMessages } from '../chat-messages';
import { readOpenAiConfig, type OpenAiConfig } from '../config';
import { mayReceive, withheldSentence, type DefaultOpenAiKey } from '../secrets/service-secrets';
import { endingReply, nothingSaid, replyText, requireNoPage } from '../reply-text';
import { ProviderError } from '../errors';
import { OneAtATime } from '../one-at-a-time';
import {
  Provider,
  type Availability,
  type Branching,
  type ConnectRequest,
  type Json,
  type Reply,
  type Session,
} from '../provider';
import { readCompletion, refusesField, saysQuotaIsUsedUp } from './openai-completion';
import { completionIn } from './openai-stream';
import { Secrets } from '../secrets/secrets';

/** Any OpenAI-compatible chat completions API. It keeps nothing: each message carries the whole conversation. */
export class OpenAiProvider extends Provider {
  override readonly kind = 'openai';
  override readonly resumable = true;

  /** @param defaultKey used for agents whose config holds no key, where it may be sent */
  constructor(
    private readonly parts: EndpointParts,
    private readonly defaultKey: DefaultOpenAiKey | undefined,
  ) {
    super();
  }

  override availability(): Availability {
    return { available: true };
  }

  override branching(): Branching {
    return 'transcript';
  }

  override async connect({ config, history, assureOwnership, ...request }: ConnectRequest): Promise<Session> {
    const settings = readOpenAiConfig(config);
    const { defaultKey } = this;
    const isSent = defaultKey !== undefined && mayReceive(defaultKey, settings.base_url);
    const apiKey = settings.api_key ?? (isSent ? defaultKey.key : undefined);
    const withheld = apiKey === undefined && defaultKey !== undefined ? withheldSentence(settings.base_url) : null;
    const secrets = request.secrets ?? Secrets.of(config, [apiKey]);
    const headers = { ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }), ...settings.headers };
    const endpoint = new AgentEndpoint(this.parts, {
      url: below(settings.base_url, 'chat/completions'),
      headers,
      credential: `${headers.authorization ?? ''}\0${settings.headers['api-key'] ?? ''}`,
      pace: settings,
      secrets,
      terminalCode: (status, json) => (status === 429 && saysQuotaIsUsedUp(json) ? 'rate_limited' : null),
      assureOwnership,
      traceHeaders: request.traceHeaders,
    });
    const conversation = new ChatMessages();
    if (settings.system_prompt !== undefined) await conversation.add('system', settings.system_prompt);
    for (const { patientMessage, agentMessage } of history) {
      await conversation.add('user', patientMessage);
      await conversation.add('assistant', agentMessage);
    }
    return new OpenAiSession(endpoint, settings, secrets, conversation, withheld);
  }
}

class OpenAiSession implements Session {
  readonly greeting = null;
  private readonly messages = new OneAtATime();
  /** Reasoning models reject the old name; some self-hosted servers do not know the new one. */
  private limitField: 'max_completion_tokens' | 'max_tokens' = 'max_completion_tokens';

  constructor(
    private readonly endpoint: AgentEndpoint,
    private readonly config: OpenAiConfig,
    private readonly secrets: Secrets,
    private readonly conversation: ChatMessages,
    /** Why the deployment's key was not sent; null when it was, or when there is none. */
    private readonly withheld: string | null,
  ) {}

  send(message: string, signal: AbortSignal): Promise<Reply> {
    return this.messages.pass(signal, async (ending) => {
      const { value, latencyMs, tries } = await this.endpoint
        .post(
          () => this.bodyWith(message),
          (json) => readCompletion(json, this.config.reports_tool_calls),
          ending,
          (status, json) => this.renamesLimit(status, json),
          (response) => completionIn(response, this.secrets),
        )
        .catch((error: unknown) => {
          throw this.explained(error);
        });
      requireNoPage(value.text, this.config.reply_format, this.secrets);
      const end = endingReply(value, this.config.end_tools);
      const content = replyText(value.text, nothingSaid(value.tools, 'It may have met its token limit.'));
      await this.conversation.add('user', message);
      await this.conversation.add('assistant', content);
      const facts = tries === 1 ? value.facts : { ...value.facts, tries };
      const metadata = this.secrets.removeFromRecord(facts);
      return { content, latencyMs, continuation: null, metadata, acts: value.acts, ...end };
    });
  }

  async close(): Promise<void> {
    this.messages.close();
  }

  metadata(): Readonly<Record<string, Json>> {
    return {};
  }

  private explained(error: unknown): unknown {
    if (!(error instanceof ProviderError) || error.code !== 'auth_failed' || this.withheld === null) return error;
    return new ProviderError(error.code, `${this.withheld} ${error.message}`, error.disposition, {
      cause: error.cause,
    });
  }

  /** Fields that are not configured are left out: the server's own defaults are part of the agent under test. */
  private bodyWith(message: string): Promise<Buffer> {
    const { model, temperature, max_tokens } = this.config;
    return this.conversation.bodyWith({ model, temperature, [this.limitField]: max_tokens }, message);
  }

  private renamesLimit(status: number, json: unknown): boolean {
    const isRefused =
      this.config.max_tokens !== undefined &&
      this.limitField === 'max_completion_tokens' &&
      (status === 400 || status === 422) &&
      refusesField(json, this.limitField);
    if (isRefused) this.limitField = 'max_tokens';
    return isRefused;
  }
}
