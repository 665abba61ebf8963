import { serviceUrl } from '../connection/address';
import { UsageFailure } from '../failure';
import type { Setting } from './setting';

/** Sources of settings: the further right, the less likely their author is the owner of the key. */
const SOURCES: readonly Setting['source'][] = ['caller', 'folder', 'repository'];
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const MOST_ORIGINS = 100;

/**
 * Why a key is not sent to an address; null when it may be: to an address from the same source as the key or a closer one, to this
 * machine, and to origins that the key's owner lists. Otherwise a folder from another author could obtain the key.
 * @param trusted the lists of origins; those from further away than the key count for nothing
 * @throws UsageFailure when a list holds something else
 */
export function refusalOfKey(key: Setting, url: Setting, trusted: readonly (Setting | null)[]): string | null {
  const beside = key.source === 'folder' ? ' in .env, beside the key' : ' beside the key';
  return refusalOf({ what: `The key (${key.from}) is`, beside, source: key.source }, url, trusted);
}

/**
 * The same for other credentials of the caller, such as an agent's: they are not sent to an address from a committed file. An address in
 * .env is fine, since keys are kept there too.
 * @param what the beginning of the sentence, with its verb
 */
export function refusalOfCredentials(what: string, url: Setting, trusted: readonly (Setting | null)[]): string | null {
  return refusalOf({ what, beside: '', source: 'folder' }, url, trusted);
}

interface Secret {
  readonly what: string;
  readonly beside: string;
  readonly source: Setting['source'];
}

function refusalOf(
  { what, beside, source }: Secret,
  url: Setting,
  trusted: readonly (Setting | null)[],
): string | null {
  const isCloser = (setting: Setting): boolean => SOURCES.indexOf(setting.source) <= SOURCES.indexOf(source);
  const origins = trusted.flatMap((list) => (list === null || !isCloser(list) ? [] : originsIn(list)));
  const { origin, hostname } = new URL(serviceUrl(url.value));
  if (isCloser(url) || LOOPBACK.test(hostname) || origins.includes(origin)) return null;
  return (
    `${what} not sent to ${origin}, the address in ${url.from}: another person may have written that file. ` +
    `If the address is right, set OSCE_URL=${serviceUrl(url.value)}${beside}, or OSCE_TRUSTED_ORIGINS=${origin}.`
  );
}

function originsIn({ value, from }: Setting): readonly string[] {
  const given = value.split(/[\s,]+/).filter((part) => part !== '');
  if (given.length > MOST_ORIGINS) throw new UsageFailure(`${from} names more than ${MOST_ORIGINS} origins.`);
  return given.map((part) => {
    const origin = URL.canParse(part) ? new URL(part).origin : 'null';
    if (/^https?:/.test(origin)) return origin;
    throw new UsageFailure(`${from} must list addresses such as https://osce.example.org, separated by commas.`);
  });
}
