import { clampTurns, estimatedMinutes } from '../../src/domain';
import type { StartedRun, StartedSet, TestRun } from '../connection/run-answers';
import { oneLine } from '../output/harmless-text';
import type { ConditionOptions } from '../run-request';
import type { Session } from '../session';
import { pageOf } from './run-set';

/** Of a start, per scenario. */
export interface Size {
  readonly trials: number;
  readonly patients: number;
}

export function sizeOf({ trials = 1, patient = [] }: ConditionOptions): Size {
  return { trials, patients: Math.max(1, patient.length) };
}

/** In real time, so that whoever waits knows how long. */
export function callsOf(
  { total_scenarios: calls }: StartedRun,
  { max_turns: turns }: Pick<TestRun, 'max_turns'>,
): string {
  const minutes = estimatedMinutes(calls, clampTurns(turns ?? undefined));
  return `Each is a call in real time: about ${minutes.toLocaleString('en')} minutes of speech in all.`;
}

export function announce({ output }: Session, started: StartedRun, size: Size): void {
  const { test_run_id, skipped_scenario_ids: skipped = [] } = started;
  output.remark(`Run ${oneLine(test_run_id)} ${beginningOf(started)}: ${scenariosOf(started, size)}.`);
  warnOfSkipped(output, skipped);
}

export function announceSet(session: Session, started: StartedSet, size: Size): void {
  const { output } = session;
  const [first] = started.runs;
  const what = first === undefined ? 'have started' : beginningOf(first, 2);
  const each = first === undefined ? '' : `, each of ${scenariosOf(first, size)}`;
  output.remark(`${started.runs.length} runs ${what}${each}: ${pageOf(session, started)}`);
  for (const { title, test_run_id } of started.runs) output.remark(`  ${oneLine(test_run_id)}  ${oneLine(title)}`);
  warnOfSkipped(output, started.skipped_scenario_ids ?? []);
}

export function beginningOf({ status }: StartedRun, runs = 1): string {
  if (status === 'scheduled') return runs === 1 ? 'is scheduled' : 'are scheduled';
  return runs === 1 ? 'has started' : 'have started';
}

export function scenariosOf({ total_scenarios: total }: StartedRun, { trials, patients }: Size): string {
  const each = [...(patients === 1 ? [] : [`${patients} patients`]), ...(trials === 1 ? [] : [`${trials} trials`])];
  const size = each.length === 0 ? '' : `, ${each.join(' and ')} of each`;
  const scenarios = total / (trials * patients);
  return `${scenarios} ${scenarios === 1 ? 'scenario' : 'scenarios'}${size}`;
}

export function warnOfSkipped(output: Session['output'], skipped: readonly string[]): void {
  if (skipped.length > 0) output.warn(`${skipped.length} inactive scenarios were left out.`);
}
