import { parseArgs } from 'node:util';
import { CurlLineError } from './curl-line-error';

/** The request that a curl line sends. */
export interface CurlRequest {
  readonly method: string;
  readonly url: URL;
  /** In the order of the line; names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Null without a body. */
  readonly body: string | null;
  /** Seconds of --max-time; null without. */
  readonly maxSeconds: number | null;
  /** The parts that were not taken over, and why. */
  readonly remarks: readonly string[];
}

const text = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;
const OPTIONS = {
  request: { ...text, short: 'X' },
  url: text,
  header: { ...text, short: 'H' },
  data: { ...text, short: 'd' },
  'data-ascii': text,
  'data-binary': text,
  'data-raw': text,
  'data-urlencode': text,
  json: text,
  user: { ...text, short: 'u' },
  'oauth2-bearer': text,
  cookie: { ...text, short: 'b' },
  'user-agent': { ...text, short: 'A' },
  referer: { ...text, short: 'e' },
  'max-time': { ...text, short: 'm' },
  get: { ...flag, short: 'G' },
  head: { ...flag, short: 'I' },
  form: { ...text, short: 'F' },
  'form-string': text,
  'upload-file': { ...text, short: 'T' },
  insecure: { ...flag, short: 'k' },
  location: { ...flag, short: 'L' },
  proxy: { ...text, short: 'x' },
  'proxy-user': { ...text, short: 'U' },
  cert: { ...text, short: 'E' },
  key: text,
  cacert: text,
  resolve: text,
  config: { ...text, short: 'K' },
  // These options do not affect the request.
  output: { ...text, short: 'o' },
  'write-out': { ...text, short: 'w' },
  'dump-header': { ...text, short: 'D' },
  'cookie-jar': { ...text, short: 'c' },
  'connect-timeout': text,
  retry: text,
  'retry-delay': text,
  'retry-max-time': text,
  'limit-rate': text,
  silent: { ...flag, short: 's' },
  'show-error': { ...flag, short: 'S' },
  verbose: { ...flag, short: 'v' },
  include: { ...flag, short: 'i' },
  fail: { ...flag, short: 'f' },
  globoff: { ...flag, short: 'g' },
  'no-buffer': { ...flag, short: 'N' },
  'progress-bar': { ...flag, short: '#' },
  compressed: flag,
  'http1.1': flag,
  http2: flag,
} as const;

/** Options that the service does not support, with the remark for each. */
const REMARKS: ReadonlyMap<string, string> = new Map([
  ['insecure', '--insecure is left out: the service always checks certificates.'],
  ['location', '--location is left out: the service follows no redirects; give the final address.'],
  ['proxy', '--proxy is left out: the service connects directly.'],
  ['cert', '--cert is left out: the service has no client certificates.'],
  ['key', '--key is left out: the service has no client certificates.'],
  ['cacert', '--cacert is left out: start the service with NODE_EXTRA_CA_CERTS instead.'],
  ['resolve', '--resolve is left out: the service asks its own name server.'],
  ['config', '--config is left out: put its options on the line.'],
]);
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['form', 'multipart forms (-F) cannot be sent: JSON, url-encoded forms, text and XML can'],
  ['form-string', 'multipart forms cannot be sent: JSON, url-encoded forms, text and XML can'],
  ['upload-file', 'files (-T) cannot be sent: JSON, url-encoded forms, text and XML can'],
  ['head', 'a HEAD request (-I) has no answer to read'],
]);
/** Headers that belong to one connection, or to the browser that the line was copied from. */
const LEFT_OUT =
  /^(host|content-length|connection|transfer-encoding|te|expect|upgrade|accept-encoding|:.*|sec-.*|priority|dnt)$/;
const FORM = 'application/x-www-form-urlencoded';

/** The text of a file that a line sends; `-` is standard input. */
export type ReadFile = (path: string) => Promise<string>;

/**
 * @param words the words of the line, `curl` first
 * @throws CurlLineError, and what reading a file throws
 */
