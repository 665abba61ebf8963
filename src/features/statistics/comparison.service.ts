import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { type RubricCriterion, isFinalTestRun } from '../../domain';
import { resamplesOf, differenceOf, trialsNeeded } from '../../domain/statistics';
import type { TestRunRecord } from '../runs/test-run.row';
import { TestRunsStore, assertRunExists } from '../runs/test-runs.store';
import { changedCriteria, testScenarios, markedScenarios } from './compared-criteria';
import { doubtsAbout, haveSameExaminers, haveSamePatients } from './comparison-doubts';
import { conclude } from './comparison-verdict';
import { criteriaSentence } from './comparison-words';
import { CriteriaGroups } from './criteria-groups';
import { differenceIn, meanOf, scaled, type IntervalOptions } from './difference';
import { changedScenarios, matchedView, matchScenarios, type MatchedScenario } from './matched-scenarios';
import { coverageOf, RunPairsStore, type RunSide } from './run-pairs.store';
import { violationsOf } from './statistics-of';
import { areTwins, assertTwins, pairsOfTwins, type FoundOfTwins } from './twin-pairs';
import { askThree, familiesOf, NOTHING_ASKED, scoredOf } from './three-questions';
import { MAX_TRIALS } from '../../../contract/start-run';
import type { ComparisonView, QuestionTest, CategoryDifference } from '../../../contract/comparison';
import type { MustPassViolationView } from '../../../contract/statistics';

export interface ComparisonRequest {
  readonly before: string;
  readonly after: string;
  readonly confidencePercent: number;
  /** Percent of the conversations that need a verdict in either run. */
  readonly minCoverage: number;
  /** Whether runs that are no twins are refused. */
  readonly asTwins?: boolean;
}

/** Compares a run with one before it. */
@Injectable()
export class ComparisonService {
  constructor(
    private readonly testRuns: TestRunsStore,
    private readonly store: RunPairsStore,
  ) {}

  /** @throws NotFoundException, BadRequestException for a run with itself, ConflictException while either is live */
  async compare(request: ComparisonRequest): Promise<ComparisonView> {
    const runs = await this.find(request);
    const sides = await this.store.read(runs.before.id, runs.after.id);
    if (request.asTwins === true) assertTwins(runs, sides);
    const matched = matchScenarios(sides.before, sides.after);
    const { compared } = matched;
    const confidence = request.confidencePercent / 100;
    const rubrics = await this.store.rubrics(
      runs.after.id,
      compared.map(({ after }) => after),
    );
    const [family = NOTHING_ASKED] = familiesOf([await askThree(compared, rubrics, confidence)], confidence);
    const needed = trialsNeeded(compared, MAX_TRIALS, LEVEL / Math.max(1, family.asked));
    const violations = newViolations(sides, compared);
    const { verdict, grounds, sentence } = conclude({
      confidencePercent: request.confidencePercent,
      minCoverage: request.minCoverage,
      coverage: { before: coverageOf(sides.before), after: coverageOf(sides.after) },
      haveSameExaminers: haveSameExaminers(sides.before.tallies.examiners, sides.after.tallies.examiners),
      haveSamePatients: haveSamePatients(sides.before, sides.after),
      compared: compared.length,
      trials: Math.min(runs.before.trials, runs.after.trials),
      family,
      newViolations: {
        count: violations.length,
        scenarios: new Set(violations.map(({ scenario_id }) => scenario_id)).size,
      },
      trialsNeeded: needed,
    });
    const { criteria, groups, summary } = await this.criteria(runs, compared, rubrics, confidence);
    const twins = areTwins(runs)
      ? await this.twinsOf(runs, { tests: family.tests, verdict, confidencePercent: request.confidencePercent })
      : null;
    await assertRunExists(this.testRuns, runs.after.id);
    await assertRunExists(this.testRuns, runs.before.id, 'before: test run not found');
    const [passed] = family.tests;
    return {
      before: sideView(runs.before),
      after: sideView(runs.after),
      confidence: request.confidencePercent,
      scenarios: matchedView(matched),
      difference: differenceView(passed),
      by_category: await differencesByCategory(compared, confidence),
      test: { name: passed?.name ?? 'sign_flip', p_value: passed?.p_value ?? null },
      tests: [...family.tests],
      verdict,
      grounds,
      sentence,
      trials_needed: grounds.includes('passed') ? null : needed,
      ...changedScenarios(compared),
      new_must_pass_violations: violations,
      criteria,
      criteria_summary: summary,
      groups,
      doubts: doubtsAbout({ run: runs.before, side: sides.before }, { run: runs.after, side: sides.after }, matched),
      twins,
    };
  }

