import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { METRICS, NAMED } from '../src/platform/telemetry/metrics/catalogue';

export const METRICS_PAGE = join(__dirname, '..', 'docs', 'metrics.md');

const BEGIN = '<!-- Made from src/platform/telemetry/metrics/catalogue.ts by npm run metrics:page. -->';
const END = '<!-- Until here. -->';

/** The page with its table as the catalogue says it. */
export async function metricsPage(page = readFileSync(METRICS_PAGE, 'utf8')): Promise<string> {
  const before = page.slice(0, page.indexOf(BEGIN) + BEGIN.length);
  const after = page.slice(page.indexOf(END));
  const rows = METRICS.map(([name, { type, help, labels, scope }]) => {
    const listed = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${valuesOf(label, values)}`);
    const whole = scope === 'service' ? `${help} **The same on every process: take the largest.**` : help;
    return `| \`${name}\` | ${type} | ${listed.join('; ')} | ${whole} |`;
  });
  const table = ['| metric | type | labels | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
  const config = await resolveConfig(METRICS_PAGE);
  return format(`${before}\n\n${table}\n\n${after}`, { ...config, filepath: METRICS_PAGE });
}

function valuesOf(label: string, values: readonly string[]): string {
  if (values === NAMED) return label === 'version' ? 'of the service' : 'as the settings name it';
  return values.join(', ');
}

if (require.main === module) {
  void metricsPage().then((page) => writeFileSync(METRICS_PAGE, page));
}
