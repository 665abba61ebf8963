import { HostPattern } from '../../platform/config/host-name';

/** The deployment's OPENAI_API_KEY, for agents that name no key of their own. */
export interface DefaultOpenAiKey {
  readonly key: string;
  /** OPENAI_API_KEY_HOSTS: hosts besides the vendor's own that it may be sent to. */
  readonly hosts: readonly string[];
}

/** https://platform.openai.com/docs/guides/your-data: regions have subdomains of it. */
const VENDOR = /^https:\/\/([a-z]+\.)?api\.openai\.com$/;

/** Whether the key may be sent there: whoever may create an agent chooses its address, and must not gain the key that way. */
export function mayReceive({ hosts }: DefaultOpenAiKey, { origin, hostname, port, protocol }: URL): boolean {
  if (VENDOR.test(origin)) return true;
  const host = {
    name: hostname.replace(/\.$/, ''),
    port: Number(port === '' ? (protocol === 'http:' ? 80 : 443) : port),
  };
  return hosts.some((text) => HostPattern.of(text)?.matches(host) ?? false);
}

/** What to do about a server that requires a key but was not sent one. */
export function withheldSentence({ host }: URL): string {
  return (
    `OPENAI_API_KEY is not sent to ${host}, which is neither the vendor's own host nor named in OPENAI_API_KEY_HOSTS: ` +
    "set api_key in the agent's config, or name the host there."
  );
}
