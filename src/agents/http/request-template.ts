import { ownTurn } from '../../platform/concurrency';
import { isHeaderValue } from '../config-fields';
import { ProviderError } from '../errors';
import type { EndpointRequest } from '../outbound/agent-endpoint';
import { TemplateFault, type Piece, type Placeholder, isList, piecesOf, wholePlaceholder } from '../placeholders';
import type { HttpAgentConfig } from './http-agent-config';
import {
  filled,
  isUnknownSession,
  textPieces,
  FormBody,
  TextBody,
  type BodyTemplate,
  type Values,
  textFor,
} from './text-body';

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

/**
 * @param contentType of the config's headers; without one an object is JSON, and text is plain text
 * @throws TemplateFault
 */
export function bodyTemplate(template: unknown, contentType: string | undefined): BodyTemplate {
  const type = (contentType ?? (typeof template === 'string' ? 'text/plain; charset=utf-8' : 'application/json'))
    .trim()
    .toLowerCase();
  const [media = ''] = type.split(';');
  if (/^[\w.-]+\/([\w.-]+\+)?json$/.test(media.trim())) {
    if (typeof template === 'string') {
      throw new TemplateFault('must be JSON, not text that holds it: an object such as { "message": "{{message}}" }');
    }
    return new JsonBodyTemplate(template);
  }
  if (media.trim() === 'application/x-www-form-urlencoded') return new FormBody(template);
  if (/^text\/|\bxml$/.test(media.trim())) return new TextBody(template, type);
  throw new TemplateFault(
    `cannot be sent as ${media.slice(0, 60)}: JSON, application/x-www-form-urlencoded, text and XML can`,
  );
}

/** Deeper than any API's requests; the same as secrets are looked for. */
const MAX_DEPTH = 20;

const COMMA = Buffer.from(',');

/** A piece of the written JSON: literal, the inside of a string, a list of messages, or such messages among others in a list. */
type Part =
  | string
  | { readonly inside: Placeholder }
  | { readonly list: MessageList }
  | { readonly among: MessageList; readonly comma: 'before' | 'after' | 'none' };
type MessageList = 'messages' | 'history';

/**
 * A JSON body. A placeholder within a string becomes the text, escaped as JSON has it; a string that is nothing but `{{history}}`
 * or `{{messages}}` becomes the list, and within a list its messages: `[{ "role": "system", … }, "{{messages}}"]`. So no words of
 * patient or agent can become a part of the JSON around them.
 */
class JsonBodyTemplate implements BodyTemplate {
  readonly contentType = 'application/json';
  readonly placeholders: ReadonlySet<Placeholder>;
  private readonly parts: readonly Part[];
  /** Without the fields that are nothing but the session's id. */
  private readonly partsWithoutSession: readonly Part[];

  /** @throws TemplateFault */
  constructor(template: unknown) {
    this.parts = partsOf(template);
    this.partsWithoutSession = partsOf(withoutSession(template, 0));
    this.placeholders = new Set(this.parts.flatMap((part) => placeholdersOf(part)));
  }

  async write(values: Values): Promise<Buffer> {
    await ownTurn(values.conversation.bytes + values.message.length);
    const parts = values.sessionId === null ? this.partsWithoutSession : this.parts;
    return Buffer.concat(parts.map((part) => written(part, values)));
  }
}

function written(part: Part, values: Values): Buffer {
  if (typeof part === 'string') return Buffer.from(part);
  const listOf = (list: MessageList): Buffer =>
    values.conversation.listWith(list === 'messages' ? values.message : null);
  if ('list' in part) return listOf(part.list);
  if ('among' in part) {
    const messages = listOf(part.among).subarray(1, -1);
    if (messages.length === 0 || part.comma === 'none') return messages;
    return Buffer.concat(part.comma === 'before' ? [COMMA, messages] : [messages, COMMA]);
  }
  return Buffer.from(JSON.stringify(textFor(part.inside, values)).slice(1, -1));
}

function placeholdersOf(part: Part): readonly Placeholder[] {
  if (typeof part === 'string') return [];
  if ('inside' in part) return [part.inside];
  return ['list' in part ? part.list : part.among];
}

function partsOf(template: unknown): readonly Part[] {
  const parts: Part[] = [];
  let literal = '';
  const add = (text: string): void => void (literal += text);
  const addPart = (part: Part): void => {
    parts.push(literal, part);
    literal = '';
  };
  const walk = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH) throw new TemplateFault(`is nested more than ${MAX_DEPTH} levels deep`);
    if (typeof value === 'string') addText(value);
    else if (Array.isArray(value)) {
      add('[');
      const lists = value.map(listIn);
      value.forEach((item, at) => {
        const among = lists[at] ?? null;
        if (among !== null && at === 1 && lists[0] !== null)
          throw new TemplateFault('holds the messages twice in one list');
        if (among !== null) return addPart({ among, comma: at > 0 ? 'before' : value.length === 1 ? 'none' : 'after' });
        if (at > 1 || (at === 1 && lists[0] === null)) add(',');
        walk(item, depth + 1);
      });
      add(']');
    } else if (typeof value === 'object' && value !== null) {
      add('{');
      Object.entries(value).forEach(([key, item], at) => {
        checkName(key);
        add(`${at > 0 ? ',' : ''}${JSON.stringify(key)}:`);
        walk(item, depth + 1);
      });
      add('}');
    } else add(JSON.stringify(value) ?? 'null');
  };
  const addText = (text: string): void => {
    const pieces = piecesOf(text);
    const whole = wholePlaceholder(pieces);
    if (whole !== null && isList(whole)) return addPart({ list: whole });
    add('"');
    for (const piece of pieces) {
      if (typeof piece === 'string') add(JSON.stringify(piece).slice(1, -1));
      else if (isList(piece.placeholder)) throw new TemplateFault(notWithin(piece.placeholder));
      else addPart({ inside: piece.placeholder });
    }
    add('"');
  };
  walk(template, 0);
  return [...parts, literal];
}

function checkName(name: string): void {
  if (piecesOf(name).some((piece) => typeof piece !== 'string')) {
    throw new TemplateFault('holds a placeholder in the name of a field: only values may hold them');
  }
}

function listIn(item: unknown): MessageList | null {
  const whole = typeof item === 'string' ? wholePlaceholder(piecesOf(item)) : null;
  return whole !== null && isList(whole) ? whole : null;
}

function notWithin(list: MessageList): string {
  return `holds {{${list}}} within a longer text: it is a list, and must be the whole value, as in "messages": "{{${list}}}"`;
}

/** Before the agent has named its session, the first request says nothing of one. */
function withoutSession(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => withoutSession(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, item]) => !(typeof item === 'string' && isSession(item)));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutSession(item, depth + 1)]));
}

function isSession(text: string): boolean {
  return wholePlaceholder(piecesOf(text)) === 'session_id';
}
