import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { PROMTOOL, withPromtool } from '../setup/promtool';

const ALERTS = join(__dirname, '..', '..', 'deploy', 'prometheus', 'alerts.yaml');

const rule = z.object({
  alert: z.string(),
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()),
});
const { rules } = z
  .object({ groups: z.tuple([z.object({ rules: z.array(z.union([rule, z.object({ record: z.string() })])) })]) })
  .transform(({ groups: [group] }) => ({ rules: group.rules.filter((one) => 'alert' in one) }))
  .parse(parse(readFileSync(ALERTS, 'utf8')));

/** What Prometheus has scraped, once a minute, in the notation of promtool: `1x9 _x5` is ten times 1, then nothing six times. */
type Series = Readonly<Record<string, string>>;

/** One history, and what an alert says of it: the instances that it fires for, by the minute; an empty name is an alert of the whole. */
interface Case {
  readonly what: string;
  readonly alert: string;
  readonly series: Series;
  readonly fires: Readonly<Record<number, readonly string[]>>;
}

const of = (name: string, instance: string): string => `${name}{job="agent-osce", instance="${instance}"}`;
const [A, B, C] = ['a:3000', 'b:3000', 'c:3000'] as const;
const calls = (call: string, outcome: string): string =>
  `osce_outside_call_duration_seconds_count{job="agent-osce", instance="${A}", to="agent", kind="openai", call="${call}", outcome="${outcome}"}`;
const commits = (outcome: string, instance: string): string =>
  `osce_commit_duration_seconds_count{ledger="changes", outcome="${outcome}", job="agent-osce", instance="${instance}"}`;
const answers = (status: string, instance: string): string =>
  `osce_http_request_duration_seconds_count{method="GET", status="${status}", job="agent-osce", instance="${instance}"}`;
const testRuns = (status: string): string => `osce_test_runs{status="${status}", job="agent-osce", instance="${A}"}`;
const scenarioRuns = (status: string): string =>
  `osce_scenario_runs{status="${status}", job="agent-osce", instance="${A}"}`;
/** A process that Prometheus has long known. */
const OLD: Series = { [of('up', A)]: '1x60', [of('process_start_time_seconds', A)]: '-90000x60' };
/** Scenario runs wait, and no process begins any. */
const STUCK: Series = {
  [testRuns('running')]: '1x60',
  [scenarioRuns('pending')]: '40x60',
  'osce_scenario_runs_started_total{attempt="first", job="agent-osce", instance="a:3000"}': '7x60',
  [of('osce_live_scenario_runs', A)]: '0x60',
};

