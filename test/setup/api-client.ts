import { brokenPromise } from './promised-answers';

/** An answer of the service; `body` is parsed JSON, or the text when it is no JSON, or null when there is none. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Tests say by their expectations what they expect of it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Real HTTP, the way a client would write it. Every answer is one that the description of the API promises. */
export class ApiClient {
  constructor(
    readonly url: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send('GET', path, { headers });
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.sendJson('POST', path, body);
  }

  patch(path: string, body?: unknown): Promise<Answer> {
    return this.sendJson('PATCH', path, body);
  }

  put(path: string, body?: unknown): Promise<Answer> {
    return this.sendJson('PUT', path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path, {});
  }

  /** For what the others are too well-behaved to send. */
  async send(method: string, path: string, { headers, ...init }: RequestInit): Promise<Answer> {
    const sent = new Headers({ ...this.headers, ...Object.fromEntries(new Headers(headers)) });
    const response = await fetch(this.url + path, { method, headers: sent, redirect: 'manual', ...init });
    const text = await response.text();
    const { status } = response;
    const contentType = response.headers.get('content-type');
    const problem = brokenPromise(method, path, { status, contentType, text });
    if (problem !== null) throw new Error(problem);
    const isJson = contentType?.startsWith('application/json') ?? false;
    return {
      status,
      headers: response.headers,
      body: text === '' ? null : isJson ? JSON.parse(text) : text,
    };
  }

  private sendJson(method: string, path: string, body: unknown): Promise<Answer> {
    if (body === undefined) return this.send(method, path, {});
    const headers = { 'content-type': 'application/json' };
    return this.send(method, path, { headers, body: JSON.stringify(body) });
  }
}
