import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDER_KINDS } from '../../src/domain/provider-kinds';
import { configFieldsOf } from '../../src/agents/config';
import { providerForm } from '../../web/src/agents/config-fields';

const textOf = (...path: string[]): string => readFileSync(join(__dirname, '..', '..', ...path), 'utf8');
const README = textOf('README.md');
const PROVIDERS = textOf('docs', 'providers.md');

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
});
