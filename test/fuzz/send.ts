import { Agent, request } from 'node:http';
import type { RawAnswer } from '../setup/api-description';
import type { FuzzRequest } from './request-arbitrary';

/** Nothing that the service does for a fuzzed request takes long; far longer than a busy machine needs. */
const ANSWER_WITHIN_MS = 20_000;

/** Sends requests as they are, which fetch would tidy up. An event stream is left as soon as it has begun. */
export class RawSender {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 20 });

  /** @param always headers that every request has besides its own */
  constructor(
    private readonly url: string,
    private readonly always: Readonly<Record<string, string>> = {},
  ) {}

  send({ method, target, headers, body }: FuzzRequest): Promise<RawAnswer> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const options = {
        agent: this.agent,
        hostname,
        port,
        method,
        path: target,
        headers: { ...headers, ...length, ...this.always },
      };
      const outgoing = request(options, (response) => {
        const status = response.statusCode ?? 0;
        const contentType = response.headers['content-type'] ?? null;
        if (contentType?.startsWith('text/event-stream')) {
          response.destroy();
          resolve({ status, contentType, text: '' });
          return;
        }
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status, contentType, text: Buffer.concat(chunks).toString() }));
        response.on('error', reject);
      });
      outgoing.on('error', (error) => {
        reject(new Error(`${method} ${target}: ${error.message}`, { cause: error }));
      });
      outgoing.setTimeout(ANSWER_WITHIN_MS, () => {
        outgoing.destroy(new Error(`No answer within ${ANSWER_WITHIN_MS} ms`));
      });
      outgoing.end(body ?? undefined);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
