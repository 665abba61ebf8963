import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { isFinalTestRun } from '../../domain';
import { othersTurn } from '../../platform/concurrency';
import { resamplesOf, differenceOf, trialsNeeded } from '../../domain/statistics';
import type { TestRunRecord } from '../runs/test-run.row';
import { TestRunsStore, assertRunExists } from '../runs/test-runs.store';
import { changedCriteria, testScenarios, markedScenarios, type TestedCriteria } from './compared-criteria';
import { doubtsAbout, haveSameExaminers, haveSamePatients } from './comparison-doubts';
import { conclude } from './comparison-verdict';
import { criteriaSentence } from './comparison-words';
import { adjustedTogether, CriteriaGroups } from './criteria-groups';
import { differenceIn, meanOf, scaled, type IntervalOptions } from './difference';
import { changedScenarios, matchedView, matchScenarios, type MatchedScenario } from './matched-scenarios';
import { newlyViolated } from './counted-run';
import type { Rubrics } from './read-rubrics';
import { coverageOf, RunPairsStore, type DecidedSides } from './run-pairs.store';
import { markedInPairs, TwinCriteria } from './twin-criteria';
import { inPairs, TwinLines, type AskedLine, type Twins } from './twin-lines';
import { areTwins, assertTwins, pairsOfTwins } from './twin-pairs';
import { askThree, familiesOf, NOTHING_ASKED, scoredOf } from './three-questions';
import { MAX_TRIALS } from '../../../contract/start-run';
import type { ComparisonView, QuestionTest, CategoryDifference, TwinCriteriaGroup } from '../../../contract/comparison';
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
    private readonly lines: TwinLines,
  ) {}

  /** @throws NotFoundException, BadRequestException for a run with itself, ConflictException while either is live */
  async compare(request: ComparisonRequest): Promise<ComparisonView> {
    const runs = await this.find(request);
    const sides = await this.store.read(runs.before.id, runs.after.id);
    await othersTurn();
    if (request.asTwins === true) assertTwins(runs, sides);
    const twins = areTwins(runs) ? await this.lines.read(runs) : null;
    const all = await matchScenarios(sides.before, sides.after);
    const matched = twins === null ? all : inPairs(all, twins);
    const { compared } = matched;
    await othersTurn();
    const confidence = request.confidencePercent / 100;
    const [rubrics, violations] = await Promise.all([
      this.store.rubrics(
        runs.after.id,
        compared.map(({ scenario_id, after: { position } }) => ({ scenario_id, position })),
      ),
      this.newViolations(runs.after.id, sides, compared),
    ]);
    const answered = await askThree(compared, rubrics, confidence);
    const { criteria, groups, summary, ofTwins } = await this.findCriteria({
      sides,
      compared,
      rubrics,
      confidence,
      twins,
      after: runs.after,
    });
    const others = twins === null ? [] : await this.lines.askOthers(twins, { answered, criteria: ofTwins }, confidence);
    const [family = NOTHING_ASKED] = familiesOf([answered, ...others.map((one) => one.answered)], confidence);
    const needed = trialsNeeded(compared, MAX_TRIALS, LEVEL / Math.max(1, family.asked));
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
    await assertRunExists(this.testRuns, runs.after.id);
    await assertRunExists(this.testRuns, runs.before.id, 'before: test run not found');
    const [passed] = family.tests;
    await othersTurn();
    const byCategory = await differencesByCategory(compared, confidence);
    await othersTurn();
    const changed = changedScenarios(compared);
    await othersTurn();
    return {
      before: sideView(runs.before),
      after: sideView(runs.after),
      confidence: request.confidencePercent,
      scenarios: matchedView(matched),
      difference: differenceView(passed),
      by_category: byCategory,
      test: { name: passed?.name ?? 'sign_flip', p_value: passed?.p_value ?? null },
      tests: [...family.tests],
      verdict,
      grounds,
      sentence,
      trials_needed: grounds.includes('passed') ? null : needed,
      ...changed,
      new_must_pass_violations: violations,
      criteria,
      criteria_summary: summary,
      groups,
      doubts: doubtsAbout({ run: runs.before, side: sides.before }, { run: runs.after, side: sides.after }, matched),
      twins:
        twins === null
          ? null
          : pairsOfTwins(runs, twins, {
              tests: family.tests,
              criteria: togetherWith(others, ofTwins, 1 - confidence),
              verdict,
              confidencePercent: request.confidencePercent,
            }),
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

  private newViolations(
    afterId: string,
    { before, after }: DecidedSides,
    compared: readonly MatchedScenario[],
  ): Promise<MustPassViolationView[]> {
    const found = newlyViolated(before.violated, after.violated);
    if (found.length === 0) return Promise.resolve([]);
    const ids = new Set(compared.map(({ scenario_id }) => scenario_id));
    const ofCompared = found.filter(({ scenario_id }) => ids.has(scenario_id));
    return this.store.violations(afterId, ofCompared);
  }

  private async findCriteria({
    sides,
    compared,
    rubrics,
    confidence,
    twins,
    after,
  }: MarkedRuns): Promise<FoundCriteria> {
    const kinds = new CriteriaGroups();
    const kindsOfTwins = twins === null ? null : new TwinCriteria(twins.scenarios);
    const marks = markedScenarios(compared, rubrics, sides.before.decisions, sides.after.decisions);
    const tested = await testScenarios(twins === null ? marks : markedInPairs(marks), (scenario) => {
      kinds.add(scenario);
      kindsOfTwins?.add(scenario);
    });
    const words = await this.store.words(after.id, placesOf(tested, sides.after.decisions));
    const { criteria, summary } = await changedCriteria(tested, words, 1 - confidence);
    const groups = await kinds.compared(confidence);
    const sentence = criteriaSentence({ ...summary, moved: criteria.length, groups, level: 1 - confidence });
    const ofTwins = (await kindsOfTwins?.found(confidence)) ?? [];
    return { criteria, groups, summary: { ...summary, sentence }, ofTwins };
  }
}

/** Where the scenarios stand of which a criterion has changed. */
function placesOf({ changed }: TestedCriteria, scenarios: DecidedSides['after']['decisions']) {
  const places = new Set<number>();
  for (const { scenario_id } of changed) places.add(scenarios.get(scenario_id)?.position ?? 0);
  return [...places].map((position) => ({ position }));
}

interface MarkedRuns {
  readonly sides: DecidedSides;
  readonly compared: readonly MatchedScenario[];
  readonly rubrics: Rubrics;
  readonly confidence: number;
  readonly twins: Twins | null;
  readonly after: Pick<TestRunRecord, 'id'>;
}

interface FoundCriteria extends Pick<ComparisonView, 'criteria' | 'groups'> {
  readonly summary: ComparisonView['criteria_summary'];
  /** None of runs that are no twins. */
  readonly ofTwins: AskedLine['criteria'];
}

/** The kinds of criteria of two twins, adjusted with those of the other lines. */
function togetherWith(others: readonly AskedLine[], found: AskedLine['criteria'], level: number): TwinCriteriaGroup[] {
  const [adjusted = []] = adjustedTogether([found, ...others.map(({ criteria }) => criteria)], level);
  return adjusted;
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
    await othersTurn();
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
  const scored = scoredOf(members);
  const changes = scored.map(({ before, after }) => after - before);
  const difference = await differenceIn(changes, { ...options, most: 100 });
  if (difference === null) return null;
  const [before, after] = [scored.map((one) => one.before), scored.map((one) => one.after)].map(meanOf);
  return { before: before ?? 0, after: after ?? 0, ...difference };
}

function membersOf(compared: readonly MatchedScenario[]): [category: string | null, members: MatchedScenario[]][] {
  const groups = new Map<string | null, MatchedScenario[]>();
  for (const scenario of compared) {
    const { category } = scenario;
    const others = groups.get(category);
    if (others === undefined) groups.set(category, [scenario]);
    else others.push(scenario);
  }
  return [...groups].sort(([one], [other]) => {
    if (one === null || other === null) return one === null ? 1 : -1;
    return one.localeCompare(other, 'en');
  });
}
