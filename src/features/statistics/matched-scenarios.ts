import { differenceOf } from '../../domain/statistics';
import { othersTurn } from '../../platform/concurrency';
import type { EarlierSide, RunSide, ScenarioPrint, ScenarioTally } from './run-pairs.store';
import type { ChangedScenario, ComparisonView } from '../../../contract/comparison';

/** How a scenario fared in one of the runs. */
export interface ScenarioOutcome extends Pick<ScenarioTally, 'position' | 'graded' | 'passed' | 'score'> {
  /** Must-pass criteria violated, averaged over its graded conversations. */
  readonly violations: number;
}

/** A scenario that two runs can be compared by. */
export interface MatchedScenario {
  readonly scenario_id: string;
  readonly scenario_name: string;
  /** As the scenario has it now; null when it is gone. */
  readonly category: string | null;
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

/** Scenarios that are matched in some milliseconds. */
const SCENARIOS_A_TURN = 5_000;

/** Which scenarios of two runs say something about a change of the agent. A scenario that was changed itself does not. */
export async function matchScenarios(before: EarlierSide, after: RunSide): Promise<Matched> {
  const earlier = new Map<string, ScenarioTally>();
  for (const tally of before.tallies.scenarios) {
    earlier.set(tally.scenario_id, tally);
    if (earlier.size % SCENARIOS_A_TURN === 0) await othersTurn();
  }
  const [prints, earlierPrints] = [printsOf(after), printsOf(before)];
  const [otherText, otherRubric]: [string[], string[]] = [[], []];
  const compared: MatchedScenario[] = [];
  let [both, changed] = [0, 0];
  for (const later of after.tallies.scenarios) {
    const { scenario_id, scenario_name, category } = later;
    const tally = earlier.get(scenario_id);
    if (tally === undefined) continue;
    both += 1;
    if (both % SCENARIOS_A_TURN === 0) await othersTurn();
    const [was, is] = [earlierPrints.get(scenario_id), prints.get(scenario_id)];
    const [hasOtherText, hasOtherRubric] = [was?.content !== is?.content, was?.rubric !== is?.rubric];
    if (hasOtherText) otherText.push(scenario_name);
    if (hasOtherRubric) otherRubric.push(scenario_name);
    if (hasOtherText || hasOtherRubric) changed += 1;
    else if (tally.graded > 0 && later.graded > 0)
      compared.push({ scenario_id, scenario_name, category, before: outcomeOf(tally), after: outcomeOf(later) });
  }
  return {
    compared,
    otherText,
    otherRubric,
    changed,
    onlyBefore: before.tallies.scenarios.length - both,
    onlyAfter: after.tallies.scenarios.length - both,
    ungraded: both - changed - compared.length,
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

function printsOf({ prints }: EarlierSide): Map<string, ScenarioPrint> {
  return new Map(prints.map((print) => [print.scenario_id, print]));
}

function outcomeOf({ position, graded, passed, score, violations }: ScenarioTally): ScenarioOutcome {
  return { position, graded, passed, score, violations: violations / Math.max(1, graded) };
}

/** What is smaller comes of rounding. */
const ROUNDING = 1e-9;

/**
 * Which scenarios fared better and which worse: by pass share, where that is the same by score, where that is too by must-pass
 * violations. Those whose pass share moved first, the largest change first; a scenario of which nothing moved is in neither.
 */
export function changedScenarios(compared: readonly MatchedScenario[]): Record<'better' | 'worse', ChangedScenario[]> {
  const [better, worse]: [Move[], Move[]] = [[], []];
  for (const scenario of compared) {
    const move = moveOf(scenario);
    const direction = move.passed || move.score || move.violations;
    if (direction > 0) better.push(move);
    if (direction < 0) worse.push(move);
  }
  return { better: largestFirst(better), worse: largestFirst(worse) };
}

/** By how much it moved; positive is better. */
interface Move {
  readonly scenario: MatchedScenario;
  readonly passed: number;
  readonly score: number;
  readonly violations: number;
}

function moveOf(scenario: MatchedScenario): Move {
  const { before, after } = scenario;
  const score = before.score === null || after.score === null ? 0 : after.score - before.score;
  const violations = before.violations - after.violations;
  return { scenario, passed: rounded(differenceOf(scenario)), score: rounded(score), violations: rounded(violations) };
}

function rounded(move: number): number {
  return Math.abs(move) < ROUNDING ? 0 : move;
}

function largestFirst(moves: Move[]): ChangedScenario[] {
  return moves
    .sort(
      (one, other) =>
        Math.abs(other.passed) - Math.abs(one.passed) ||
        Math.abs(other.score) - Math.abs(one.score) ||
        Math.abs(other.violations) - Math.abs(one.violations),
    )
    .map(({ scenario }) => changedView(scenario));
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