const CASES: readonly Case[] = [
  {
    what: 'a process that does not answer, beside one that does',
    alert: 'OsceDown',
    series: { [of('up', A)]: '1x9 0x20', [of('up', B)]: '1x30' },
    fires: { 8: [], 11: [], 14: [A] },
  },
  {
    what: 'a service of which Prometheus finds no process any more',
    alert: 'OsceDown',
    series: { [of('up', A)]: '1x9 stale _x20', [of('up', B)]: '1x9 stale _x20' },
    fires: { 8: [], 14: [''] },
  },
  {
    what: 'a process that says that it is not ready',
    alert: 'OsceNotReady',
    series: { [of('up', A)]: '1x30', [of('osce_ready', A)]: '1x9 0x9 1x12' },
    fires: { 8: [], 14: [A], 21: [] },
  },
  {
    what: 'a process that answers scrapes without saying whether it is ready',
    alert: 'OsceNotReady',
    series: {
      [of('up', A)]: '1x30',
      [of('osce_ready', A)]: '1x9 stale _x20',
      [of('up', B)]: '1x30',
      [of('osce_ready', B)]: '1x30',
    },
    fires: { 8: [], 14: [A] },
  },
  {
    what: 'a process that does not answer at all, which OsceDown tells',
    alert: 'OsceNotReady',
    series: { [of('up', A)]: '1x9 0x20', [of('osce_ready', A)]: '1x9 stale _x20' },
    fires: { 14: [] },
  },
  {
    what: 'runs that nobody begins',
    alert: 'OsceRunsStuck',
    series: STUCK,
    fires: { 25: [''] },
  },
  {
    what: 'a run whose conversations were all begun, and that nobody goes on with',
    alert: 'OsceRunsStuck',
    series: { ...STUCK, [scenarioRuns('pending')]: '0x60', [scenarioRuns('running')]: '3x60' },
    fires: { 25: [''] },
  },
  {
    what: 'a service with nothing to do but a run that is scheduled',
    alert: 'OsceRunsStuck',
    series: {
      ...STUCK,
      [testRuns('running')]: '0x60',
      [testRuns('scheduled')]: '1x60',
      [scenarioRuns('pending')]: '0x60',
    },
    fires: { 25: [], 55: [] },
  },
  {
    what: "runs that wait for tomorrow's budget",
    alert: 'OsceRunsStuck',
    series: { ...STUCK, [of('osce_spend_today_usd', A)]: '10.02x60', [of('osce_spend_limit_usd', A)]: '10x60' },
    fires: { 25: [], 55: [] },
  },
  {
    what: 'runs that nobody begins while some of the budget is left',
    alert: 'OsceRunsStuck',
    series: { ...STUCK, [of('osce_spend_today_usd', A)]: '9.98x60', [of('osce_spend_limit_usd', A)]: '10x60' },
    fires: { 25: [''] },
  },
  {
    what: 'calls that all fail within one scrape, the first of their kind that a process makes',
    alert: 'OsceOutsideCallsFail',
    series: {
      [of('up', A)]: '_x9 1x40',
      [of('process_start_time_seconds', A)]: '_x9 540x40',
      [calls('connect', 'ok')]: '_x9 30x40',
      [calls('reply', 'key_refused')]: '_x9 30x40',
    },
    fires: { 12: [], 17: [''], 25: [] },
  },
  {
    what: 'calls that fail within one scrape in a way that none has before, after days in which none did',
    alert: 'OsceOutsideCallsFail',
    series: { ...OLD, [calls('reply', 'ok')]: '90000+1x50', [calls('reply', 'rate_limited')]: '_x19 30x30' },
    fires: { 19: [], 27: [''], 40: [] },
  },
  {
    what: 'few calls that fail among many that do not',
    alert: 'OsceOutsideCallsFail',
    series: { ...OLD, [calls('reply', 'ok')]: '90000+100x50', [calls('reply', 'unreachable')]: '_x19 30x30' },
    fires: { 27: [], 35: [] },
  },
  {
    what: 'calls that failed long ago, in a process of which Prometheus has lost sight for a while',
    alert: 'OsceOutsideCallsFail',
    series: {
      [of('up', A)]: '1x14 stale _x20 1x20',
      [of('process_start_time_seconds', A)]: '-90000x14 stale _x20 -90000x20',
      [calls('reply', 'ok')]: '100x14 stale _x20 100x20',
      [calls('reply', 'key_refused')]: '60x14 stale _x20 60x20',
    },
    fires: { 9: [], 14: [], 42: [], 45: [], 50: [] },
  },
  {
    what: 'five minutes in which PostgreSQL was away',
    alert: 'OsceRetentionFails',
    series: { [of('osce_retention_failures_total', A)]: '0x9 0+12x5 60x150' },
    fires: { 14: [], 40: [], 71: [], 74: [], 100: [] },
  },
  {
    what: 'old runs that are not deleted however often it is tried, every ten minutes',
    alert: 'OsceRetentionFails',
    series: { [of('osce_retention_failures_total', A)]: '0x9 1x9 2x9 3x9 4x9 5x9 6x9 7x9 8x9 9x9 9x60' },
    fires: { 60: [], 75: [''], 99: [''], 140: [] },
  },
  {
    what: 'one of three processes that is gone for good',
    alert: 'OsceFewerProcesses',
    series: { [of('up', A)]: '1x90', [of('up', B)]: '1x90', [of('up', C)]: '1x60 stale _x29' },
    fires: { 60: [], 70: [''] },
  },
  {
    what: 'processes that are replaced one by one, each new one beside the old ones',
    alert: 'OsceFewerProcesses',
    series: {
      [of('up', A)]: '1x62 stale _x40',
      [of('up', B)]: '1x65 stale _x40',
      [of('up', C)]: '_x60 1x40',
      [of('up', 'd:3000')]: '_x63 1x40',
    },
    fires: { 59: [], 63: [], 66: [], 75: [], 99: [] },
  },
  {
    what: 'a database that was away for two minutes, and then took all that had waited',
    alert: 'OsceCommitsFail',
    series: { [commits('failed', A)]: '3x9 40 80 80x60', [commits('committed', A)]: '0+60x70' },
    fires: { 12: [], 15: [], 16: [], 17: [], 18: [] },
  },
  {
    what: 'a database that takes no commits for a quarter of an hour',
    alert: 'OsceCommitsFail',
    series: { [commits('failed', A)]: '3x9 4+40x15 604x40' },
    fires: { 12: [], 20: [''], 30: [] },
  },
  {
    what: 'a minute in which every request was refused',
    alert: 'OsceServerErrors',
    series: { [answers('5xx', A)]: '3x9 63x60', [answers('2xx', A)]: '0+60x9 540 540+60x60' },
    fires: { 12: [], 15: [], 16: [], 17: [] },
  },
  {
    what: 'requests of which every tenth is refused',
    alert: 'OsceServerErrors',
    series: { [answers('5xx', A)]: '0+6x60', [answers('2xx', A)]: '0+54x60' },
    fires: { 5: [], 20: [''] },
  },
];

