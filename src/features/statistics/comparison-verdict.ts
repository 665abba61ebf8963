import { leastPValue } from '../../domain/statistics';
import { IN_TIME } from './comparison-doubts';
import { counted, intervalText, movementOf, number, pText } from './comparison-words';
import type { Family } from './three-questions';
import type { ComparisonVerdict, QuestionName, QuestionTest } from '../../../contract/comparison';

/** What two runs are judged by. */
export interface PairEvidence {
  readonly confidencePercent: number;
  readonly minCoverage: number;
  /** Percent. */
  readonly coverage: { readonly before: number; readonly after: number };
  readonly haveSameExaminers: boolean;
  readonly haveSamePatients: boolean;
  readonly compared: number;
  readonly family: Family;
}

export interface Evidence extends PairEvidence {
  readonly trials: number;
  readonly newViolations: { readonly count: number; readonly scenarios: number };
  readonly trialsNeeded: number | null;
}

export interface Conclusion {
  readonly verdict: ComparisonVerdict;
  readonly grounds: QuestionName[];
  readonly sentence: string;
}

/** What two runs say about a change of the agent, and what they do not. Harm is said first. */
export function conclude(evidence: Evidence): Conclusion {
  const { verdict, grounds, sentence } = conclusionOf(evidence);
  return { verdict, grounds, sentence: `${violationsText(evidence)}${sentence}` };
}

function conclusionOf(evidence: Evidence): Conclusion {
  const obstacle = obstacleTo(evidence);
  if (obstacle !== null) return { verdict: 'cannot_tell', grounds: [], sentence: `Cannot tell: ${obstacle}` };
  const { shown, others } = shownOf(evidence);
  if (shown.length === 0) return { verdict: 'no_evidence', grounds: [], sentence: noEvidence(evidence, others) };
  const verdict = verdictOf(shown);
  const grounds = shown.map(({ on }) => on);
  const worstFirst = [...shown.filter(isWorse), ...shown.filter((test) => !isWorse(test))];
  const seen = worstFirst.map((test) => movementAndNumbers(test, evidence, true));
  return {
    verdict,
    grounds,
    sentence: [
      `${TITLES[verdict]}: ${seen.join('; ')}.`,
      ...(others.length === 0
        ? []
        : [`No evidence either way: ${others.map((test) => movementAndNumbers(test, evidence)).join('; ')}.`]),
      ...unasked(evidence),
    ].join(' '),
  };
}

/** The questions that show a difference, and those that were asked and do not. */
export function shownOf(
  evidence: Pick<PairEvidence, 'confidencePercent' | 'family'>,
): Record<'shown' | 'others', QuestionTest[]> {
  const { tests } = evidence.family;
  const level = levelOf(evidence);
  const shown = tests.filter(({ adjusted_p_value: p }) => p !== null && p < level);
  return { shown, others: tests.filter((test) => !shown.includes(test) && test.adjusted_p_value !== null) };
}

const TITLES = { better: 'Better', worse: 'Worse', mixed: 'Mixed' } as const;

/** The verdict of those of the three questions that show a change. */
export function verdictOf(shown: readonly QuestionTest[]): keyof typeof TITLES {
  if (shown.every(isWorse)) return 'worse';
  return shown.some(isWorse) ? 'mixed' : 'better';
}

export function isWorse({ difference }: QuestionTest): boolean {
  return (difference ?? 0) < 0;
}

function noEvidence(evidence: Evidence, tests: readonly QuestionTest[]): string {
  const least = Math.min(1, ...tests.map(({ adjusted_p_value: p }) => p ?? 1));
  const [thatIs, p] = tests.length === 1 ? ['that is', 'p'] : ['all of that is', 'least adjusted p'];
  return [
    `No evidence of a change: ${tests.map((test) => movementAndNumbers(test, evidence)).join('; ')};`,
    `with ${sizeOf(evidence)} ${thatIs} within noise (${p} = ${pText(least)}).`,
    ...unasked(evidence),
    ...wayOut(evidence),
  ].join(' ');
}

function movementAndNumbers(test: QuestionTest, { confidencePercent }: Evidence, isShown = false): string {
  const p = isShown ? `; adjusted p = ${pText(test.adjusted_p_value ?? 1)}` : '';
  return `${movementOf(test)} (${intervalText(test, confidencePercent)}${p})`;
}

/** Says that must-pass violations could not be tested, where too few scenarios have such criteria. */
function unasked({ family }: Evidence): string[] {
  return family.tests
    .filter(({ on, scenarios, adjusted_p_value: p }) => p === null && on === 'must_pass' && scenarios > 0)
    .map(
      ({ scenarios }) =>
        `Must-pass violations could not be tested: only ${counted(scenarios, 'scenario')} ${scenarios === 1 ? 'has' : 'have'} such criteria.`,
    );
}

function violationsText({ newViolations: { count, scenarios } }: Evidence): string {
  if (count === 0) return '';
  return `${counted(count, 'new must-pass violation')} in ${counted(scenarios, 'scenario')}. `;
}

const NOTHING = 'no scenario has a verdict in both runs with the same text and rubric.';

/** Why no verdict may be drawn, as the end of a sentence; null when one may. */
export function obstacleTo(evidence: PairEvidence, words = IN_TIME): string | null {
  const { compared, coverage, minCoverage, haveSameExaminers, haveSamePatients, family } = evidence;
  for (const side of ['before', 'after'] as const) {
    if (coverage[side] < minCoverage) {
      return `in the run ${words[side]} ${number(coverage[side])} % of the conversations have a verdict, and ${number(minCoverage)} % are needed.`;
    }
  }
  if (compared === 0) return NOTHING;
  if (!haveSamePatients) return 'the runs had different patients, which may account for any change.';
  if (!haveSameExaminers) return 'the runs had different examiners, which may account for any change.';
  if (family.couldShow) return null;
  return (
    `${counted(compared, 'scenario')} cannot show a change at ${number(evidence.confidencePercent)} %, ` +
    `however they fare; ${leastScenarios(evidence)} can.`
  );
}

function levelOf({ confidencePercent }: Pick<PairEvidence, 'confidencePercent'>): number {
  return (100 - confidencePercent) / 100;
}

/** The least number of scenarios with which all questions that any scenario answers could show a change. */
function leastScenarios(evidence: PairEvidence): number {
  const { tests, pairs } = evidence.family;
  const questions = tests.filter(({ scenarios }) => scenarios > 0).length * pairs;
  let scenarios = 1;
  while (leastPValue(scenarios) * questions >= levelOf(evidence)) scenarios += 1;
  return scenarios;
}

function sizeOf({ compared, trials }: Evidence): string {
  return `${counted(compared, 'scenario')} at ${trials === 1 ? 'one trial' : `${trials} trials`} each`;
}

function wayOut({ trialsNeeded, family, trials }: Evidence): string[] {
  const moved = family.tests.find(({ on }) => on === 'passed')?.difference ?? 0;
  if (Math.abs(moved) < 0.05) return [];
  if (trialsNeeded === null) {
    return ['More trials would not show a change of the pass rate of this size; more scenarios would.'];
  }
  return trialsNeeded > trials
    ? [`About ${trialsNeeded} trials of each would show a change of the pass rate of this size.`]
    : [];
}
