import { UsageFailure } from '../failure';

export const DEFAULT_URL = 'http://127.0.0.1:8000';

/** Where the service is, and its key. The key appears in no message and no error. */
export interface Connection {
  /** Without a slash at the end; may have a path prefix. */
  readonly url: string;
  /** Null when the service needs none. */
  readonly key: string | null;
}

export interface GivenConnection {
  /** Undefined: the usual address. */
  readonly url: string | undefined;
  readonly key: string | undefined;
}

/** @throws UsageFailure */
export function connectionFrom({ url, key }: GivenConnection): Connection {
  return { url: serviceUrl(url), key: serviceKey(key) };
}

/** @param what how messages name the setting. @throws UsageFailure */
export function serviceUrl(given: string | undefined, what = '--url (OSCE_URL)'): string {
  if (given === undefined || given.trim() === '') return DEFAULT_URL;
  let url: URL;
  try {
    url = new URL(given.trim());
  } catch {
    throw new UsageFailure(`${what} is not an address: write it like https://osce.example.org/prefix.`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageFailure(`${what} must begin with http:// or https://.`);
  }
  // An address is printed in messages; credentials must not be.
  if (url.username !== '' || url.password !== '') {
    throw new UsageFailure(`${what} must not hold a user name or password: set OSCE_API_KEY to the key.`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageFailure(`${what} is the base address of the service, without ? and #.`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function serviceKey(given: string | undefined): string | null {
  const key = given?.trim() ?? '';
  if (key === '') return null;
  // Headers allow nothing else, and fetch would quote the key in its error.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageFailure('--key (OSCE_API_KEY) holds spaces, line breaks or characters that no service key has.');
  }
  return key;
}
