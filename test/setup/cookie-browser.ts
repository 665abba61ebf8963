import { PUBLIC_URL } from './identity-provider';

const MOST_STEPS = 20;

/** A page as a browser got it. */
export interface Visited {
  readonly url: string;
  readonly status: number;
  readonly body: string;
  readonly headers: Headers;
}

/**
 * What a browser does with redirects, cookies and forms, by plain HTTP. It knows the service by two addresses, as a person behind a proxy does: what is
 * asked of the public one goes to the service.
 */
export class CookieBrowser {
  private readonly jars = new Map<string, Map<string, string>>();
  /** What the service has set, as it wrote it. */
  readonly setCookies: string[] = [];

  constructor(
    private service: string,
    private readonly publicUrl = PUBLIC_URL,
  ) {}

  /** The same browser at another process of the service. */
  goesTo(service: string): void {
    this.service = service;
  }

  cookie(name: string): string | undefined {
    return this.jars.get(this.publicUrl)?.get(name);
  }

  putCookie(name: string, value: string): void {
    this.jarOf(this.publicUrl).set(name, value);
  }

  /** One request, without following a redirect. @param at a path of the service, or a whole address */
  async send(
    method: string,
    at: string,
    more: { headers?: Record<string, string>; body?: string } = {},
  ): Promise<Visited> {
    const url = new URL(at, this.publicUrl);
    const jar = this.jarOf(url.origin);
    const asked = url.origin === this.publicUrl ? this.service + url.pathname + url.search : url.href;
    const response = await fetch(asked, {
      method,
      redirect: 'manual',
      headers: {
        ...(jar.size > 0 && { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...more.headers,
      },
      ...(more.body !== undefined && { body: more.body }),
    });
    for (const line of response.headers.getSetCookie()) {
      if (url.origin === this.publicUrl) this.setCookies.push(line);
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return { url: url.href, status: response.status, body: await response.text(), headers: response.headers };
  }

  /** A request of the page's own script. */
  async ask(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
    const visited = await this.send(method, path, {
      headers: { 'sec-fetch-site': 'same-origin', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const parsed: Record<string, unknown> = visited.body === '' ? {} : JSON.parse(visited.body);
    return { status: visited.status, body: parsed };
  }

  /** Follows redirects, up to `until`, which is not asked for. */
  async visit(at: string, until: (url: URL) => boolean = () => false): Promise<Visited> {
    let visited = await this.send('GET', at);
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const location = visited.headers.get('location');
      if (visited.status < 300 || visited.status >= 400 || location === null) return visited;
      const next = new URL(location, visited.url);
      if (until(next)) return { ...visited, url: next.href };
      visited = await this.send('GET', next.href);
    }
    throw new Error(`More than ${MOST_STEPS} redirects, the last to ${visited.url}.`);
  }

  /** Fills in the provider's forms, and goes on to where it sends the browser. @param until as for `visit` */
  async signIn(login: string, returnTo = '/', until: (url: URL) => boolean = () => false): Promise<Visited> {
    let visited = await this.visit(`/auth/sign-in?return_to=${encodeURIComponent(returnTo)}`, until);
    for (let form = 0; form < 3 && /<form/.test(visited.body) && !until(new URL(visited.url)); form += 1) {
      const action = /<form[^>]* action="([^"]+)"/.exec(visited.body)?.[1] ?? '';
      const prompt = /name="prompt" value="(\w+)"/.exec(visited.body)?.[1] ?? '';
      const body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) }).toString();
      const answer = await this.send('POST', new URL(action, visited.url).href, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
      const next = new URL(answer.headers.get('location') ?? '', answer.url);
      visited = until(next) ? { ...answer, url: next.href } : await this.visit(next.href, until);
    }
    return visited;
  }

  private jarOf(origin: string): Map<string, string> {
    const jar = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, jar);
    return jar;
  }
}
