import { approvalState, approvalWords, checkWords, readCheck } from '../../src/domain';
import type { Scenario } from '../connection/answers';
import { printFields } from '../output/fields';
import { oneLine } from '../output/harmless-text';
import type { Screen } from '../output/terminal';

/** A scenario as a clinician reads it. */
export function printScenario(screen: Screen, scenario: Scenario): void {
  const { content, rubric_criteria: rubric, priority } = scenario;
  printFields(screen, [
    ['Name', scenario.name],
    ['Id', scenario.scenario_id],
    ['Category', scenario.category],
    ['Severity', scenario.severity],
    ['Approval', approvalOf(scenario)],
    ['Active', scenario.is_active ? 'yes' : 'no'],
    ['Priority', priority],
    ['Tags', scenario.tags.join(', ')],
    ['Patient', patientOf(content.demographics)],
    ['Complaint', content.chief_complaint],
    ['Script', content.script],
  ]);
  screen.line(screen.colors.dim('Rubric'));
  for (const { criterion, points, tags, check } of rubric) {
    const suffix = tags.length === 0 ? '' : screen.colors.dim(`  [${oneLine(tags.join(', '))}]`);
    screen.line(`${String(points).padStart(5)}  ${oneLine(criterion)}${suffix}`);
    const rule = readCheck(check);
    if (rule !== null)
      screen.line(screen.colors.dim(`${' '.repeat(7)}checked by a rule: ${oneLine(checkWords(rule))}`));
  }
}

/** The approval in words, with its day (UTC) when a person has signed it. */
export function approvalOf(scenario: Scenario): string {
  const { approved_at: at } = scenario;
  const isDated = approvalState(scenario) === 'signed' && typeof at === 'string';
  return oneLine(`${approvalWords(scenario)}${isDated ? `, ${at.slice(0, 10)}` : ''}`);
}

function patientOf({ age, gender }: Readonly<Record<string, unknown>>): string {
  return [typeof age === 'number' ? `${age}` : '', typeof gender === 'string' ? gender : ''].filter(Boolean).join(', ');
}
