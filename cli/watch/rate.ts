import type { TestRun } from '../connection/run-answers';

/** The fields of a run from which its rate is computed. */
export type RatedRun = Pick<
  TestRun,
  | 'status'
  | 'passed_count'
  | 'failed_count'
  | 'error_count'
  | 'canceled_count'
  | 'total_scenarios'
  | 'pass_rate'
  | 'graded_pass_rate'
>;

/** The share of a run's conversations that passed, as far as it is known. All numbers in percent. */
export type Rate =
  | {
      readonly kind: 'known';
      /** Share of the graded conversations, with its 95 % interval; null where the service gives none. */
      readonly graded: { readonly value: number; readonly low: number; readonly high: number } | null;
      /** Share of all conversations, graded or not: a bar is compared with it. */
      readonly ofAll: number;
      /** How much of the run was graded. */
      readonly coverage: number;
    }
  /** No rate: a share of the conversations that happened to end says nothing about the agent. */
  | { readonly kind: 'none'; readonly why: string };

const OVER = ['completed', 'failed'];

export function rateOf(run: RatedRun): Rate {
  const { status, passed_count: passed, failed_count: failed, total_scenarios: total } = run;
  if (status === 'canceled') return { kind: 'none', why: 'No result: the run was canceled' };
  if (!OVER.includes(status)) return { kind: 'none', why: 'No result yet' };
  if (passed + failed === 0) return { kind: 'none', why: 'No result: nothing was graded' };
  const coverage = ((passed + failed) / Math.max(1, total)) * 100;
  return { kind: 'known', graded: run.graded_pass_rate ?? null, ofAll: run.pass_rate, coverage };
}

/** The counts behind the rate: `33 passed, 147 failed of 180`. */
export function countsOf(run: RatedRun): string {
  const counts = [`${run.passed_count} passed`, `${run.failed_count} failed`];
  if (run.error_count > 0) counts.push(`${run.error_count} ended in error`);
  if (run.canceled_count > 0) counts.push(`${run.canceled_count} canceled`);
  return `${counts.join(', ')} of ${run.total_scenarios}`;
}

/** The rate with its interval, and with how much of the run it is about. @param strong marks the number itself */
export function rateSentence(run: RatedRun, strong: (text: string) => string): string {
  const rate = rateOf(run);
  if (rate.kind === 'none') return strong(rate.why);
  const { graded, ofAll, coverage } = rate;
  const covered = `coverage ${rounded(coverage)} %`;
  if (graded === null) return `Pass rate ${strong(`${ofAll} %`)} of all (interval not known, ${covered})`;
  const interval = `95 % interval ${rounded(graded.low)} to ${rounded(graded.high)} %`;
  if (coverage >= 100) return `Pass rate ${strong(`${rounded(graded.value)} %`)} (${interval}, ${covered})`;
  return `Pass rate ${strong(`${rounded(graded.value)} %`)} of what was graded (${interval}, ${covered}), ${ofAll} % of all`;
}

/** For a cell: `18.3 % (13.3–24.6)`, `no result`, or `–` while there is none to expect yet. */
export function rateCell(run: RatedRun): string {
  const rate = rateOf(run);
  if (rate.kind === 'none') return isUnderWay(run) ? '–' : 'no result';
  const { graded, ofAll } = rate;
  return graded === null ? `${ofAll} %` : `${rounded(graded.value)} % (${rounded(graded.low)}–${rounded(graded.high)})`;
}

function isUnderWay({ status }: RatedRun): boolean {
  return status !== 'canceled' && !OVER.includes(status);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
