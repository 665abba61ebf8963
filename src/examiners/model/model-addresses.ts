import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PUBLIC_ADDRESS, ROLES, type ModelConnection, Log, Settings, SettingsError } from '../../platform/config';
import { Egress } from '../../platform/egress';
import { ModelTransport } from './model.transport';

/** If a server takes longer, the first run will find out about it. */
const WITHIN_MS = 3_000;

/**
 * Asks each address that a setting names for its list of models, before the service takes up work. An address that answers with a
 * web page, or redirects to another server, is a mistake in the settings and aborts the start. Nothing else does: a server
 * that is down, or has no such list, may still be a model server. The vendors' own addresses are not asked.
 */
@Injectable()
export class ModelAddresses implements OnModuleInit {
  constructor(
    private readonly settings: Settings,
    private readonly log: Log,
    private readonly egress: Egress,
  ) {}

  /** @throws SettingsError */
  async onModuleInit(): Promise<void> {
    const { allowed, tester, judge } = this.settings.examiners;
    const used = [tester, judge, ...allowed.flatMap((model) => ROLES.map((role) => model[role]))];
    const byAddress = new Map<string, ModelConnection>();
    for (const connection of used) {
      if (connection === null || connection.baseUrl === null) continue;
      byAddress.set(`${connection.vendor} ${connection.baseUrl}`, connection);
    }
    await Promise.all([...byAddress.values()].map((connection) => this.check(connection)));
  }

  private async check(connection: ModelConnection): Promise<void> {
    const { addressVariable, baseUrl } = connection;
    const address = new URL(baseUrl ?? PUBLIC_ADDRESS[connection.vendor]);
    const mistake = await lookAt(connection, address, this.egress).catch((error: unknown) => {
      this.log.warn('A model server does not answer; runs that need it will fail until it does', {
        setting: addressVariable,
        host: address.host,
        error,
      });
      return null;
    });
    if (mistake !== null) throw new SettingsError(`${addressVariable} (${address.host}) ${mistake}`);
  }
}

const LOOKS_LIKE_HTML = /^\s{0,20}<(?:!doctype html|html)\b/i;

/** What the address answers, when that shows that there is no model server; null otherwise. */
async function lookAt(connection: ModelConnection, address: URL, egress: Egress): Promise<string | null> {
  const transport = new ModelTransport(address.href, egress);
  try {
    const response = await transport.fetch(listOf(connection, address), {
      headers: headersOf(connection),
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    const { status, headers } = response;
    const location = headers.get('location');
    if (status >= 300 && status < 400 && location !== null && URL.canParse(location, address.href)) {
      const { origin } = new URL(location, address.href);
      return origin === address.origin
        ? null
        : `redirects to ${origin}, and a key is not taken elsewhere: name that address.`;
    }
    // Refusals and failures come as pages from gateways in front of real servers.
    const isSettled = status < 300 || status === 404 || status === 405;
    const isPage =
      (headers.get('content-type') ?? '').includes('text/html') || LOOKS_LIKE_HTML.test(await response.text());
    return isSettled && isPage
      ? 'answers with a web page, which no model server does: name the address of its API, which mostly ends in /v1.'
      : null;
  } finally {
    await transport.close();
  }
}

function listOf({ vendor }: ModelConnection, address: URL): string {
  const base = address.origin + address.pathname.replace(/\/$/, '');
  return vendor === 'anthropic' ? `${base}/v1/models` : `${base}/models`;
}

function headersOf({ vendor, apiKey }: ModelConnection): Record<string, string> {
  if (vendor === 'openai') return { authorization: `Bearer ${apiKey}` };
  return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
}
