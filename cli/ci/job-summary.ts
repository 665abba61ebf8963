import { isMustPass, missedOf, tallyMissed, isUsualPatient, patientName } from '../../src/domain';
import { movedText, movement } from '../comparison/print-comparison';
import type { Comparison, ScenarioRun } from '../connection/run-answers';
import { isOffline, percent } from '../watch/results';
import { markdownTable, markdownText } from './markdown';
import { ciVerdictOf, type CiVerdict, type RunReport } from './outcome';
import { countsOf, rateSentence } from '../watch/rate';

/** CI servers cut longer summaries off, in the middle of a table. */
const MOST_ROWS = 100;
const MOST_VIOLATIONS = 20;

const HEADINGS: Readonly<Record<CiVerdict, string>> = {
  passed: '✅ Passed',
  violation: '❌ New must-pass violation',
  worse: '❌ Worse than the baseline',
  below_bar: '❌ Below the bar',
  harmed: '❌ Not good enough',
  undecided: '⚠️ The result is undecided',
  failed: '⚠️ The run failed',
  canceled: '⚠️ The run was canceled',
};

/** The summary of an examination on the page of its job, in Markdown. */
export function jobSummary(report: RunReport): string {
  const { run, scenario_runs: scenarioRuns, comparison } = report;
  return [
    `## ${HEADINGS[ciVerdictOf(report)]}: ${markdownText(run.agent_name)}`,
    rateParagraph(report),
    ...(comparison === undefined ? [] : comparisonParagraphs(comparison)),
    ...(scenarioRuns.length === 0 ? [] : [scenarioTable(scenarioRuns)]),
    ...(isOffline(scenarioRuns)
      ? ['The patient or the judge ran on rules, not on a language model: the marks have no clinical meaning.']
      : []),
    `Run ${markdownText(run.test_run_id)}`,
    '',
  ].join('\n\n');
}

/** The summary when no run has ended. */
export function failureSummary(sentence: string): string {
  return `## ⚠️ The examination did not take place\n\n${markdownText(sentence)}\n\n`;
}

function rateParagraph({ run, fail_under: bar, scenario_runs: scenarioRuns }: RunReport): string {
  const { mustPass } = tallyMissed(scenarioRuns);
  const sentences = [
    `${rateSentence(run, (text) => `**${text}**`)}: ${countsOf(run)}.`,
    ...(bar === null ? [] : [`The bar is ${bar} %.`]),
    `Must-pass criteria missed: ${mustPass}.`,
    ...(run.error_message === null || run.error_message === undefined ? [] : [markdownText(run.error_message)]),
  ];
  return sentences.join(' ');
}

function comparisonParagraphs(comparison: Comparison): string[] {
  const { before, better, worse, sentence, new_must_pass_violations: violations, doubts } = comparison;
  const found = violations
    .slice(0, MOST_VIOLATIONS)
    .map(
      ({ scenario_name, trial, criterion, kind }) =>
        `- **New must-pass violation**: ${markdownText(scenario_name)}, trial ${trial}: ${kind === 'committed' ? 'did' : 'missed'}: ${markdownText(criterion)}`,
    );
  if (violations.length > MOST_VIOLATIONS) found.push(`- ${violations.length - MOST_VIOLATIONS} more new violations`);
  return [
    `### Compared with ${markdownText(before.agent_name)}, ${markdownText(before.test_run_id)}`,
    `${markdownText(sentence)} ${movedText(comparison)}`,
    questionTable(comparison),
    markdownText(comparison.criteria_summary.sentence),
    ...(found.length === 0 ? [] : [found.join('\n')]),
    ...(worse.length + better.length === 0 ? [] : [movedTable(comparison)]),
    ...(doubts.length === 0 ? [] : [doubts.map(({ sentence: doubt }) => `- ${markdownText(doubt)}`).join('\n')]),
  ];
}

function movedTable({ worse, better }: Comparison): string {
  const rows = [
    ...worse.map((scenario) => ({ change: 'worse', ...scenario })),
    ...better.map((scenario) => ({ change: 'better', ...scenario })),
  ];
  return withRest(
    ['Change', 'Scenario', 'Passed', 'Score'],
    rows.map(({ change, scenario_name, before, after, score_before, score_after }) => [
      change,
      markdownText(scenario_name),
      movement(before * 100, after * 100),
      movement(score_before, score_after),
    ]),
  );
}

const QUESTIONS: Readonly<Record<string, string>> = {
  passed: 'Pass rate, %',
  score: 'Mean score, %',
  must_pass: 'Must-pass violations per conversation, fewer is better',
};

/** All three, whichever the verdict rests on. */
function questionTable({ tests, grounds }: Comparison): string {
  const text = (value: number | null): string => (value === null ? '' : String(Math.round(value * 100) / 100));
  return markdownTable(
    ['', 'Before', 'After', 'Better by', '95 % interval', 'Adjusted p'],
    tests.map(({ on, before, after, difference, low, high, adjusted_p_value: p }) => [
      `${grounds.includes(on) ? '**' : ''}${QUESTIONS[on] ?? markdownText(on)}${grounds.includes(on) ? '**' : ''}`,
      text(before),
      text(after),
      text(difference),
      low === null || high === null ? '' : `${text(low)} to ${text(high)}`,
      p === null ? 'not tested' : p < 0.0001 ? '< 0.0001' : String(Number(p.toPrecision(2))),
    ]),
  );
}

/** Rows that did not pass come first: they matter most when not all rows fit. */
function scenarioTable(scenarioRuns: readonly ScenarioRun[]): string {
  const hasTrials = scenarioRuns.some(({ trial }) => trial > 1);
  const hasPatients = scenarioRuns.some(({ patient }) => !isUsualPatient(patient));
  const sorted = [...scenarioRuns].sort((one, other) => rank(one) - rank(other));
  return withRest(
    ['Verdict', 'Scenario', ...(hasTrials ? ['Trial'] : []), ...(hasPatients ? ['Patient'] : []), 'Score', 'Missed'],
    sorted.map((one) => [
      markdownText(one.status),
      markdownText(one.scenario_name),
      ...(hasTrials ? [String(one.trial)] : []),
      ...(hasPatients ? [markdownText(patientName(one.patient))] : []),
      percent(one.score_percent),
      markdownText(missedIn(one)),
    ]),
  );
}

function rank({ status }: ScenarioRun): number {
  if (status === 'failed') return 0;
  return status === 'passed' ? 2 : 1;
}

function missedIn({ error_message: error, criteria_results: results }: ScenarioRun): string {
  if (error !== null && error !== undefined) return error;
  const [first, ...others] = missedOf(results);
  if (first === undefined) return '';
  const kind = first.max_points < 0 ? 'must not: ' : isMustPass(first) ? 'must pass: ' : '';
  return `${kind}${first.criterion}${others.length === 0 ? '' : ` (and ${others.length} more)`}`;
}

function withRest(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rest = rows.length - MOST_ROWS;
  const table = markdownTable(head, rows.slice(0, MOST_ROWS));
  return rest > 0 ? `${table}\n\n${rest} more rows are in result.json.` : table;
}