export async function curlRequest(words: readonly string[], readFile: ReadFile): Promise<CurlRequest> {
  const [program = '', ...args] = words;
  if (!/(^|\/)curl(\.exe)?$/.test(program)) throw new CurlLineError('The line must begin with curl.');
  const { values, positionals, tokens } = parseArgs({
    args,
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, readonly string[]>(
    Object.entries(values).map(([name, value]) => [name, (Array.isArray(value) ? value : [value]).map(String)]),
  );
  const last = (name: string): string | null => given.get(name)?.at(-1) ?? null;
  for (const [name, problem] of REFUSED)
    if (given.has(name)) throw new CurlLineError(`The line cannot be used: ${problem}.`);
  const unknown = [...given.keys()].filter((name) => !Object.hasOwn(OPTIONS, name));
  const remarks = [
    ...[...REMARKS].flatMap(([name, remark]) => (given.has(name) ? [remark] : [])),
    ...unknown.map((name) => `${name.length === 1 ? '-' : '--'}${name.slice(0, 40)} is left out: it is not known.`),
  ];
  const addresses = [...(given.get('url') ?? []), ...positionals];
  const url = addressOf(addresses, unknown.length > 0);
  const headers = new Map<string, string>();
  const options = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []));
  const { data, isJson } = await dataOf(options, readFile);
  if (isJson) {
    headers.set('content-type', 'application/json');
    headers.set('accept', 'application/json');
  }
  takeUser(url, last('user'), headers);
  if (last('oauth2-bearer') !== null) headers.set('authorization', `Bearer ${last('oauth2-bearer')}`);
  for (const [option, name] of [
    ['user-agent', 'user-agent'],
    ['referer', 'referer'],
  ] as const) {
    const value = last(option);
    if (value !== null) headers.set(name, value);
  }
  for (const cookie of given.get('cookie') ?? []) {
    if (cookie.includes('=')) headers.set('cookie', [headers.get('cookie'), cookie].filter(Boolean).join('; '));
    else remarks.push('--cookie with a file is left out: give the cookies themselves.');
  }
  for (const line of given.get('header') ?? []) takeHeader(line, headers);
  const isGet = given.has('get');
  if (isGet && data !== null) url.search = [url.search, data].filter((part) => part !== '').join('&');
  const body = isGet ? null : data;
  if (body !== null && !headers.has('content-type')) headers.set('content-type', FORM);
  const method = (last('request') ?? (body === null ? 'GET' : 'POST')).toUpperCase();
  const seconds = Number(last('max-time'));
  return { method, url, headers, body, maxSeconds: seconds > 0 ? seconds : null, remarks };
}

function addressOf(addresses: readonly string[], isAmbiguous: boolean): URL {
  const [only, ...others] = isAmbiguous ? addresses.filter((address) => /[/.:]/.test(address)) : addresses;
  if (only === undefined) throw new CurlLineError('The line names no address.');
  if (others.length > 0) {
    throw new CurlLineError(
      'The line names several addresses, or has an option that is not known before one: leave one.',
    );
  }
  const complete = /^[a-z][a-z\d+.-]*:\/\//i.test(only) ? only : `http://${only}`;
  if (!URL.canParse(complete) || !/^https?:/i.test(complete)) {
    throw new CurlLineError("The line's address is no http or https address.");
  }
  const url = new URL(complete);
  url.hash = '';
  return url;
}

/** `-u name:password`, or the same in the address. */
function takeUser(url: URL, user: string | null, headers: Map<string, string>): void {
  const inAddress = url.username === '' ? null : `${decoded(url.username)}:${decoded(url.password)}`;
  url.username = '';
  url.password = '';
  const credential = user ?? inAddress;
  if (credential !== null) headers.set('authorization', `Basic ${Buffer.from(credential).toString('base64')}`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** `Name: value` sets a header, `Name:` removes it, `Name;` sends an empty one. */
function takeHeader(line: string, headers: Map<string, string>): void {
  const at = line.indexOf(':', 1);
  const name = (at < 0 ? line.replace(/;$/, '') : line.slice(0, at)).trim().toLowerCase();
  const value = at < 0 ? '' : line.slice(at + 1).trim();
  if (name === '' || LEFT_OUT.test(name)) return;
  if (value === '') headers.delete(name);
  else headers.set(name, value);
}

interface Option {
  readonly name: string;
  readonly value?: string | undefined;
}

/** The data of all -d options and their variants, joined as curl joins them; null without any. */
async function dataOf(
  options: readonly Option[],
  readFile: ReadFile,
): Promise<{ data: string | null; isJson: boolean }> {
  let data: string | null = null;
  let isJson = false;
  for (const { name, value = '' } of options) {
    if (!/^(data|data-ascii|data-binary|data-raw|data-urlencode|json)$/.test(name)) continue;
    const piece = await pieceOf(name, value, readFile);
    isJson ||= name === 'json';
    data = data === null ? piece : `${data}${name === 'json' ? '' : '&'}${piece}`;
  }
  return { data, isJson };
}

async function pieceOf(name: string, value: string, readFile: ReadFile): Promise<string> {
  if (name === 'data-raw') return value;
  if (name === 'data-urlencode') return urlEncoded(value, readFile);
  if (!value.startsWith('@')) return value;
  const content = await readFile(value.slice(1));
  // As in curl, only these two remove line breaks from a file.
  return name === 'data' || name === 'data-ascii' ? content.replace(/[\r\n]/g, '') : content;
}

/** `content`, `=content`, `name=content`, `@file` or `name@file`. */
async function urlEncoded(value: string, readFile: ReadFile): Promise<string> {
  const at = value.search(/[=@]/);
  if (at < 0) return encodeURIComponent(value);
  const content = value.charAt(at) === '@' ? await readFile(value.slice(at + 1)) : value.slice(at + 1);
  return `${at === 0 ? '' : `${value.slice(0, at)}=`}${encodeURIComponent(content)}`;
}
