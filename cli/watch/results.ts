import { tallyMissed, type MissedTally, isUsualPatient, patientName, tallySecondLooks } from '../../src/domain';
import type { ScenarioRun, TestRun } from '../connection/run-answers';
import { oneLine } from '../output/harmless-text';
import { tableOf, type Column } from '../output/table';
import type { Screen } from '../output/terminal';
import { countsOf, rateSentence } from './rate';
import { inOrderOfGravity, LEGEND, linesOf, trialRows, whatWentWrong } from './trial-rows';

/** The scenarios of a run as a table, with the reason why each failed. */
export function resultsTable(screen: Screen, scenarioRuns: readonly ScenarioRun[]): string {
  const { colors } = screen;
  const hasPatients = scenarioRuns.some(({ patient }) => !isUsualPatient(patient));
  const columns: Column<ScenarioRun>[] = [
    {
      title: 'Verdict',
      cell: ({ status }) => status,
      paint: (text, { status }) => paintOf(screen, status)(text),
    },
    { title: 'Scenario', cell: ({ scenario_name }) => scenario_name },
    ...(hasPatients ? [{ title: 'Patient', cell: ({ patient }: ScenarioRun) => patientName(patient) }] : []),
    { title: 'Score', cell: ({ score_percent }) => percent(score_percent), align: 'right' },
    { title: 'Turns', cell: ({ turns }) => turns, align: 'right' },
    { title: 'Missed', cell: whatWentWrong, flexible: true, paint: (text) => colors.dim(text) },
  ];
  return tableOf(screen, columns, scenarioRuns);
}

const SHOWN_WHOLE = 40;
const MOST_SHOWN = 200;

/**
 * A run of several trials gets a line for each conversation. Otherwise all scenarios of a small run are listed, and of a large one those
 * that did not pass. Errors and violations of must-pass criteria come first.
 */
export function printResults(screen: Screen, scenarioRuns: readonly ScenarioRun[]): void {
  if (scenarioRuns.some(({ trial }) => trial > 1)) printTrials(screen, scenarioRuns);
  else printOnce(screen, scenarioRuns);
  const { criteria, missed, mustPass } = tallyMissed(scenarioRuns);
  if (missed > 0) screen.line(`Missed: ${missed} of ${criteria} criteria, ${mustPass} of them must-pass.`);
  for (const line of secondLookLines(scenarioRuns)) screen.line(screen.colors.yellow(line));
}

function printTrials(screen: Screen, scenarioRuns: readonly ScenarioRun[]): void {
  const rows = trialRows(scenarioRuns);
  for (const line of linesOf(screen, rows.slice(0, MOST_SHOWN))) screen.line(line);
  const left = rows.length - MOST_SHOWN;
  if (left > 0) screen.line(`${counted(left, 'more scenario')}: osce export writes all of them.`);
  screen.line(screen.colors.dim(LEGEND));
}

function printOnce(screen: Screen, scenarioRuns: readonly ScenarioRun[]): void {
  const isSmall = scenarioRuns.length <= SHOWN_WHOLE;
  const chosen = isSmall ? scenarioRuns : scenarioRuns.filter(({ status }) => status !== 'passed');
  const shown = inOrderOfGravity(chosen.map((run) => [run]))
    .flat()
    .slice(0, MOST_SHOWN);
  if (shown.length > 0) screen.line(resultsTable(screen, shown));
  const left = scenarioRuns.length - shown.length;
  if (left > 0) screen.line(`${left} more: osce export writes all of them.`);
}

/** The reasons for a second look at a run, in words. */
export function secondLookLines(scenarioRuns: readonly ScenarioRun[]): string[] {
  const { flagged, byFlag, disputedCriteria, disputed } = tallySecondLooks(scenarioRuns);
  const flags = [...byFlag].map(([flag, count]) => `${oneLine(flag)}: ${count}`).join(', ');
  return [
    ...(flagged > 0 ? [`Flagged: ${counted(flagged, 'scenario')} (${flags}).`] : []),
    ...(disputed > 0
      ? [`Disputed: ${counted(disputedCriteria, 'criterion', 'criteria')} in ${counted(disputed, 'scenario')}.`]
      : []),
  ];
}

function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

export function paintOf({ colors }: Screen, status: string): (text: string) => string {
  if (status === 'passed') return colors.green;
  // "Complete" is neither good nor bad: the pass rate tells.
  if (status === 'completed') return (text) => text;
  return status === 'failed' ? colors.red : colors.yellow;
}

/** A cell for a percentage that may not be known. */
export function percent(value: number | null): string {
  return value === null ? '–' : `${value} %`;
}

/**
 * The final pass rate with its interval and coverage, and the counts behind it; or that there is none.
 * @param missed must-pass violations, shown beside the rate, since a good rate may hide them
 */
export function passRateLine(screen: Screen, run: TestRun, missed: MissedTally | null = null): string {
  const rate = rateSentence(run, (text) => screen.colors.bold(text));
  return `${rate}: ${countsOf(run)}${durationOf(run)}${mustPassMissed(screen, missed)}`;
}

function mustPassMissed({ colors }: Screen, missed: MissedTally | null): string {
  if (missed === null || missed.graded === 0) return '';
  return missed.mustPass === 0 ? '; must-pass missed: 0' : `; ${colors.red(`must-pass missed: ${missed.mustPass}`)}`;
}

/** ` in 12.3 s`, or nothing for a run that has not ended. */
function durationOf({ started_at, completed_at }: TestRun): string {
  const ms = Date.parse(completed_at ?? '') - Date.parse(started_at ?? '');
  if (Number.isNaN(ms)) return '';
  if (ms < 120_000) return ` in ${(ms / 1_000).toFixed(1)} s`;
  return ` in ${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** True when the patient or the judge was not a language model: then the marks have no clinical meaning. */
export function isOffline(scenarioRuns: readonly ScenarioRun[]): boolean {
  return scenarioRuns.some(({ metadata }) => metadata['offline'] === true);
}

/** How people refer to a run: its name where it has one, and its label. */
export function titleOf({ name, test_run_id }: TestRun): string {
  return name === null || name === undefined ? test_run_id : `${oneLine(name)} (${test_run_id})`;
}
