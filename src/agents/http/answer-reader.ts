import { othersTurn, ownTurn } from '../../platform/concurrency';
import { contextIn, HeardCalls, MOST_PIECES, usageNumbers, type HeardActs } from '../heard-acts';
import { parseJson } from '../agent-json';
import { ProviderError } from '../errors';
import type { Json } from '../json-value';
import { DONE } from '../last-event';
import { dataIn, isStream } from '../stream-data';
import { isErrorAnswer } from '../outbound/error-answer';
import type { HttpResponse } from '../outbound/agent-http-call';
import { errorAnswered, jsonOf, pageAnswered, quoted, printable } from '../outbound/http-refusal';
import { asksForPassword, beginsAsPage, isPageType } from '../outbound/web-page';
import { HTML_ADVICE, isReadable, MAX_REPLY_BYTES, replyTooLong } from '../reply-text';
import type { Secrets } from '../secrets/secrets';
import type { AnswerPath } from './answer-path';
import type { HttpAgentConfig } from './http-agent-config';
import { MOST_PATH_CHARACTERS, PathBudget, PathOverrun } from './path-budget';

const MOST_NAMES = 12;
const LONGEST_NAME = 40;

/** What an answer looks like from outside: names of fields, never what they hold. */
function shapeOf(value: unknown, secrets: Secrets): string {
  if (value === undefined) return 'no JSON';
  if (value === null) return 'null';
  if (typeof value === 'string') return value.trim() === '' ? 'an empty text' : 'a text';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return 'an empty list';
    const [first] = value as unknown[];
    return `a list of ${value.length}, the first of them ${Array.isArray(first) ? 'a list' : shapeOf(first, secrets)}`;
  }
  const names = Object.keys(value);
  if (names.length === 0) return 'an empty object';
  const shown = names
    .slice(0, MOST_NAMES)
    .map((name) => printable(secrets.remove(name.slice(0, 1_000))).slice(0, LONGEST_NAME));
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `an object with ${shown.join(', ')}${more}`;
}

/** What is read of one answer. */
export interface HeardAnswer {
  /** Empty when the agent said nothing. */
  readonly text: string;
  /** Null when the answer names none. */
  readonly sessionId: string | null;
  readonly hasEnded: boolean;
  /** Undefined where no path leads to any. */
  readonly acts: HeardActs | undefined;
  /** Null where the answer reports none. */
  readonly usage: ReturnType<typeof usageNumbers>;
}

/** Events of a stream that are shown to a caller who tries an agent. */
const MOST_SHOWN = 50;

const STREAM_FAILED = "The agent's stream ended in an error.";

/** Longer than any session's id. */
const MAX_SESSION_ID = 1_000;

/** Finds, in an agent's answers, what the config's paths name. */
export class AnswerReader {
  constructor(
    private readonly config: HttpAgentConfig,
    private readonly secrets: Secrets,
    private readonly onAnswer?: (answer: unknown) => void,
  ) {}

  /**
   * @throws ProviderError `provider_error` when the reply is not where it is to be found, or when a web page or an error came in its place;
   * `auth_failed` for a login page
   */
  async read(response: HttpResponse): Promise<HeardAnswer> {
    // A page is a page, whatever media type the server gives it.
    const isPage = beginsAsPage(response.text);
    if (isPage && !this.takesPage(response.text)) throw this.page(response);
    if (isStream(response) && !isPage) return this.readStream(response);
    const { reply_path, session_id_path, end_path } = this.config;
    const acts = new ActsReader(this.config);
    if (reply_path === undefined && session_id_path === undefined && end_path === undefined && !acts.isAsked) {
      return { text: this.wholeText(response), sessionId: null, hasEnded: false, ...acts.heard };
    }
    const answer = jsonOf(response, this.secrets);
    this.show(answer);
    if (isErrorAnswer(answer, reply_path?.text)) throw errorAnswered(response, this.secrets);
    const paths = new PathReader(new PathBudget());
    const hasEnded = paths.found('end_path', end_path, answer) === true;
    const sessionId = sessionIdOf(paths.found('session_id_path', session_id_path, answer));
    acts.hear(paths, answer);
    const about = { sessionId, hasEnded, ...acts.heard };
    if (reply_path === undefined) return { text: this.wholeText(response), ...about };
    const found = paths.found('reply_path', reply_path, answer);
    const text = textOf(found);
    if (text !== null) return { text, ...about };
    if (found === null && hasEnded) return { text: '', ...about };
    throw this.notFound(reply_path, found, answer, response);
  }

