import { CurlLineError } from './curl-line-error';
import type { CurlRequest } from './curl-request';
import { isSessionName, MESSAGE, MESSAGE_NAMES, placeByName, placeSample, placeSession } from './message-place';

const METHODS = ['POST', 'GET', 'PUT', 'PATCH'];
const JSON_TYPE = /^[\w.-]+\/([\w.-]+\+)?json\b/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

export interface CurlOptions {
  /** The text of the line that the patient's message replaces. */
  readonly message?: string | undefined;
  readonly replyPath?: string | undefined;
  readonly sessionPath?: string | undefined;
  /** False: session ids of the line stay as they are. */
  readonly replacesSession: boolean;
}

export interface AgentFromCurl {
  readonly config: Readonly<Record<string, unknown>>;
  /** Where the patient's message goes. */
  readonly messageAt: string;
  readonly sessionAt: readonly string[];
  readonly remarks: readonly string[];
}

/** The config of an agent that is called as the line calls it. @throws CurlLineError */
export function agentFromCurl(request: CurlRequest, options: CurlOptions): AgentFromCurl {
  const { method, maxSeconds } = request;
  if (!METHODS.includes(method))
    throw new CurlLineError(`The line sends ${method.slice(0, 20)}: POST, GET, PUT or PATCH can be sent.`);
  const remarks = [...request.remarks];
  const headers = new Map(request.headers);
  const body = method === 'GET' ? undefined : bodyOf(request, headers, remarks);
  if (method === 'GET' && request.body !== null) remarks.push('The body is left out: a GET request has none.');
  const query = request.url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '');

  const inBody = options.message === undefined ? placeByName(body) : placeSample(body, options.message);
  const inQuery = inBody === null ? placeInQuery(query, options.message) : null;
  if (inBody === null && inQuery === null) {
    throw new CurlLineError(
      options.message === undefined
        ? 'Which part of the line is the message? Say (message, --message) which text of the line stands for what a patient says.'
        : 'The text that was given as the message does not occur in the body or the query of the line.',
    );
  }
  let template = inBody?.template ?? body;
  let pairs = inQuery?.pairs ?? query;
  const sessionAt: string[] = [];
  if (options.replacesSession) {
    const session = placeSession(template);
    template = session.template;
    sessionAt.push(...session.where);
    pairs = pairs.map((pair) => {
      const name = nameOf(pair);
      if (!isSessionName(name) || pair.includes('{{')) return pair;
      sessionAt.push(`the query’s ${name}`);
      return `${pair.slice(0, pair.indexOf('='))}={{session_id}}`;
    });
    for (const name of headers.keys()) {
      if (!isSessionName(name)) continue;
      headers.set(name, '{{session_id}}');
      sessionAt.push(`the header ${name}`);
    }
  }
  const { origin, pathname } = request.url;
  const search = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (bearer !== undefined) headers.delete('authorization');
  if (headers.get('accept') === '*/*') headers.delete('accept');
  const config = {
    url: origin + pathname + search,
    ...(method !== 'POST' && { method }),
    ...(bearer !== undefined && { api_key: bearer }),
    ...(headers.size > 0 && { headers: Object.fromEntries(headers) }),
    ...(template !== undefined && { body: template }),
    ...(inBody?.messageFormat && { message_format: inBody.messageFormat }),
    ...replyOf(options.replyPath, pathname, template),
    ...(options.sessionPath !== undefined && { session_id_path: options.sessionPath }),
    ...(maxSeconds !== null && { turn_timeout_ms: Math.min(3_600_000, Math.ceil(maxSeconds * 1_000)) }),
  };
  return { config, messageAt: inBody?.where ?? inQuery?.where ?? '', sessionAt, remarks };
}

const CHAT_COMPLETIONS = /\/chat\/completions\/?$/;

/** Where the reply is: as the caller says, or where every server of chat completions has it. */
function replyOf(path: string | undefined, pathname: string, template: unknown): Readonly<Record<string, string>> {
  if (path !== undefined) return { reply_path: path };
  if (!CHAT_COMPLETIONS.test(pathname)) return {};
  const streams = typeof template === 'object' && template !== null && Reflect.get(template, 'stream') === true;
  return streams ? { stream_reply_path: 'choices[0].delta.content' } : { reply_path: 'choices[0].message.content' };
}

/** The body as a template: JSON and forms as objects, anything else as text. */
function bodyOf({ body }: CurlRequest, headers: Map<string, string>, remarks: string[]): unknown {
  if (body === null) return undefined;
  const type = headers.get('content-type') ?? '';
  const json = jsonOrUndefined(body);
  if (JSON_TYPE.test(type)) {
    if (json === undefined)
      throw new CurlLineError('The body of the line is not JSON, though its content type says so: check its quotes.');
    if (/^application\/json\s*(;|$)/i.test(type)) headers.delete('content-type');
    return json;
  }
  if (!FORM_TYPE.test(type)) return body;
  if (typeof json === 'object' && json !== null) {
    remarks.push('The line sends JSON without saying so: it is sent as application/json.');
    headers.delete('content-type');
    return json;
  }
  const fields: Record<string, string | string[]> = {};
  const form = new URLSearchParams(body);
  for (const name of new Set(form.keys())) {
    const all = form.getAll(name);
    fields[name] = all.length === 1 ? (all[0] ?? '') : all;
  }
  return fields;
}

function placeInQuery(pairs: readonly string[], sample: string | undefined): { pairs: string[]; where: string } | null {
  const isPlace = (pair: string): boolean =>
    sample === undefined ? MESSAGE_NAMES.includes(nameOf(pair)) : valueOf(pair) === sample;
  const place = pairs.findIndex(isPlace);
  const pair = pairs[place];
  if (pair === undefined) return null;
  const written = `${pair.slice(0, pair.indexOf('='))}=${MESSAGE}`;
  return { pairs: pairs.with(place, written), where: `the query’s ${nameOf(pair)}` };
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()][0] ?? '';
}

function valueOf(pair: string): string {
  return [...new URLSearchParams(pair).values()][0] ?? '';
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
