import { MUST_PASS_TAG } from '../../domain';
import { holm, leastPValue, differenceOf, ofSigns, pairedTestOf, resamplesOf } from '../../domain/statistics';
import { othersTurn } from '../../platform/concurrency';
import { differenceIn, meanOf, scaled, signFlipInTurns } from './difference';
import type { MatchedScenario } from './matched-scenarios';
import type { CriterionKind } from './read-rubrics';
import type { QuestionName, QuestionTest } from '../../../contract/comparison';

/**
 * The three questions of two runs, or of every pair of several, as one family: agents that are equal are called different, by any of
 * them, no more often than the level says.
 */
export interface Family {
  /** Of the two runs, in the order of QUESTIONS. */
  readonly tests: readonly QuestionTest[];
  /** How many p-values are adjusted for, of all pairs: those of questions that enough scenarios can answer. */
  readonly asked: number;
  /** Whether the most extreme outcome of these two runs would reach the level. */
  readonly couldShow: boolean;
  /** How many pairs of runs the family is about. */
  readonly pairs: number;
}

export const NOTHING_ASKED: Family = { tests: [], asked: 0, couldShow: false, pairs: 1 };

/** Before and after of a scenario, in the unit of its question. */
interface Pair {
  readonly before: number;
  readonly after: number;
}

/** A question before it is adjusted for the others. */
export type Answered = Omit<QuestionTest, 'adjusted_p_value'>;

/**
 * Whether scenarios passed less often, scored lower, or violated more must-pass criteria.
 *
 * @param rubrics of the compared scenarios, by id
 * @param confidence 0..1, both excluded
 * @param pairs how many pairs of runs are asked: resampling costs about as much for all of them as for one
 */
export async function askThree(
  compared: readonly MatchedScenario[],
  rubrics: ReadonlyMap<string, readonly CriterionKind[]>,
  confidence: number,
  pairs = 1,
): Promise<readonly Answered[]> {
  const asking = { confidence, pairs };
  // Each of them goes through all scenarios a few times.
  const passed = await askPassed(compared, asking);
  await othersTurn();
  const score = await askScore(compared, asking);
  await othersTurn();
  return [passed, score, await askMustPass(compared, rubrics, asking)];
}

/**
 * Adjusts the questions of all pairs of runs together, by Holm's method. Which questions are asked depends on how many scenarios can
 * answer them, not on what came of them: so a question that nothing can answer makes the others no weaker.
 *
 * @param pairs the three answers of each pair
 * @returns a family for each pair, in their order
 */
export function familiesOf(pairs: readonly (readonly Answered[])[], confidence: number): Family[] {
  const level = 1 - confidence;
  const isAsked = ({ scenarios }: Answered): boolean => leastPValue(scenarios) < level;
  const asked = pairs.flat().filter(isAsked);
  const adjusted = holm(asked.map(({ p_value: p }) => p ?? 1));
  const adjustedOf = new Map(asked.map((one, place) => [one, adjusted[place] ?? 1]));
  return pairs.map((answered) => ({
    tests: answered.map((one) => ({ ...one, adjusted_p_value: adjustedOf.get(one) ?? null })),
    asked: asked.length,
    couldShow: answered.some(
      (one) =>
        isAsked(one) && (leastPValue(one.scenarios) * asked.length < level || (adjustedOf.get(one) ?? 1) < level),
    ),
    pairs: pairs.length,
  }));
}

interface Asking {
  readonly confidence: number;
  readonly pairs: number;
}

function differenceOfAll(differences: readonly number[], { confidence, pairs }: Asking, most: number) {
  return differenceIn(differences, { confidence, most, resamples: resamplesOf(differences.length * pairs) });
}

async function askPassed(compared: readonly MatchedScenario[], asking: Asking): Promise<Answered> {
  const name = pairedTestOf(compared);
  const differences = compared.map(differenceOf);
  const difference = await differenceOfAll(differences, asking, 1);
  return answerOf('passed', {
    name,
    pairs: compared.map(({ before, after }) => ({
      before: (before.passed / before.graded) * 100,
      after: (after.passed / after.graded) * 100,
    })),
    difference: difference && scaled(difference, 100),
    pValue: name === 'mcnemar_exact' ? ofSigns(differences) : await signFlipInTurns(differences),
  });
}

async function askScore(compared: readonly MatchedScenario[], asking: Asking): Promise<Answered> {
  const pairs = scoredOf(compared);
  const differences = pairs.map(({ before, after }) => after - before);
  return answerOf('score', {
    name: 'sign_flip',
    pairs,
    difference: await differenceOfAll(differences, asking, 100),
    pValue: await signFlipInTurns(differences),
  });
}

/** Percent; without scenarios that have no score in either run. */
export function scoredOf(compared: readonly MatchedScenario[]): Pair[] {
  const pairs: Pair[] = [];
  for (const { before, after } of compared) {
    if (before.score === null || after.score === null) continue;
    pairs.push({ before: before.score, after: after.score });
  }
  return pairs;
}

/** The sign is turned: more violations are worse. */
async function askMustPass(
  compared: readonly MatchedScenario[],
  rubrics: ReadonlyMap<string, readonly CriterionKind[]>,
  asking: Asking,
): Promise<Answered> {
  const pairs: Pair[] = [];
  let most = 0;
  const counted = new Map<readonly CriterionKind[], number>();
  for (const { scenario_id, before, after } of compared) {
    const rubric = rubrics.get(scenario_id);
    if (rubric === undefined) continue;
    const criteria = counted.get(rubric) ?? rubric.filter(({ tags }) => tags.includes(MUST_PASS_TAG)).length;
    counted.set(rubric, criteria);
    if (criteria === 0) continue;
    pairs.push({ before: before.violations, after: after.violations });
    most = Math.max(most, criteria);
  }
  const differences = pairs.map(({ before, after }) => before - after);
  return answerOf('must_pass', {
    name: 'sign_flip',
    pairs,
    difference: await differenceOfAll(differences, asking, most),
    pValue: await signFlipInTurns(differences),
  });
}

interface Found {
  readonly name: QuestionTest['name'];
  readonly pairs: readonly Pair[];
  readonly difference: Awaited<ReturnType<typeof differenceIn>>;
  readonly pValue: number;
}

function answerOf(on: QuestionName, { name, pairs, difference, pValue }: Found): Answered {
  const nothing = pairs.length === 0;
  return {
    on,
    name,
    scenarios: pairs.length,
    before: nothing ? null : meanOf(pairs.map(({ before }) => before)),
    after: nothing ? null : meanOf(pairs.map(({ after }) => after)),
    difference: difference?.value ?? null,
    low: difference?.low ?? null,
    high: difference?.high ?? null,
    method: difference?.method ?? 'paired_bootstrap',
    p_value: nothing ? null : pValue,
  };
}