  /** Without a path the answer is the reply. */
  private wholeText(response: HttpResponse): string {
    const { headers, text } = response;
    const isJson = /^[^;]*\bjson\b/i.test(headers['content-type'] ?? '');
    // Some frameworks call everything a page, JSON and plain words too.
    const isCalledPage = isPageType(headers) && this.config.reply_format !== 'html' && isReadable(text);
    if (!isJson && !isCalledPage) {
      if (isErrorAnswer(jsonIn(text))) throw errorAnswered(response, this.secrets);
      return text;
    }
    const answer = isCalledPage ? jsonIn(text) : jsonOf(response, this.secrets);
    if (answer === undefined) throw this.page(response);
    if (typeof answer === 'string') return answer;
    if (isErrorAnswer(answer)) throw errorAnswered(response, this.secrets);
    throw new ProviderError(
      'provider_error',
      `The agent's answer is JSON, ${shapeOf(answer, this.secrets)}: set reply_path to where its reply is.` +
        quoted(response.text, this.secrets),
    );
  }

  private async readStream(response: HttpResponse): Promise<HeardAnswer> {
    const { session_id_path, end_path, reply_path, stream_text } = this.config;
    const path = this.config.stream_reply_path ?? reply_path;
    const field = this.config.stream_reply_path === undefined ? 'reply_path' : 'stream_reply_path';
    const paths = new PathReader(new PathBudget());
    const acts = new ActsReader(this.config);
    const isJson = acts.isAsked || [path, session_id_path, end_path].some((one) => one !== undefined);
    const texts: string[] = [];
    let sessionId: string | null = null;
    let hasEnded = false;
    let first: unknown;
    let count = 0;
    let length = 0;
    for (const { data, event } of dataIn(response)) {
      if (data.trim() === DONE) break;
      if (event === 'error') {
        const said = quoted(data, this.secrets);
        throw new ProviderError('provider_error', `${STREAM_FAILED}${said}`);
      }
      await ownTurn(data.length);
      // Many small pieces are as much work as a large one.
      if (++count % 500 === 0) await othersTurn();
      const answer = isJson ? jsonIn(data) : undefined;
      // Words that came before it are a part of a reply, and no agent is marked on a part.
      if (isErrorAnswer(isJson ? answer : jsonIn(data), path?.text)) {
        throw new ProviderError('provider_error', `${STREAM_FAILED}${quoted(data, this.secrets)}`);
      }
      if (count <= MOST_SHOWN) this.show(answer);
      first ??= answer;
      hasEnded ||= paths.found('end_path', end_path, answer) === true;
      sessionId ??= sessionIdOf(paths.found('session_id_path', session_id_path, answer));
      acts.hear(paths, answer);
      const text = path === undefined ? data : textOf(paths.found(field, path, answer));
      if (text === null) continue;
      // The last event of a cumulative stream may only say that it is over.
      if (stream_text === 'cumulative' && text.trim() !== '') {
        texts.length = 0;
        length = 0;
      }
      texts.push(text);
      length += text.length;
      // A character takes a byte at least.
      if (length > MAX_REPLY_BYTES) throw replyTooLong();
    }
    if (texts.length > 0 || hasEnded || path === undefined) {
      return { text: texts.join(''), sessionId, hasEnded, ...acts.heard };
    }
    if (count === 0) throw new ProviderError('empty_reply', "The agent's stream holds no data.");
    throw new ProviderError(
      'provider_error',
      `None of the ${count} events of the agent's stream holds text at ${field} ${path.text}; the first is ` +
        `${shapeOf(first, this.secrets)}.${quoted(response.text, this.secrets)}`,
    );
  }

  /** Whether the config says that replies are HTML, and this may be one: a login is none, whatever the config says. */
  private takesPage(text: string): boolean {
    return this.config.reply_format === 'html' && !asksForPassword(text);
  }

  private show(answer: unknown): void {
    if (this.onAnswer !== undefined && isGiven(answer)) this.onAnswer(this.secrets.removeFrom(answer));
  }

  private page(response: HttpResponse): ProviderError {
    return pageAnswered(response, this.secrets, HTML_ADVICE);
  }

  private notFound({ text }: AnswerPath, found: unknown, answer: unknown, response: HttpResponse): ProviderError {
    const what = found === null ? 'nothing' : shapeOf(found, this.secrets);
    return new ProviderError(
      'provider_error',
      `The agent's answer holds ${what} at reply_path ${text}, where its reply should be; ` +
        `the answer is ${shapeOf(answer, this.secrets)}.${quoted(response.text, this.secrets)}`,
    );
  }
}

