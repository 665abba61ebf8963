import type { ErrorCode } from '../../domain';
import { AgentEndpoint, below, type EndpointParts } from '../outbound/agent-endpoint';
import { readVapiConfig, type VapiConfig } from '../config';
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
import { Secrets } from '../secrets/secrets';
import { readChat, saysCreditIsUsedUp, saysUnknownAssistant } from './vapi-chat';

/** Vapi's chat API. It keeps the conversation; the newest chat's id is all that another process needs to continue. */
export class VapiProvider extends Provider {
  override readonly kind = 'vapi';
  override readonly resumable = true;

  constructor(private readonly parts: EndpointParts) {
    super();
  }

  override availability(): Availability {
    return { available: true };
  }

  override branching(): Branching {
    return 'continuation';
  }

  override async connect({
    config,
    history,
    continuation,
    assureOwnership,
    ...request
  }: ConnectRequest): Promise<Session> {
    const settings = readVapiConfig(config);
    const secrets = request.secrets ?? Secrets.of(config);
    const chatId = typeof continuation === 'string' && continuation !== '' ? continuation : null;
    if (history.length > 0 && chatId === null) {
      throw new ProviderError(
        'internal',
        'The chat id of the last turn is missing, so the conversation cannot continue.',
      );
    }
    const endpoint = new AgentEndpoint(this.parts, {
      url: below(settings.api_base, 'chat'),
      headers: { authorization: `Bearer ${settings.api_key}` },
      credential: settings.api_key,
      pace: settings,
      secrets,
      terminalCode,
      assureOwnership,
      traceHeaders: request.traceHeaders,
    });
    return new VapiSession(endpoint, settings, secrets, chatId);
  }
}

function terminalCode(status: number, json: unknown): ErrorCode | null {
  if (status === 400 && saysUnknownAssistant(json)) return 'not_found';
  if (status === 429 && saysCreditIsUsedUp(json)) return 'rate_limited';
  return null;
}

class VapiSession implements Session {
  readonly greeting = null;
  private readonly messages = new OneAtATime();

  constructor(
    private readonly endpoint: AgentEndpoint,
    private readonly config: VapiConfig,
    private readonly secrets: Secrets,
    private chatId: string | null,
  ) {}

  send(message: string, signal: AbortSignal): Promise<Reply> {
    return this.messages.pass(signal, async (ending) => {
      const body = JSON.stringify({
        assistantId: this.config.assistant_id,
        input: message,
        previousChatId: this.chatId ?? undefined,
      });
      const { value, latencyMs, tries } = await this.endpoint.post(() => body, readChat, ending);
      requireNoPage(value.text, this.config.reply_format, this.secrets);
      const end = endingReply(value, this.config.end_tools);
      const content = replyText(
        value.text,
        nothingSaid(value.tools, 'Its output holds no message of the assistant with text.'),
      );
      this.chatId = value.chatId;
      const facts = { chat_id: value.chatId, ...(tries === 1 ? {} : { tries }) };
      const metadata = this.secrets.removeFromRecord(facts);
      return { content, latencyMs, continuation: value.chatId, metadata, acts: value.acts, ...end };
    });
  }

  async close(): Promise<void> {
    this.messages.close();
  }

  metadata(): Readonly<Record<string, Json>> {
    return {};
  }
}
