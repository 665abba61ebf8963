import { createHmac, randomBytes } from 'node:crypto';
import { Injectable, Optional } from '@nestjs/common';
import { codeOf, OriginConnections } from '../../agents/outbound';
import { REMOVED, Removal } from '../../agents';
import { formsOf, MIN_LENGTH } from '../../agents/secrets';
import { VERSION } from '../../platform/config';
import { ProxyFailure } from '../../platform/egress';
import { bodyOf, HttpCall, isSuccess, type RawResponse, type Received } from '../../platform/outbound';
import { TargetGuard, TargetRefusal } from '../../platform/targets';
import { type CallOutcome, Metrics, silentMetrics } from '../../platform/telemetry';

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A signing secret, as Standard Webhooks write it. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

interface SignedHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** A new one beside the one before it, so that receivers may change over in their own time. */
export const BOTH_SECRETS_HOURS = 24;

/**
 * The headers by which a receiver knows who sent a body, and when.
 * @param secrets each makes a signature: a receiver accepts any that its own secret makes
 * @param id of the message, the same in every attempt
 */
function signed(secrets: readonly string[], id: string, at: Date, body: string): SignedHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** How long receivers are waited for, in milliseconds; tests shorten it. */
export class WebhookTimes {
  readonly answersWithinMs: number = 10_000;
}

/** Only the status of an answer counts; its beginning is shown to help find why an attempt failed. */
const MAX_ANSWER_BYTES = 16 * 1_024;
const SHOWN_CHARACTERS = 200;

export interface WebhookMessage {
  readonly url: string;
  /** All that the message is signed with. */
  readonly secrets: readonly string[];
  readonly id: string;
  readonly body: string;
}

/** What came back; `error` is a sentence, null when the receiver took it. */
export interface Receipt {
  readonly statusCode: number | null;
  readonly error: string | null;
  /** The beginning of the answer; null when there is none to show. */
  readonly excerpt: string | null;
}

/** One attempt to tell a webhook: a POST that is bounded in time, follows no redirect, and goes where TARGETS lets it. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly guard: TargetGuard,
    private readonly times: WebhookTimes,
    @Optional() private readonly metrics: Metrics = silentMetrics,
  ) {}

  /** @throws the signal's reason when it is aborted */
  async send({ url, secrets, id, body }: WebhookMessage, signal: AbortSignal): Promise<Receipt> {
    const { origin, pathname, search } = new URL(url);
    const headers = {
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'user-agent': `agent-osce/${VERSION}`,
      ...signed(secrets, id, new Date(), body),
    };
    // The address is checked when it is connected to: a name may lead elsewhere than when it was saved.
    const connections = new OriginConnections(origin, this.guard);
    const ended = this.metrics.callBegan({ to: 'webhook', kind: 'http', call: 'delivery' });
    let outcome: CallOutcome = 'canceled';
    try {
      const client = connections.acquire();
      const { answersWithinMs } = this.times;
      const received = await callOnce(answersWithinMs, signal, (call) =>
        client.dispatch({ method: 'POST', path: pathname + search, headers, body }, call),
      );
      outcome = outcomeOf(received);
      const late = `The receiver did not answer within ${answersWithinMs / 1_000} s.`;
      return receiptOf(received, late, [...secrets, ...secretPartsOf(new URL(url)), ...this.guard.egress.secrets]);
    } finally {
      ended(outcome);
      await connections.destroy();
    }
  }
}

function callOnce(
  withinMs: number,
  signal: AbortSignal,
  dispatch: (call: HttpCall) => void,
): Promise<Received | 'late'> {
  return new Promise((resolve, reject) => {
    const settled = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const call = new WebhookCall((received) => {
      settled();
      resolve(received);
    });
    const onAbort = (): void => {
      settled();
      call.giveUp();
      reject(signal.reason instanceof Error ? signal.reason : new Error('The process stops.'));
    };
    const timer = setTimeout(() => {
      settled();
      call.giveUp();
      resolve('late');
    }, withinMs);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort);
    dispatch(call);
  });
}

class WebhookCall extends HttpCall {
  constructor(private readonly onReceived: (received: Received) => void) {
    super(MAX_ANSWER_BYTES);
  }

  giveUp(): void {
    this.abort(new Error('The attempt was given up.'));
  }

  protected received(outcome: Received): void {
    this.onReceived(outcome);
  }
}

function outcomeOf(received: Received | 'late'): CallOutcome {
  if (received === 'late') return 'timed_out';
  if (received.kind === 'broken') return received.error instanceof TargetRefusal ? 'misconfigured' : 'unreachable';
  const { status } = received.response;
  if (isSuccess(status)) return 'ok';
  return status >= 500 ? 'failed' : 'refused';
}

function receiptOf(received: Received | 'late', late: string, secrets: readonly string[]): Receipt {
  if (received === 'late') return { statusCode: null, error: late, excerpt: null };
  if (received.kind === 'broken') return { statusCode: null, error: reasonOf(received), excerpt: null };
  const { status } = received.response;
  const excerpt = excerptOf(received.response, secrets);
  return { statusCode: status, error: isSuccess(status) ? null : refusalOf(status), excerpt };
}

function reasonOf({ error, began }: { readonly error: Error; readonly began: boolean }): string {
  if (error instanceof TargetRefusal || error instanceof ProxyFailure) return error.message;
  return began
    ? `The receiver broke off in the middle of its answer (${codeOf(error)}).`
    : `The receiver cannot be reached (${codeOf(error)}).`;
}

function refusalOf(status: number): string {
  if (status >= 300 && status < 400) {
    return `The receiver answered ${status}, a redirect, which is not followed: give the webhook the address that it leads to.`;
  }
  return `The receiver answered ${status}.`;
}

/**
 * The parts of an address that may be all that lets a message in, as written and decoded: its path with the query and without,
 * since a server that knows no such path says it back, the long parts of the path, and the values of the query.
 */
function secretPartsOf({ href, pathname, search, searchParams }: URL): readonly string[] {
  const whole = [href, pathname + search, pathname].filter((part) => part.length >= SECRET_PATH);
  const parts = pathname.split('/').filter((part) => part.length >= SECRET_PART);
  const raw = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  const values = [...raw, ...searchParams.values()].filter((value) => value.length >= SECRET_VALUE);
  return [...whole, ...parts, ...values].flatMap((part) => [part, decoded(part)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `/x` is no secret. */
const SECRET_PATH = 5;
/** Shorter ones are words, such as `deliveries` and `osce`. */
const SECRET_PART = 12;
const SECRET_VALUE = 8;

/** The receiver knows the secret and the address, and may repeat them in its answer. */
function excerptOf(response: RawResponse, secrets: readonly string[]): string | null {
  const said = bodyOf(response).toString('utf8');
  // As texts, JSON, HTML and addresses write them; long ones first, also where the end of the text cuts them off.
  const forms = [...new Set([...secrets, ...secrets.flatMap(formsOf)])];
  const removal = new Removal(forms.filter(({ length }) => length >= MIN_LENGTH));
  const text = forms.reduce((left, form) => left.replaceAll(form, REMOVED), removal.from(said)).trim();
  return text === '' ? null : text.slice(0, SHOWN_CHARACTERS);
}