/** What an operator reads at night. */
const SENTENCES: readonly (Pick<Case, 'alert' | 'series'> & { readonly minute: number; readonly summary: string })[] = [
  {
    alert: 'OsceAttemptsRepeat',
    series: {
      'osce_scenario_runs_started_total{attempt="repeated", job="agent-osce", instance="a:3000"}': '_x5 100x4 133x50',
    },
    minute: 12,
    // Prometheus takes it for 35.36.
    summary: '35 scenario runs were begun again within 30 minutes.',
  },
  {
    alert: 'OsceFewerProcesses',
    series: { [of('up', A)]: '1x90', [of('up', B)]: '1x60 stale _x29' },
    minute: 70,
    summary: 'Prometheus finds fewer processes of Agent OSCE than for most of the last hour: 1.',
  },
];

function casesTest({ what, alert, series, fires }: Case): object {
  const firing = `count by (instance) (ALERTS{alertname="${alert}", alertstate="firing"})`;
  const promql_expr_test = Object.entries(fires).map(([minute, instances]) => ({
    expr: firing,
    eval_time: `${minute}m`,
    exp_samples: instances.map((instance) => ({
      labels: instance === '' ? '{}' : `{instance="${instance}"}`,
      value: 1,
    })),
  }));
  return { name: what, interval: '1m', input_series: inputOf(series), promql_expr_test };
}

function inputOf(series: Series): object[] {
  return Object.entries(series).map(([name, values]) => ({ series: name, values }));
}

/** What promtool says of a test in its own format. */
function checked(test: object): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'osce-alerts-'));
  try {
    // JSON is YAML too.
    const file = join(folder, 'case.yaml');
    writeFileSync(file, JSON.stringify({ rule_files: [ALERTS], evaluation_interval: '1m', tests: [test] }));
    const { status, stdout, stderr } = spawnSync(PROMTOOL ?? 'promtool', ['test', 'rules', file], { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('what the alerts make of', () => {
  for (const one of CASES) {
    withPromtool(`${one.what}: ${one.alert}`, () => {
      expect(checked(casesTest(one))).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') });
    });
  }
});

describe('what an operator reads', () => {
  for (const { alert, series, minute, summary } of SENTENCES) {
    withPromtool(summary, () => {
      const rule = rules.find((one) => one.alert === alert);
      const expected = { exp_labels: rule?.labels, exp_annotations: { ...rule?.annotations, summary } };
      const told = { eval_time: `${minute}m`, alertname: alert, exp_alerts: [expected] };
      const test = { interval: '1m', input_series: inputOf(series), alert_rule_test: [told] };
      expect(checked(test)).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') });
    });
  }
});
