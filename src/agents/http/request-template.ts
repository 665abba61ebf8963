import { isHeaderValue } from '../config-fields';
import type { EndpointRequest } from '../outbound/agent-endpoint';
import { ProviderError } from '../errors';
import { bodyTemplate } from './body-template';
import type { HttpAgentConfig } from './http-agent-config';
import { TemplateFault, type Piece, type Placeholder } from '../placeholders';
import { filled, isUnknownSession, textPieces } from './text-body';
import type { BodyTemplate, Values } from './values';

const ACCEPT = 'application/json, text/event-stream;q=0.9, */*;q=0.5';

/** The request that a config describes, to be filled for each message. */
export class RequestTemplate {
  private readonly headers: readonly (readonly [name: string, pieces: readonly Piece[]])[];
  private readonly body: BodyTemplate | null;
  private readonly placeholders: ReadonlySet<Placeholder>;

  /** @throws ProviderError `config_invalid` naming the field */
  constructor(private readonly config: HttpAgentConfig) {
    const { url, headers, api_key: key, method } = config;
    this.body = bodyOf(config);
    const all = {
      accept: ACCEPT,
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(this.body === null ? {} : { 'content-type': this.body.contentType }),
      ...headers,
    };
    this.headers = Object.entries(all).map(([name, value]) => [name, textPieces(value)]);
    const inHeaders = this.headers.flatMap(([, pieces]) => pieces);
    this.placeholders = new Set([
      ...url.placeholders,
      ...(this.body?.placeholders ?? []),
      ...inHeaders.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.placeholder])),
    ]);
    if (!this.placeholders.has('message') && !this.placeholders.has('messages')) {
      throw invalid(
        method === 'GET'
          ? 'url holds no {{message}}: nothing would carry what the patient says'
          : 'body holds neither {{message}} nor {{messages}}: nothing would carry what the patient says',
      );
    }
  }

  get usesSession(): boolean {
    return this.placeholders.has('session_id');
  }

  get usesHistory(): boolean {
    return this.placeholders.has('history') || this.placeholders.has('messages');
  }

  async filledWith(values: Values): Promise<EndpointRequest> {
    const { config, body } = this;
    const headers = this.headers
      .filter(([, pieces]) => !isUnknownSession(pieces, values))
      .map(([name, pieces]) => [name, headerValue(filled(pieces, values))] as const);
    return {
      method: config.method,
      path: config.url.pathFor(values),
      headers: Object.fromEntries(headers),
      body: body === null ? null : await body.write(values),
    };
  }
}

function bodyOf({ method, body, headers }: HttpAgentConfig): BodyTemplate | null {
  if (body === undefined || body === '') return null;
  if (method === 'GET')
    throw invalid('body cannot be sent by a GET: put {{message}} into url, or choose another method');
  try {
    return bodyTemplate(body, headers['content-type']);
  } catch (error) {
    throw error instanceof TemplateFault ? invalid(`body ${error.message}`) : error;
  }
}

function invalid(problem: string): ProviderError {
  return new ProviderError('config_invalid', `The agent's config cannot be used: ${problem}.`);
}

/** An id of the agent's own may hold anything. */
function headerValue(text: string): string {
  if (isHeaderValue(text)) return text;
  throw new ProviderError('provider_error', "The session id that the agent's server named cannot stand in a header.");
}
