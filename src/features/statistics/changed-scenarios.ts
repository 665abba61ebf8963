import { differenceOf } from '../../domain/statistics/paired-test';
import type { ChangedScenario } from './comparison.view';
import type { MatchedScenario } from './matched-scenarios';

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
