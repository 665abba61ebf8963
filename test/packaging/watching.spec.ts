import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { METRICS, NAMED } from '../../src/platform/telemetry/metrics/catalogue';
import { PROMTOOL, withPromtool } from '../setup/promtool';
import { scrapeText } from '../setup/scrape';
import { startTestService } from '../setup/service';

const ROOT = join(__dirname, '..', '..');
const ALERTS = join(ROOT, 'deploy', 'prometheus', 'alerts.yaml');

const rule = z.strictObject({
  alert: z.string().regex(/^Osce[A-Z]\w+$/),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
  annotations: z.strictObject({ summary: z.string().min(20), description: z.string().min(60), runbook: z.string() }),
});
/** What several alerts, or several places of one, ask for. */
const record = z.strictObject({ record: z.string().regex(/^osce:[a-z_]+:\w+$/), expr: z.string() });
const written = z
  .strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(z.union([rule, record])) })) })
  .parse(parse(readFileSync(ALERTS, 'utf8')))
  .groups.flatMap((group) => group.rules);
const rules = written.filter((one) => 'alert' in one);
const dashboard = z
  .object({
    panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
  })
  .parse(JSON.parse(readFileSync(join(ROOT, 'deploy', 'grafana', 'agent-osce.json'), 'utf8')));

const queries = [
  ...written.map((one) => ['alert' in one ? one.alert : one.record, one.expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];
const METRIC = /\b((?:osce|nodejs|process)_\w+)(?:\{([^}]*)\})?/g;
const MATCHER = /(\w+)(=~|!~|!=|=)"([^"]*)"/g;

/** What a histogram is asked by. */
const plain = (name: string): string => {
  const base = name.replace(/_(bucket|sum|count)$/, '');
  return METRICS.some(([known, { type }]) => known === base && type === 'histogram') ? base : name;
};

describe('dashboard and alerts', () => {
  let text: string;
  beforeAll(async () => {
    const service = await startTestService({ MAX_SPEND_USD_PER_DAY: '10', ANTHROPIC_API_KEY: 'sk-ant-0123456789' });
    text = await scrapeText(service.url);
    await service.close();
  });

  it.each(queries)('%s asks for metrics that a service has: %s', (_where, expr) => {
    for (const [, name = ''] of expr.matchAll(METRIC)) {
      const known = name.startsWith('osce_') ? plain(name) : name.replace(/_(bucket|sum|count)$/, '');
      expect(text).toContain(`# TYPE ${known} `);
    }
  });

  it.each(queries)('%s asks for labels and values that exist: %s', (_where, expr) => {
    for (const [, name = '', matchers = ''] of expr.matchAll(METRIC)) {
      const labels = METRICS.find(([known]) => known === plain(name))?.[1].labels;
      for (const [, label = '', , values = ''] of matchers.matchAll(MATCHER)) {
        if (label === 'job' || labels === undefined) continue;
        const allowed = labels[label];
        expect([name, label, allowed !== undefined]).toEqual([name, label, true]);
        if (allowed === NAMED) continue;
        for (const value of values.split('|')) expect(allowed).toContain(value);
      }
    }
  });

  it('every alert has a section of its own that says what to do', () => {
    const operations = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
    for (const { alert, annotations } of rules) {
      expect(operations).toContain(`\n### ${alert}\n`);
      expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    }
  });

  it('docs/metrics.md lists what the catalogue holds; if not: npm run metrics:page', () => {
    const table = (page: string): string[] => page.split('\n').filter((line) => line.startsWith('| `osce_'));
    const written = readFileSync(join(ROOT, 'docs', 'metrics.md'), 'utf8');
    for (const [name, { help }] of METRICS)
      expect(table(written).find((line) => line.includes(`\`${name}\``))).toContain(help);
    expect(table(written)).toHaveLength(METRICS.length);
  });

  withPromtool('promtool takes the rules and a scrape: scripts/install-test-servers.sh installs it', () => {
    const promtool = PROMTOOL ?? 'promtool';
    expect(execFileSync(promtool, ['check', 'rules', ALERTS], { encoding: 'utf8' })).toContain('SUCCESS');
    // It reads all of it, and says nothing of our own metrics.
    const osce = `${text
      .split('\n')
      .filter((line) => /^(# \w+ )?osce_/.test(line))
      .join('\n')}\n`;
    expect(execFileSync(promtool, ['check', 'metrics'], { input: osce, encoding: 'utf8' })).toBe('');
  });
});
