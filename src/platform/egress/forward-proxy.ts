/** A forward proxy, as HTTPS_PROXY or HTTP_PROXY names it. */
export interface ForwardProxy {
  /** The setting that names it, for sentences. */
  readonly variable: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  /** The value of `Proxy-Authorization`; null when its address holds no credentials. */
  readonly authorization: string | null;
  /** What must be shown nowhere: its password, and the header made of it. */
  readonly secrets: readonly string[];
}

/** What a setting accepts; follows "must be". */
export const FORWARD_PROXY =
  'the address of an HTTP proxy, such as http://proxy.example:3128 or http://user:password@proxy.example:3128, with user and password percent-encoded';

/** `proxy.example:3128`, which curl reads as `http://proxy.example:3128`. A name alone is a slip more often than a proxy on a port of curl's choice. */
const WITHOUT_SCHEME = /^(?:[^\s/?#@]+@)?(?:[^\s/?#@:[\]]+|\[[\da-f:.]+\]):\d{1,5}\/?$/i;

/**
 * Reads an address with `http:` or `https:`, or without a scheme and with a port. Without a port it is the scheme's own.
 * @param variable the setting that names it
 * @returns null for any other text, also for a SOCKS proxy
 */
export function readForwardProxy(text: string, variable: string): ForwardProxy | null {
  const address = WITHOUT_SCHEME.test(text) ? `http://${text}` : text;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const { protocol, hostname: host, port, origin, pathname, search, hash, username, password } = new URL(address);
  if (pathname !== '/' || search !== '' || hash !== '') return null;
  const [user, word] = [decoded(username), decoded(password)];
  if (user === null || word === null) return null;
  const credentials = user === '' && word === '' ? null : Buffer.from(`${user}:${word}`).toString('base64');
  return {
    variable,
    origin,
    host,
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    authorization: credentials === null ? null : `Basic ${credentials}`,
    // Beside a password the user is none; alone it is a token.
    secrets: credentials === null ? [] : [...new Set(word === '' ? [user, username] : [word, password]), credentials],
  };
}

/** How a proxy is named in sentences and logs: without credentials. */
export function shownProxy({ host, port }: ForwardProxy): string {
  return `${host}:${port}`;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
