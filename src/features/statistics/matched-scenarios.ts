import type { RunSide, ScenarioPrint, ScenarioTally } from './run-pairs.store';

/** How a scenario fared in one of the runs. */
export interface ScenarioOutcome extends ScenarioTally {
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
  return { ...tally, violations: (violations.get(tally.scenario_id) ?? 0) / Math.max(1, tally.graded) };
}
