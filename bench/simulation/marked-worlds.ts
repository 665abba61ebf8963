import { scoreRubric, violatesMustPass, type RubricCriterion } from '../../src/domain/rubric';
import type { MatchedScenario, ScenarioOutcome } from '../../src/features/statistics/matched-scenarios';
import type { Random } from './random';
import type { WorldLimits } from './worlds';

/** An agent, and scenarios that are marked by checklists: a run of it has scores and violations, not only passes and fails. */
export interface MarkedWorld {
  readonly trials: number;
  readonly stations: readonly Station[];
}

interface Station {
  readonly rubric: readonly RubricCriterion[];
  /** The probability that each of its criteria is met. */
  readonly chances: readonly number[];
}

const PASS_THRESHOLD = 50;
/** As in the starter library: a station has 5 to 12 criteria, and one in four is must-pass. */
const CRITERIA = [5, 12] as const;
const MUST_PASS_SHARE = 0.25;
/** How alike the criteria of a station are: the larger, the more. */
const SPREAD = 5;
/** How often all criteria of a conversation have the same outcome: an agent that misunderstands the patient misses more than one. */
const SHARED_LUCK = 0.3;

/** @param limits with the mean score in place of the pass rate */
export function drawMarkedWorld(random: Random, limits: WorldLimits): MarkedWorld {
  const score = random.between(...limits.rate);
  const concentration = 10 ** random.between(-0.3, 1.5);
  const stations = Array.from({ length: random.integer(...limits.scenarios) }, (): Station => {
    const ease = random.beta(score * concentration, (1 - score) * concentration);
    const rubric = Array.from({ length: random.integer(...CRITERIA) }, (_, place) => ({
      criterion: `Criterion ${place + 1}`,
      points: random.integer(1, 5),
      tags: random.uniform() < MUST_PASS_SHARE ? ['must_pass'] : [],
    }));
    return { rubric, chances: rubric.map(() => random.beta(SPREAD * ease, SPREAD * (1 - ease))) };
  });
  return scoring({ trials: random.integer(...limits.trials), stations }, score);
}

/** The mean score over infinitely many trials of these stations, 0..1. */
export function meanScoreOf({ stations }: MarkedWorld): number {
  const scores = stations.map(({ rubric, chances }) => {
    const most = rubric.reduce((sum, { points }) => sum + points, 0);
    return rubric.reduce((sum, { points }, place) => sum + points * (chances[place] ?? 0), 0) / most;
  });
  return scores.reduce((sum, one) => sum + one, 0) / scores.length;
}

/** The same stations with an agent that meets every criterion less often, in proportion, so that its mean score is that. @param score 0..1 */
export function scoring(world: MarkedWorld, score: number): MarkedWorld {
  const part = score / meanScoreOf(world);
  return {
    ...world,
    stations: world.stations.map(({ rubric, chances }) => ({
      rubric,
      chances: chances.map((one) => Math.min(1, one * part)),
    })),
  };
}

/** A run of either, over the same stations. */
export function comparedRuns(before: MarkedWorld, after: MarkedWorld, random: Random): readonly MatchedScenario[] {
  return before.stations.map((station, place) => ({
    scenario_id: String(place),
    scenario_name: `Station ${place + 1}`,
    category: null,
    before: outcomeOf(station, before.trials, random),
    after: outcomeOf(after.stations[place] ?? station, after.trials, random),
  }));
}

/** The results by scenario id, as the service has them. */
export function rubricsOf({ stations }: MarkedWorld): Map<string, readonly RubricCriterion[]> {
  return new Map(stations.map(({ rubric }, place) => [String(place), rubric]));
}

function outcomeOf({ rubric, chances }: Station, trials: number, random: Random): ScenarioOutcome {
  let [passed, score, violations] = [0, 0, 0];
  for (let trial = 0; trial < trials; trial += 1) {
    const luck = random.uniform() < SHARED_LUCK ? random.uniform() : null;
    const results = rubric.map(({ points, tags }, place) => ({
      decision: (luck ?? random.uniform()) < (chances[place] ?? 0) ? ('MET' as const) : ('NOT MET' as const),
      maxPoints: points,
      tags,
    }));
    const scored = scoreRubric(results, PASS_THRESHOLD);
    score += scored.scorePercent;
    if (scored.passed) passed += 1;
    violations += results.filter((one) => violatesMustPass(one.decision, one.maxPoints, one.tags)).length;
  }
  return {
    position: 1,
    graded: trials,
    passed,
    score: score / trials,
    violations: violations / trials,
  };
}
