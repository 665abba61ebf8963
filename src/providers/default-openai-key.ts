import { HostPattern } from '../config/host-name';

/** The deployment's OPENAI_API_KEY, for agents that name no key of their own. */
export interface DefaultOpenAiKey {
  readonly key: string;
  /** OPENAI_API_KEY_HOSTS: where it may go besides the vendor's own host. */
  readonly hosts: readonly string[];
}

/** https://platform.openai.com/docs/guides/your-data: regions have a name below it. */
const VENDOR = /^https:\/\/([a-z]+\.)?api\.openai\.com$/;

/** Whether the key may be sent there: whoever may create an agent names its address, and is not thereby given the key. */
export function mayReceive({ hosts }: DefaultOpenAiKey, { origin, hostname, port, protocol }: URL): boolean {
  if (VENDOR.test(origin)) return true;
  const host = {
    name: hostname.replace(/\.$/, ''),
    port: Number(port === '' ? (protocol === 'http:' ? 80 : 443) : port),
  };
  return hosts.some((text) => HostPattern.of(text)?.matches(host) ?? false);
}

/** What to do about a server that asks for a key which it was not sent. */
export function withheldSentence({ host }: URL): string {
  return (
    `OPENAI_API_KEY is not sent to ${host}, which is neither the vendor's own host nor named in OPENAI_API_KEY_HOSTS: ` +
    "set api_key in the agent's config, or name the host there."
  );
}