/** Evaluates the paths of one answer, whose budget they share. */
class PathReader {
  constructor(private readonly budget: PathBudget) {}

  /** What is there; null without a path. @throws ProviderError when the paths make more of the answer than they may */
  found(field: string, path: AnswerPath | undefined, answer: unknown): unknown {
    if (path === undefined) return null;
    try {
      return path.in(answer, this.budget);
    } catch (error) {
      if (!(error instanceof PathOverrun)) throw error;
      throw new ProviderError(
        'provider_error',
        `The agent's answer is too much for ${field} ${path.text}: with it, the config's paths read and make more than ` +
          `${MOST_PATH_CHARACTERS} characters of one answer, the most the harness allows.`,
      );
    }
  }
}

/** Gathers what an answer, or the events of one, tell of what the agent did. */
class ActsReader {
  private calls = new HeardCalls();
  private context: string[] = [];
  private isContextCut = false;
  private usage: NonNullable<HeardAnswer['usage']> = {};

  constructor(
    private readonly config: Pick<HttpAgentConfig, 'tool_calls_path' | 'usage_path' | 'context_path' | 'stream_text'>,
  ) {}

  /** Whether a path leads to any of it. */
  get isAsked(): boolean {
    const { tool_calls_path, usage_path, context_path } = this.config;
    return [tool_calls_path, usage_path, context_path].some((path) => path !== undefined);
  }

  /** @param answer the whole of it, or the next event */
  hear(paths: PathReader, answer: unknown): void {
    const { tool_calls_path, usage_path, context_path, stream_text } = this.config;
    const calls = paths.found('tool_calls_path', tool_calls_path, answer);
    const pieces = paths.found('context_path', context_path, answer);
    // Later events of such a stream repeat what earlier ones told.
    if (stream_text === 'cumulative' && isTold(calls)) this.calls = new HeardCalls();
    if (stream_text === 'cumulative' && isTold(pieces)) this.context = [];
    this.calls.hear(calls);
    const { context, isCut } = contextIn(pieces);
    if (this.context.length < MOST_PIECES) this.context.push(...context);
    else this.isContextCut ||= context.length > 0;
    this.isContextCut ||= isCut;
    this.usage = { ...this.usage, ...usageNumbers(paths.found('usage_path', usage_path, answer)) };
  }

  get heard(): Pick<HeardAnswer, 'acts' | 'usage'> {
    const { calls, context, isContextCut, usage } = this;
    const { tool_calls_path, context_path } = this.config;
    const isAsked = tool_calls_path !== undefined || context_path !== undefined;
    return {
      acts: isAsked
        ? {
            calls: tool_calls_path === undefined ? null : calls.list,
            areCallsCut: calls.isCut,
            context,
            isContextCut,
          }
        : undefined,
      usage: Object.keys(usage).length === 0 ? null : usage,
    };
  }
}

/** Whether anything is there: an empty list is nothing. */
function isTold(found: unknown): boolean {
  return found !== null && !(Array.isArray(found) && found.length === 0);
}

/** What is read of JSON is what JSON can hold. */
function isGiven(answer: unknown): answer is Json {
  return answer !== undefined;
}

/** Text, a number, or a list of them, one below the other; null for anything else. */
function textOf(found: unknown): string | null {
  const lines: string[] = [];
  return addLines(found, lines) ? lines.join('\n') : null;
}

/** Every text is copied once, however deep the lists are. */
function addLines(found: unknown, lines: string[]): boolean {
  if (typeof found === 'string') lines.push(found);
  else if (typeof found === 'number' || typeof found === 'boolean') lines.push(String(found));
  else if (!Array.isArray(found)) return false;
  else if (found.length === 0) lines.push('');
  else return found.every((item) => item === null || addLines(item, lines));
  return true;
}

function sessionIdOf(found: unknown): string | null {
  if (typeof found === 'number') return String(found);
  if (typeof found !== 'string' || found === '') return null;
  if (found.length <= MAX_SESSION_ID) return found;
  throw new ProviderError('provider_error', `The agent's session id is longer than ${MAX_SESSION_ID} characters.`);
}

/** Undefined when it is none. */
function jsonIn(data: string): unknown {
  // What an answer of JSON begins with, so that plain words cost nothing.
  if (!/^\s*["[{\d\-tfn]/.test(data)) return undefined;
  try {
    return parseJson(data);
  } catch {
    return undefined;
  }
}
