import { randomUUID } from 'node:crypto';
import type { HeardCall } from '../heard-acts';
import { AgentEndpoint, type EndpointParts } from '../outbound/agent-endpoint';
import { ChatMessages } from '../chat-messages';
import { AgentHungUp, ProviderError } from '../errors';
import { AnswerReader, type HeardAnswer } from './answer-reader';
import { readHttpAgentConfig, type HttpAgentConfig } from './http-agent-config';
import { RequestTemplate } from './request-template';
import { OneAtATime } from '../one-at-a-time';
import {
  Provider,
  type AgentConfig,
  type Availability,
  type Branching,
  type ConnectRequest,
  type Json,
  type Reply,
  type Session,
} from '../provider';
import { isReadable, nothingSaid, replyText, requireNoPage } from '../reply-text';
import { Secrets } from '../secrets/secrets';

/**
 * Any agent behind HTTP: the config says what a request looks like and where the answer holds the reply. The config also says
 * where the conversation is kept: with the agent, under a session id, or in the harness, which sends the history along.
 */
export class HttpAgentProvider extends Provider {
  override readonly kind = 'http';
  override readonly resumable = true;

  constructor(private readonly parts: EndpointParts) {
    super();
  }

  override availability(): Availability {
    return { available: true };
  }

  /** An agent that keeps the conversation under a session id keeps the turns that a fork leaves out, too. */
  override branching(config: AgentConfig): Branching {
    return new RequestTemplate(readHttpAgentConfig(config)).usesSession ? 'never' : 'transcript';
  }

  override async connect({
    config,
    history,
    continuation,
    assureOwnership,
    ...request
  }: ConnectRequest): Promise<Session> {
    const settings = readHttpAgentConfig(config);
    const template = new RequestTemplate(settings);
    const secrets = request.secrets ?? Secrets.of(config);
    const named = typeof continuation === 'string' && continuation !== '' ? continuation : null;
    if (history.length > 0 && template.usesSession && named === null) {
      throw new ProviderError(
        'internal',
        'The session id of the last turn is missing, so the conversation cannot continue.',
      );
    }
    const endpoint = new AgentEndpoint(this.parts, {
      url: settings.url.url,
      headers: {},
      credential: credentialOf(settings),
      pace: settings,
      secrets,
      terminalCode: () => null,
      assureOwnership,
      traceHeaders: request.traceHeaders,
    });
    const conversation = new ChatMessages(settings.message_format);
    for (const { patientMessage, agentMessage } of template.usesHistory ? history : []) {
      await conversation.add('user', patientMessage);
      await conversation.add('assistant', agentMessage);
    }
    const sessionId = named ?? (settings.session_id_path === undefined ? randomUUID() : null);
    const { onAnswer } = request;
    const reader = new AnswerReader(settings, secrets, onAnswer);
    return new HttpAgentSession(endpoint, settings, template, secrets, conversation, reader, sessionId);
  }
}

/** Endpoints with the same headers and key share a limit, and so do those with the same query, where some servers want the key. */
function credentialOf({ headers, api_key, url }: HttpAgentConfig): string {
  return JSON.stringify([api_key ?? null, Object.entries(headers), url.url.search]);
}

class HttpAgentSession implements Session {
  readonly greeting = null;
  private readonly messages = new OneAtATime();

  constructor(
    private readonly endpoint: AgentEndpoint,
    private readonly config: HttpAgentConfig,
    private readonly template: RequestTemplate,
    private readonly secrets: Secrets,
    private readonly conversation: ChatMessages,
    private readonly reader: AnswerReader,
    /** Null until the agent has named one. */
    private sessionId: string | null,
  ) {}

  send(message: string, signal: AbortSignal): Promise<Reply> {
    return this.messages.pass(signal, async (ending) => {
      const { config, template, conversation, sessionId } = this;
      const { value, latencyMs, tries } = await this.endpoint.call(
        () => template.filledWith({ message, conversation, sessionId }),
        (response) => this.reader.read(response),
        ending,
      );
      if (value.hasEnded && !isReadable(value.text)) throw new AgentHungUp(true, value.acts ?? null);
      const continuation = this.sessionAfter(value);
      requireNoPage(value.text, config.reply_format, this.secrets);
      const content = replyText(value.text, this.whereLooked(value.acts?.calls ?? []));
      this.sessionId = continuation ?? this.sessionId;
      if (template.usesHistory) {
        await conversation.add('user', message);
        await conversation.add('assistant', content);
      }
      const facts = {
        ...(continuation === null ? {} : { session_id: continuation }),
        ...(tries === 1 ? {} : { tries }),
        ...(value.usage === null ? {} : { usage: value.usage }),
      };
      return {
        content,
        latencyMs,
        continuation,
        metadata: this.secrets.removeFromRecord(facts),
        ...(value.acts && { acts: value.acts }),
        ...(value.hasEnded && { endsConversation: true }),
      };
    });
  }

  async close(): Promise<void> {
    this.messages.close();
  }

  metadata(): Readonly<Record<string, Json>> {
    return {};
  }

  /** The id that the next message is sent under; the agent's newest where it names them. */
  private sessionAfter({ sessionId: named }: HeardAnswer): string | null {
    const { session_id_path: path } = this.config;
    if (path === undefined) return this.template.usesSession ? this.sessionId : null;
    const next = named ?? this.sessionId;
    if (next !== null || !this.template.usesSession) return next;
    throw new ProviderError(
      'provider_error',
      `The agent's answer holds no session id at session_id_path ${path.text}, so the conversation cannot continue.`,
    );
  }

  private whereLooked(calls: readonly HeardCall[]): string {
    const { reply_path: path } = this.config;
    const where = path === undefined ? 'Its answer is empty.' : `Its answer has nothing at reply_path ${path.text}.`;
    const tools = calls.map(({ name }) => name);
    return tools.length === 0 ? where : `${where} ${nothingSaid(tools, '')}`;
  }
}
