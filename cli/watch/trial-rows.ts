import { isMustPass, missedOf, isUsualPatient, patientName } from '../../src/domain';
import type { ScenarioRun } from '../connection/run-answers';
import { shortened } from '../output/harmless-text';
import type { Screen } from '../output/terminal';

/** The trials of one conversation: a scenario, with one kind of patient. */
export interface TrialRow {
  readonly trials: readonly ScenarioRun[];
}

/** One mark for each trial, readable without colour: a trial that was not graded is no `✗`. */
const MARKS: Readonly<Record<string, string>> = { passed: '✓', failed: '✗', error: '!' };
const NOT_ENDED = '·';
export const LEGEND = '✓ passed  ✗ failed  ! error  · no verdict';

/** Rows in the order in which a reader should look at them: errors, then violations of must-pass criteria, then by how many failed. */
export function trialRows(scenarioRuns: readonly ScenarioRun[]): TrialRow[] {
  const rows = new Map<string, ScenarioRun[]>();
  for (const run of scenarioRuns) {
    const key = JSON.stringify([run.scenario_id, run.patient.style, run.patient.language]);
    const others = rows.get(key);
    if (others === undefined) rows.set(key, [run]);
    else others.push(run);
  }
  return inOrderOfGravity(
    [...rows.values()].map((trials) => trials.toSorted((one, other) => one.trial - other.trial)),
  ).map((trials) => ({ trials }));
}

/** Errors first, then must-pass violations, then other failures; each in the order of the run. */
export function inOrderOfGravity(rows: readonly (readonly ScenarioRun[])[]): (readonly ScenarioRun[])[] {
  return rows.toSorted((one, other) => gravityOf(one) - gravityOf(other));
}

function gravityOf(trials: readonly ScenarioRun[]): number {
  if (trials.some(({ status }) => status === 'error')) return 0;
  if (trials.some(violates)) return 1;
  const passed = trials.filter(({ status }) => status === 'passed').length;
  return 2 + passed / Math.max(1, trials.length);
}

function violates(run: ScenarioRun): boolean {
  return missedOf(run.criteria_results).some(isMustPass);
}

/** One line of a screen for each, without colour where the screen has none, and never wider than it. */
export function linesOf(screen: Screen, rows: readonly TrialRow[]): string[] {
  const { colors, width } = screen;
  const hasPatients = rows.some(({ trials: [first] }) => first !== undefined && !isUsualPatient(first.patient));
  const shown = rows.flatMap(({ trials }) => {
    const [first] = trials;
    if (first === undefined) return [];
    const name = hasPatients ? `${first.scenario_name}, ${patientName(first.patient)}` : first.scenario_name;
    return [{ trials, marks: marksOf(trials), name, score: scoreOf(trials), wrong: wrongIn(trials) }];
  });
  const marksWidth = Math.max(0, ...shown.map(({ marks }) => marks.length));
  const longest = Math.max(12, Math.floor(width * LONGEST_NAME));
  const names = shown.map(({ name }) => shortened(name, longest));
  const nameWidth = Math.max(0, ...names.map((name) => Array.from(name).length));
  return shown.map(({ trials, marks, score, wrong }, at) => {
    const name = names[at] ?? '';
    const before = `${marks.padEnd(marksWidth)}  ${name}${' '.repeat(nameWidth - Array.from(name).length)}  ${score.padStart(SCORE)}`;
    const left = width - Array.from(before).length - 2;
    const painted = before.replace(marks, () => paintOfTrials(screen, trials)(marks));
    return wrong === '' || left < LEAST_WRONG ? painted : `${painted}  ${colors.dim(shortened(wrong, left))}`;
  });
}

/** The part of the width for the name; the rest is for what went wrong. */
const LONGEST_NAME = 0.4;
const SCORE = '100 %'.length;
/** In less room a reason says nothing. */
const LEAST_WRONG = 12;

function marksOf(trials: readonly ScenarioRun[]): string {
  return trials.map(({ status }) => MARKS[status] ?? NOT_ENDED).join('');
}

function paintOfTrials({ colors }: Screen, trials: readonly ScenarioRun[]): (text: string) => string {
  if (trials.some(({ status }) => status === 'failed')) return colors.red;
  return trials.every(({ status }) => status === 'passed') ? colors.green : colors.yellow;
}

/** The mean of the graded trials. */
function scoreOf(trials: readonly ScenarioRun[]): string {
  const scores = trials.flatMap(({ score_percent: score }) => (score === null ? [] : [score]));
  if (scores.length === 0) return '–';
  return `${Math.round(scores.reduce((sum, score) => sum + score, 0) / scores.length)} %`;
}

/** Why the gravest of the trials did not pass. */
function wrongIn(trials: readonly ScenarioRun[]): string {
  const [gravest = []] = inOrderOfGravity(trials.map((run) => [run]));
  const [run] = gravest;
  return run === undefined ? '' : whatWentWrong(run);
}

/** The reason of an error; else the criterion that was missed, one that fails the scenario first. */
export function whatWentWrong(run: ScenarioRun): string {
  if (run.error_message !== null && run.error_message !== undefined) return run.error_message;
  const [missed, ...others] = missedOf(run.criteria_results);
  if (missed === undefined) return '';
  const must = isMustPass(missed) ? 'must pass: ' : '';
  const what = missed.max_points < 0 ? `must not: ${missed.criterion}` : `${must}${missed.criterion}`;
  return others.length === 0 ? what : `${what} (and ${others.length} more)`;
}
