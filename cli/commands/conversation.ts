import {
  actsSummary,
  callText,
  isUsualPatient,
  patientName,
  earlyEndIn,
  earlyEndSentence,
  outcomeOf,
  flagsOf,
} from '../../src/domain';
import type { AgentActs, CriterionResult, ScenarioRun, ScenarioRunDetail } from '../connection/run-answers';
import { findNamed } from '../find-named';
import { findRun } from '../named-resources';
import { printFields } from '../output/fields';
import { harmlessLines, oneLine, shortened } from '../output/harmless-text';
import type { Screen } from '../output/terminal';
import type { Session } from '../session';
import { paintOf, percent } from '../watch/results';

/** Shows one scenario run of a run: what was said, and each criterion with its mark and its evidence. */
export async function printConversation(
  { api, output }: Session,
  run: string,
  scenario: string,
  trial: number | null,
): Promise<void> {
  const { id } = await findRun(api, run);
  const all = await api.scenarioRuns(id);
  const ofTrial = trial === null ? all : all.filter((one) => one.trial === trial);
  const listed = findNamed(ofTrial, scenario, {
    noun: 'scenario of this run',
    plural: 'scenarios of this run',
    listCommand: `osce runs show ${oneLine(run)}`,
    id: (one) => one.id,
    name: ({ scenario_name }) => scenario_name,
    tellApart: tellApart(all),
  });
  const detail = await api.scenarioRun(listed.id);
  output.answer(detail, (screen) => {
    printHead(screen, detail);
    for (const entry of detail.transcript) {
      const speaker = entry.role === 'agent' ? screen.colors.cyan('agent  ') : screen.colors.bold('patient');
      const [first = '', ...rest] = harmlessLines(entry.content);
      screen.line(`${String(entry.turn).padStart(2)} ${speaker}  ${first}`);
      for (const line of rest) screen.line(`${' '.repeat(12)}${line}`);
      if (entry.acts !== undefined) printActs(screen, entry.acts);
    }
    printEarlyEnd(screen, detail);
    if (detail.transcript.length > 0) screen.line();
    for (const result of detail.criteria_results ?? []) printCriterion(screen, result);
  });
}

/** Which of its scenario's conversations this is; undefined when the run has only one. */
function tellApart(all: readonly ScenarioRun[]): ((one: ScenarioRun) => string) | undefined {
  const hasTrials = all.some(({ trial }) => trial > 1);
  const hasPatients = all.some(({ patient }) => !isUsualPatient(patient));
  if (!hasTrials && !hasPatients) return undefined;
  return ({ trial, patient }) =>
    [...(hasTrials ? [`trial ${trial}`] : []), ...(hasPatients ? [patientName(patient)] : [])].join(', ');
}

function printHead(screen: Screen, detail: ScenarioRunDetail): void {
  printFields(screen, [
    ['Scenario', detail.scenario_name],
    ['Trial', detail.trial > 1 ? detail.trial : null],
    ['Patient', isUsualPatient(detail.patient) ? null : patientName(detail.patient)],
    ['Id', detail.id],
    ['Verdict', detail.status],
    ['Score', detail.score_percent === null ? null : percent(detail.score_percent)],
    ['Why', detail.error_message ?? detail.grade_summary],
    ['Flags', flagsOf(detail).join(', ') || null],
  ]);
  screen.line();
}

function printEarlyEnd(screen: Screen, { metadata, turns, closing_acts }: ScenarioRunDetail): void {
  const end = earlyEndIn(metadata);
  if (end === null) return;
  const [first, ...rest] = end.unansweredMessage === null ? [] : harmlessLines(end.unansweredMessage);
  if (first !== undefined) screen.line(`   ${screen.colors.bold('patient')}  ${first}`);
  for (const line of rest) screen.line(`${' '.repeat(12)}${line}`);
  screen.line(earlyEndSentence(turns, null));
  if (closing_acts) printActs(screen, closing_acts);
}

const LONGEST_CALL = 300;

/** A line of what the agent did for a reply, and one for each of its calls. */
function printActs(screen: Screen, acts: AgentActs): void {
  const summary = actsSummary(acts);
  if (summary !== '') screen.line(screen.colors.dim(`${' '.repeat(12)}${summary}`));
  for (const call of acts.tool_calls ?? []) {
    const answered = call.result === null ? '' : ` → ${call.result}`;
    screen.line(screen.colors.dim(`${' '.repeat(14)}${shortened(callText(call) + answered, LONGEST_CALL)}`));
  }
}

const PAINTS = { good: 'passed', half: 'partial', bad: 'failed' } as const;

function printCriterion(screen: Screen, result: CriterionResult): void {
  const { decision, points, max_points, criterion, rationale, evidence, votes, disputed, check } = result;
  const paint = paintOf(screen, PAINTS[outcomeOf(result)]);
  const mark = paint(oneLine(decision).padEnd(13));
  screen.line(`${mark} ${String(points).padStart(4)} of ${max_points}  ${oneLine(criterion)}`);
  for (const { turn, quote, call } of evidence) {
    const what = call === undefined ? `: "${oneLine(quote)}"` : `, called ${shortened(quote, LONGEST_CALL)}`;
    screen.line(`${' '.repeat(14)}turn ${turn}${what}`);
  }
  if (disputed && votes)
    screen.line(screen.colors.yellow(`${' '.repeat(14)}disputed: ${votes.map(oneLine).join(', ')}`));
  if (check) screen.line(screen.colors.dim(`${' '.repeat(14)}checked by a rule: ${oneLine(check)}`));
  if (rationale !== '') screen.line(screen.colors.dim(`${' '.repeat(14)}${oneLine(rationale)}`));
}
