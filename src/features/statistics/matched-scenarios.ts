import { differenceOf } from '../../domain/statistics';
import type { RunSide, ScenarioPrint, ScenarioTally } from './run-pairs.store';
import type { ChangedScenario, ComparisonView } from '../../../contract/comparison';

/** How a scenario fared in one of the runs. */
export interface ScenarioOutcome extends Pick<ScenarioTally, 'position' | 'category' | 'graded' | 'passed' | 'score'> {
  /** Must-pass criteria violated, averaged over its graded conversations. */
  readonly violations: number;
}

/** A scenario that two runs can be compared by. */
export interface MatchedScenario {
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly before: ScenarioOutcome;
  readonly after: ScenarioOutcome;
}

export interface Matched {
  /** With a graded trial in both, and the same text and rubric; in the order of the run after. */
  readonly compared: readonly MatchedScenario[];
  /** Names of those whose text, or whose rubric, is another one. */
  readonly otherText: readonly string[];
  readonly otherRubric: readonly string[];
  /** How many of the two together. */
  readonly changed: number;
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  readonly ungraded: number;
}

/** Which scenarios of two runs say something about a change of the agent. A scenario that was changed itself does not. */
export function matchScenarios(before: RunSide, after: RunSide): Matched {
  const earlier = new Map(before.tallies.scenarios.map((tally) => [tally.scenario_id, tally]));
  const [prints, earlierPrints] = [printsOf(after), printsOf(before)];
  const [violated, violatedBefore] = [violationsIn(after), violationsIn(before)];
  const both = after.tallies.scenarios.flatMap((later) => {
    const { scenario_id, scenario_name } = later;
    const tally = earlier.get(scenario_id);
    if (tally === undefined) return [];
    const [was, is] = [earlierPrints.get(scenario_id), prints.get(scenario_id)];
    return [
      {
        pair: {
          scenario_id,
          scenario_name,
          before: outcomeOf(tally, violatedBefore),
          after: outcomeOf(later, violated),
        },
        hasOtherText: was?.content !== is?.content,
        hasOtherRubric: was?.rubric !== is?.rubric,
      },
    ];
  });
  const same = both.filter(({ hasOtherText, hasOtherRubric }) => !hasOtherText && !hasOtherRubric);
  const compared = same.map(({ pair }) => pair).filter((pair) => pair.before.graded > 0 && pair.after.graded > 0);
  return {
    compared,
    otherText: both.filter(({ hasOtherText }) => hasOtherText).map(({ pair }) => pair.scenario_name),
    otherRubric: both.filter(({ hasOtherRubric }) => hasOtherRubric).map(({ pair }) => pair.scenario_name),
    changed: both.length - same.length,
    onlyBefore: before.tallies.scenarios.length - both.length,
    onlyAfter: after.tallies.scenarios.length - both.length,
    ungraded: same.length - compared.length,
  };
}

/** How many scenarios were compared, and how many were left out. */
export function matchedView(matched: Matched): ComparisonView['scenarios'] {
  return {
    compared: matched.compared.length,
    changed: matched.changed,
    only_before: matched.onlyBefore,
    only_after: matched.onlyAfter,
    ungraded: matched.ungraded,
  };
}

function printsOf({ prints }: RunSide): Map<string, ScenarioPrint> {
  return new Map(prints.map((print) => [print.scenario_id, print]));
}

/** By scenario, over all its conversations. */
function violationsIn({ tallies }: RunSide): Map<string, number> {
  const violations = new Map<string, number>();
  for (const { scenario_id, findings } of tallies.notable) {
    violations.set(scenario_id, (violations.get(scenario_id) ?? 0) + findings.violations.length);
  }
  return violations;
}

function outcomeOf(tally: ScenarioTally, violations: ReadonlyMap<string, number>): ScenarioOutcome {
  const { position, category, graded, passed, score } = tally;
  const violated = violations.get(tally.scenario_id) ?? 0;
  return { position, category, graded, passed, score, violations: violated / Math.max(1, graded) };
}

/** What is smaller comes of rounding. */
const ROUNDING = 1e-9;

/**
 * Which scenarios fared better and which worse: by pass share, where that is the same by score, where that is too by must-pass
 * violations. Those whose pass share moved first, the largest change first; a scenario of which nothing moved is in neither.
 */
export function changedScenarios(compared: readonly MatchedScenario[]): Record<'better' | 'worse', ChangedScenario[]> {
  const moved = compared
    .map((scenario) => ({ scenario, by: movesOf(scenario) }))
    .filter(({ by }) => directionOf(by) !== 0)
    .sort((one, other) => sizeOrder(one.by, other.by));
  const inDirection = (sign: number): ChangedScenario[] =>
    moved.filter(({ by }) => directionOf(by) === sign).map(({ scenario }) => changedView(scenario));
  return { better: inDirection(1), worse: inDirection(-1) };
}

/** By pass share, score and violations; positive is better. */
function movesOf(scenario: MatchedScenario): readonly number[] {
  const { before, after } = scenario;
  const score = before.score === null || after.score === null ? 0 : after.score - before.score;
  return [differenceOf(scenario), score, before.violations - after.violations].map((move) =>
    Math.abs(move) < ROUNDING ? 0 : move,
  );
}

function directionOf(moves: readonly number[]): number {
  return Math.sign(moves.find((move) => move !== 0) ?? 0);
}

function sizeOrder(one: readonly number[], other: readonly number[]): number {
  for (const [place, move] of one.entries()) {
    const difference = Math.abs(other[place] ?? 0) - Math.abs(move);
    if (difference !== 0) return difference;
  }
  return 0;
}

function changedView({ scenario_id, scenario_name, before, after }: MatchedScenario): ChangedScenario {
  return {
    scenario_id,
    scenario_name,
    before: before.passed / before.graded,
    after: after.passed / after.graded,
    score_before: before.score,
    score_after: after.score,
    violations_before: before.violations,
    violations_after: after.violations,
  };
}
