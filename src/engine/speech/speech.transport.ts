import { Pool } from 'undici';
import { Egress, tunnelConnector } from '../../platform/egress';

/** An answer was longer than the limit; asking again would bring the same. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/**
 * A `fetch` for the SDK that sends forms and receives sound: each call has a connection of its own, the body is received whole and within
 * a limit, so that the time limit of an attempt covers it, and redirects are not followed, since the key is for the origin it was given for.
 */
export class SpeechTransport {
  private readonly origin: string;
  private readonly pool: Pool;

  /** @param egress whether the server is reached through a proxy, which is asked for it by name: the address is the operator's own */
  constructor(
    baseUrl: string,
    private readonly mostBytes: number,
    egress: Egress = Egress.direct(),
  ) {
    const { origin, protocol, hostname, port } = new URL(baseUrl);
    this.origin = origin;
    const proxy = egress.proxyFor(protocol, hostname, Number(port || (protocol === 'https:' ? 443 : 80)));
    const limits = { headersTimeout: 0, bodyTimeout: 0 };
    this.pool = new Pool(origin, proxy === null ? limits : { ...limits, connect: tunnelConnector(proxy) });
  }

  readonly fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    if (typeof url !== 'string' || !url.startsWith(`${this.origin}/`)) {
      throw new TypeError('The transport of a speech server only calls the origin it was made for.');
    }
    // The platform writes forms as bytes, and says with which boundary.
    const request = new Request(url, { method: 'POST', body: init.body ?? '', headers: init.headers ?? {} });
    const body = Buffer.from(await request.arrayBuffer());
    const headers: Record<string, string> = { 'accept-encoding': 'identity' };
    request.headers.forEach((value, name) => {
      headers[name] = value;
    });
    const path = url.slice(this.origin.length);
    const answer = await this.pool.request({ path, method: 'POST', headers, body, signal: init.signal ?? null });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer.body) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      size += bytes.length;
      if (size > this.mostBytes) throw new AnswerTooLong('The answer is too long.');
      chunks.push(bytes);
    }
    const type = answer.headers['content-type'];
    const told = new Headers(typeof type === 'string' ? { 'content-type': type } : {});
    for (const name of ['retry-after', 'retry-after-ms', 'x-should-retry']) {
      const value = answer.headers[name];
      if (typeof value === 'string') told.set(name, value);
    }
    return new Response(Buffer.concat(chunks, size), { status: answer.statusCode, headers: told });
  };

  /** Ends calls in flight. Idempotent. */
  async close(): Promise<void> {
    if (!this.pool.destroyed) await this.pool.destroy();
  }
}