  private async find({ before, after }: ComparisonRequest): Promise<Record<'before' | 'after', TestRunRecord>> {
    const found = await this.testRuns.findMany([before, after]);
    const [earlier, later] = [found.get(before), found.get(after)];
    if (later === undefined) throw new NotFoundException('Test run not found');
    if (earlier === undefined) throw new NotFoundException('before: test run not found');
    if (earlier.id === later.id) {
      throw new BadRequestException('before: a run cannot be compared with itself; name the run to measure it by.');
    }
    for (const [side, run] of [['before', earlier] as const, ['after', later] as const]) {
      if (isFinalTestRun(run.status)) continue;
      throw new ConflictException(`The run ${side} (${run.test_run_id}) is ${run.status}: compare when it has ended.`);
    }
    return { before: earlier, after: later };
  }

  private async twinsOf(
    runs: Record<'before' | 'after', TestRunRecord>,
    found: FoundOfTwins,
  ): Promise<ComparisonView['twins']> {
    return pairsOfTwins(runs, await this.store.pairedOutcomes(runs.before.id, runs.after.id), found);
  }

  private async criteria(
    runs: Record<'before' | 'after', TestRunRecord>,
    compared: readonly MatchedScenario[],
    rubrics: ReadonlyMap<string, readonly RubricCriterion[]>,
    confidence: number,
  ): Promise<Pick<ComparisonView, 'criteria' | 'groups'> & { readonly summary: ComparisonView['criteria_summary'] }> {
    const [before, after] = [await this.store.decisions(runs.before.id), await this.store.decisions(runs.after.id)];
    const kinds = new CriteriaGroups();
    const tested = await testScenarios(markedScenarios(compared, rubrics, before, after), (scenario) =>
      kinds.add(scenario),
    );
    const { criteria, summary } = await changedCriteria(tested, 1 - confidence);
    const groups = await kinds.compared(confidence);
    const sentence = criteriaSentence({ ...summary, moved: criteria.length, groups, level: 1 - confidence });
    return { criteria, groups, summary: { ...summary, sentence } };
  }
}

/** Of significance, for the trials that are said to be needed: two-sided, with power 80 %. */
const LEVEL = 0.05;

export function differenceView(passed: QuestionTest | undefined): ComparisonView['difference'] {
  const { difference: value = null, low = null, high = null, method = 'paired_bootstrap' } = passed ?? {};
  return { value, low, high, method };
}

function sideView({ id, test_run_id, agent_name }: TestRunRecord): ComparisonView['before'] {
  return { id, test_run_id, agent_name };
}

/** Those of the run after that no trial of their scenario had before. */
function newViolations(
  { before, after }: { readonly before: RunSide; readonly after: RunSide },
  compared: readonly MatchedScenario[],
): MustPassViolationView[] {
  const ids = new Set(compared.map(({ scenario_id }) => scenario_id));
  const keyOf = ({ scenario_id, criterion }: MustPassViolationView): string => `${scenario_id} ${criterion}`;
  const known = new Set(before.tallies.notable.flatMap(violationsOf).map(keyOf));
  return after.tallies.notable
    .flatMap(violationsOf)
    .filter((violation) => ids.has(violation.scenario_id) && !known.has(keyOf(violation)));
}

/** The difference in the scenarios of each category, in the order of their names; last those whose scenario is gone, of no known category. */
async function differencesByCategory(
  compared: readonly MatchedScenario[],
  confidence: number,
): Promise<CategoryDifference[]> {
  const options = { confidence, resamples: resamplesOf(compared.length) };
  const found: CategoryDifference[] = [];
  for (const [category, members] of membersOf(compared)) {
    const difference = await differenceIn(members.map(differenceOf), { ...options, most: 1 });
    if (difference === null) continue;
    found.push({
      category,
      scenarios: members.length,
      before: meanOf(members.map(({ before }) => before.passed / before.graded)),
      after: meanOf(members.map(({ after }) => after.passed / after.graded)),
      ...scaled(difference, 100),
      score: await scoreIn(members, options),
    });
  }
  return found;
}

async function scoreIn(
  members: readonly MatchedScenario[],
  options: Omit<IntervalOptions, 'most'>,
): Promise<CategoryDifference['score']> {
  const scored = members.flatMap(scoredOf);
  const changes = scored.map(({ before, after }) => after - before);
  const difference = await differenceIn(changes, { ...options, most: 100 });
  if (difference === null) return null;
  const [before, after] = [scored.map((one) => one.before), scored.map((one) => one.after)].map(meanOf);
  return { before: before ?? 0, after: after ?? 0, ...difference };
}

function membersOf(compared: readonly MatchedScenario[]): [category: string | null, members: MatchedScenario[]][] {
  const groups = new Map<string | null, MatchedScenario[]>();
  for (const scenario of compared) {
    const { category } = scenario.after;
    const others = groups.get(category);
    if (others === undefined) groups.set(category, [scenario]);
    else others.push(scenario);
  }
  return [...groups].sort(([one], [other]) => {
    if (one === null || other === null) return one === null ? 1 : -1;
    return one.localeCompare(other, 'en');
  });
}
