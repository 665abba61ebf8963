import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDER_KINDS, type ProviderKind } from '../../src/domain/provider-kinds';
import {
  configFieldsOf,
  readBrowserConfig,
  readLiveKitConfig,
  readMediaStreamConfig,
  readOpenAiConfig,
  readPipecatConfig,
  readVapiConfig,
} from '../../src/agents/config';
import { ProviderError } from '../../src/agents/errors';
import { readHttpAgentConfig } from '../../src/agents/http/http-agent-config';
import { isAddressField } from '../../src/agents/outbound/addresses';
import type { AgentConfig } from '../../src/agents/provider';
import { isSecretName } from '../../src/agents/secrets/secret-names';
import { providerForm } from '../../web/src/agents/config-fields';

const textOf = (...path: string[]): string => readFileSync(join(__dirname, '..', '..', ...path), 'utf8');
const README = textOf('README.md');
const PROVIDERS = textOf('docs', 'providers.md');

/** What is wrong with a config, which may lack other fields too; empty when nothing is. */
function problemsOf(kind: ProviderKind, config: AgentConfig): string {
  try {
    READERS[kind](config);
    return '';
  } catch (error) {
    if (error instanceof ProviderError) return error.message;
    throw error;
  }
}

const READERS: Readonly<Record<ProviderKind, (config: AgentConfig) => unknown>> = {
  openai: readOpenAiConfig,
  vapi: readVapiConfig,
  livekit: readLiveKitConfig,
  pipecat: readPipecatConfig,
  browser: readBrowserConfig,
  http: readHttpAgentConfig,
  'media-stream': readMediaStreamConfig,
};

/** A text that is no URL is refused, with a complaint about this field; any URL is taken. */
function takesOnlyUrls(kind: ProviderKind, field: string): boolean {
  const complains = (value: string): boolean =>
    new RegExp(`\\b${field} (?!is missing)`).test(problemsOf(kind, { [field]: value }));
  return complains('no address') && !complains('https://agent.example.org');
}

const names = (text: string, field: string): boolean => new RegExp(`\\b${field}\\b`).test(text);

/** The README names these once for all kinds, below its table. */
const SAID_FOR_ALL = ['turn_timeout_ms', 'max_retries', 'requests_per_minute'];

describe.each(PROVIDER_KINDS)('every field of an agent of the kind %s', (kind) => {
  const fields = configFieldsOf(kind);

  it('is in the page’s form, which has no others', () => {
    const shown = providerForm(kind)?.fields.map(({ key }) => key) ?? [];
    expect([...shown].sort()).toEqual([...fields].sort());
  });

  it('is in the README', () => {
    const row = README.split('\n').find((line) => line.startsWith(`| \`${kind}\``)) ?? '';
    expect(fields.filter((field) => !SAID_FOR_ALL.includes(field) && !names(row, field))).toEqual([]);
    expect(SAID_FOR_ALL.filter((field) => !names(README, field))).toEqual([]);
  });

  it('is in the documentation of providers', () => {
    expect(fields.filter((field) => !names(PROVIDERS, field))).toEqual([]);
  });

  it('is shown as a secret, or as JSON whose values are masked, exactly if its name says that it holds one', () => {
    const shown = providerForm(kind)?.fields ?? [];
    const secrets = shown.filter((field) => field.kind === 'secret');
    const unrecognised = secrets
      .flatMap(({ key, aliases = [] }) => [key, ...aliases])
      .filter((name) => !isSecretName(name));
    expect(unrecognised).toEqual([]);
    const recognised = shown.filter(({ key }) => isSecretName(key));
    expect(recognised.filter((field) => field.kind !== 'secret' && field.kind !== 'json')).toEqual([]);
  });

  it('is listed as an address exactly if it takes a URL and nothing else', () => {
    const addresses = fields.filter((field) => takesOnlyUrls(kind, field));
    expect(fields.filter((field) => isAddressField(kind, field))).toEqual(addresses);
  });

  it('is listed as an address if its name says so', () => {
    const named = fields.filter((field) => /(^|_)(url|uri|base|address|host|server|endpoint|origin)$/.test(field));
    expect(named.filter((field) => !isAddressField(kind, field))).toEqual([]);
  });
});
