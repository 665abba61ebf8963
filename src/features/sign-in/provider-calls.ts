import type { CustomFetchOptions } from 'openid-client';
import { Agent, fetch, type Dispatcher } from 'undici';
import { tunnelConnector, type Egress } from '../../platform/egress';

/** Discovery documents and key sets are a few kilobytes. */
const MAX_BODY_BYTES = 1024 * 1024;
const CONNECT_WITHIN_MS = 5_000;
const TOO_MANY_REQUESTS = 429;

/** The provider did not serve: it was out of reach, or it said that it cannot now. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway';
}

/**
 * A `fetch` for the client of OpenID Connect. The issuer is the operator's own setting, as the addresses of language models are: so the rules for
 * targets that clients register do not hold for it, and the forward proxy does. Redirects are not followed, and no more than a bound is read.
 */
export class ProviderCalls {
  private readonly direct = new Agent({ connect: { timeout: CONNECT_WITHIN_MS } });
  private readonly proxied = new Map<string, Agent>();

  constructor(private readonly egress: Egress) {}

  readonly fetch = async (url: string, { method, headers, body, signal }: CustomFetchOptions): Promise<Response> => {
    const sent = body instanceof URLSearchParams ? body.toString() : body;
    if (sent !== undefined && sent !== null && typeof sent !== 'string') {
      throw new TypeError('Only text is sent to a provider of identities.');
    }
    let received;
    try {
      received = await fetch(url, {
        ...{ method, headers, redirect: 'manual', dispatcher: this.dispatcherFor(new URL(url)) },
        ...(sent !== undefined && sent !== null && { body: sent }),
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      throw new ProviderAway(reasonOf(error), { cause: error });
    }
    const { status } = received;
    if (status >= 500 || status === TOO_MANY_REQUESTS) {
      await received.body?.cancel();
      throw new ProviderAway(`it answered ${status}`);
    }
    const text = await boundedText(received.body).catch((error: unknown) => {
      throw error instanceof ProviderAway ? error : new ProviderAway(reasonOf(error), { cause: error });
    });
    return new Response(status === 204 ? null : text, { status, headers: [...received.headers] });
  };

  /** Ends calls in flight. */
  async close(): Promise<void> {
    await Promise.all([this.direct, ...this.proxied.values()].map((agent) => agent.destroy()));
  }

  private dispatcherFor({ protocol, hostname, port }: URL): Dispatcher {
    const proxy = this.egress.proxyFor(protocol, hostname, Number(port || (protocol === 'https:' ? 443 : 80)));
    if (proxy === null) return this.direct;
    const known = this.proxied.get(proxy.variable) ?? new Agent({ connect: tunnelConnector(proxy) });
    this.proxied.set(proxy.variable, known);
    return known;
  }
}

async function boundedText(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new ProviderAway('its answer is longer than a megabyte');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** undici says `fetch failed`, and its cause says why. */
function reasonOf(error: unknown): string {
  const inner = typeof error === 'object' && error !== null && 'cause' in error && error.cause ? error.cause : error;
  if (typeof inner !== 'object' || inner === null) return 'no connection';
  if ('code' in inner && typeof inner.code === 'string') return inner.code;
  return 'message' in inner && typeof inner.message === 'string' && inner.message !== ''
    ? inner.message
    : 'no connection';
}
