import { Egress } from '../../platform/egress';
import { HostPattern, type TraceSettings, type Settings } from '../../platform/config';
import { decoded, secretsOfUrl } from './secret-address';
import { secretValuesOf } from './secret-values';

/** Secrets of the deployment that an agent may have got hold of: its keys, and the passwords in its addresses. */
export function serviceSecretsOf(settings: Settings): readonly string[] {
  const {
    serviceKeys,
    signIn,
    secretsKeys,
    metricsToken,
    examiners,
    openaiApiKey,
    databaseUrl,
    natsUrl,
    tracing,
    egress,
  } = settings;
  const keys = [
    ...serviceKeys.map(({ key }) => key),
    ...secretsKeys.filter((key) => key !== 'plain'),
    ...examiners.keys,
    signIn?.clientSecret ?? null,
    metricsToken,
    openaiApiKey,
    ...collectorKeysOf(tracing),
    ...new Egress(egress).secrets,
  ].filter((key) => key !== null);
  const collector = tracing.variables['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? null;
  const addresses = [databaseUrl, natsUrl, collector, ...examiners.addresses].filter((address) => address !== null);
  return [...keys, ...addresses.flatMap(passwordOf)];
}

/** NATS takes a token in place of a user; next to a password, the user is not a secret. */
function passwordOf(address: string): readonly string[] {
  const url = new URL(address);
  if (url.password !== '') url.username = '';
  return secretsOfUrl(url);
}

/**
 * Reads `name=value`, separated by commas, as OpenTelemetry's library does. An agent of the same company may send its own spans
 * with the same key; what is no secret in an agent's headers is none here.
 */
function collectorKeysOf({ variables }: TraceSettings): readonly string[] {
  // Each by itself: the same header may have another key in the other.
  return ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'].flatMap((name) => {
    const pairs = (variables[name] ?? '').split(',').map((pair) => pair.replace(/;.*$/s, ''));
    const headers = pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, Math.max(at, 0)).trim(), decoded(pair.slice(at + 1).trim())] as const;
    });
    return secretValuesOf({ headers: Object.fromEntries(headers) });
  });
}

/** The deployment's OPENAI_API_KEY, for agents that name no key of their own. */
export interface DefaultOpenAiKey {
  readonly key: string;
  /** OPENAI_API_KEY_HOSTS: hosts besides the vendor's own that it may be sent to. */
  readonly hosts: readonly string[];
}

/** https://platform.openai.com/docs/guides/your-data: regions have subdomains of it. */
const VENDOR = /^https:\/\/([a-z]+\.)?api\.openai\.com$/;

/** Whether the key may be sent there: a caller who may create an agent chooses its address, and must not gain the key that way. */
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
