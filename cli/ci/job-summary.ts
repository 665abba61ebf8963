import { isMustPass, missedOf, tallyMissed } from '../../machines/criterion-outcome';
import { isUsualPatient, patientName } from '../../machines/patient';
import type { Comparison, ScenarioRun } from '../connection/answers';
import { isOffline, percent } from '../watch/results';
import { markdownTable, markdownText } from './markdown';
import { ciVerdictOf, type CiVerdict, type RunReport } from './outcome';

/** CI servers cut longer summaries off, in the middle of a table. */
const MOST_ROWS = 100;
const MOST_VIOLATIONS = 20;

const HEADINGS: Readonly<Record<CiVerdict, string>> = {
  passed: '✅ Passed',
  violation: '❌ New must-pass violation',
  worse: '❌ Worse than the baseline',
  below_bar: '❌ Below the bar',
  harmed: '❌ Not good enough',
  undecided: '⚠️ Nothing can be said',
  failed: '⚠️ The run failed',
  canceled: '⚠️ The run was canceled',
};

/** What a job says of an examination on its own page, in Markdown. */
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

/** What a job says when no run came to an end. */
export function failureSummary(sentence: string): string {
  return `## ⚠️ The examination did not take place\n\n${markdownText(sentence)}\n\n`;
}

function rateParagraph({ run, fail_under: bar, scenario_runs: scenarioRuns }: RunReport): string {
  const counts = [`${run.passed_count} passed`, `${run.failed_count} failed`];
  if (run.error_count > 0) counts.push(`${run.error_count} ended in error`);
  if (run.canceled_count > 0) counts.push(`${run.canceled_count} canceled`);
  const graded = run.graded_pass_rate;
  const interval =
    graded === null || graded === undefined
      ? ''
      : ` (95 % interval of what was graded: ${rounded(graded.low)} to ${rounded(graded.high)} %)`;
  const { mustPass } = tallyMissed(scenarioRuns);
  const sentences = [
    `Pass rate **${run.pass_rate} %**${interval}: ${counts.join(', ')} of ${run.total_scenarios}.`,
    ...(bar === null ? [] : [`The bar is ${bar} %.`]),
    `Must-pass criteria missed: ${mustPass}.`,
    ...(run.error_message === null || run.error_message === undefined ? [] : [markdownText(run.error_message)]),
  ];
  return sentences.join(' ');
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function comparisonParagraphs(comparison: Comparison): string[] {
  const { before, scenarios, better, worse, sentence, new_must_pass_violations: violations, doubts } = comparison;
  const same = scenarios.compared - better.length - worse.length;
  const found = violations
    .slice(0, MOST_VIOLATIONS)
    .map(
      ({ scenario_name, trial, criterion, kind }) =>
        `- **New must-pass violation**: ${markdownText(scenario_name)}, trial ${trial}: ${kind === 'committed' ? 'did' : 'missed'}: ${markdownText(criterion)}`,
    );
  if (violations.length > MOST_VIOLATIONS) found.push(`- ${violations.length - MOST_VIOLATIONS} more new violations`);
  return [
    `### Compared with ${markdownText(before.agent_name)}, ${markdownText(before.test_run_id)}`,
    `${markdownText(sentence)} Of ${scenarios.compared} scenarios compared, ${worse.length} worse, ${better.length} better, ${same} the same.`,
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
  const share = (value: number): string => `${rounded(value * 100)} %`;
  return withRest(
    ['Change', 'Scenario', 'Before', 'After'],
    rows.map(({ change, scenario_name, before, after }) => [
      change,
      markdownText(scenario_name),
      share(before),
      share(after),
    ]),
  );
}

/** Those that did not pass first: where there are more than fit, they are what is looked for. */
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
