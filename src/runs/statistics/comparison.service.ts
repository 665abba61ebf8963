import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { isFinalTestRun } from '../../../machines/statuses';
import { ownTurn } from '../../concurrency/own-turn';
import { RunPairsStore, type RunSide, type SideTallies } from '../../persistence/run-pairs.store';
import type { TestRunRecord } from '../../persistence/test-run.row';
import { TestRunsStore } from '../../persistence/test-runs.store';
import { sumOf } from '../../statistics/clusters';
import { differenceOf, pairedTest } from '../../statistics/paired-test';
import { trialsNeeded } from '../../statistics/power';
import { MAX_TRIALS } from '../start-run';
import { stillThere } from '../still-there';
import { changedCriteria, testCriteria, worthOf, type Marks } from './compared-criteria';
import { doubtsAbout, haveSameExaminers, haveSamePatients } from './comparison-doubts';
import { conclude } from './comparison-verdict';
import type { ChangedScenario, ComparisonView } from './comparison.view';
import { differenceIn, differencesByCategory } from './difference';
import { matchScenarios, type MatchedScenario } from './matched-scenarios';
import { violationsOf } from './statistics-of';
import type { MustPassViolationView } from './statistics.view';

export interface ComparisonRequest {
  readonly before: string;
  readonly after: string;
  readonly confidencePercent: number;
  /** Percent of the conversations that need a verdict in either run. */
  readonly minCoverage: number;
}

/** What a run says measured by one before it. */
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
    const matched = matchScenarios(sides.before, sides.after);
    const { compared } = matched;
    const confidence = request.confidencePercent / 100;
    const { name, pValue } = pairedTest(compared);
    const difference = await differenceIn(compared, confidence);
    const needed = trialsNeeded(compared, MAX_TRIALS);
    const { verdict, sentence } = conclude({
      confidencePercent: request.confidencePercent,
      minCoverage: request.minCoverage,
      coverage: { before: coverageOf(sides.before.tallies), after: coverageOf(sides.after.tallies) },
      haveSameExaminers: haveSameExaminers(sides.before.tallies.examiners, sides.after.tallies.examiners),
      haveSamePatients: haveSamePatients(sides.before, sides.after),
      compared: compared.length,
      trials: Math.min(runs.before.trials, runs.after.trials),
      difference,
      pValue,
      trialsNeeded: needed,
    });
    const criteria = await this.criteria(runs.before.id, runs.after.id, compared);
    await stillThere(this.testRuns, runs.after.id);
    await stillThere(this.testRuns, runs.before.id, 'before: test run not found');
    const isShown = verdict === 'better' || verdict === 'worse';
    return {
      before: sideView(runs.before),
      after: sideView(runs.after),
      confidence: request.confidencePercent,
      scenarios: {
        compared: compared.length,
        changed: matched.changed,
        only_before: matched.onlyBefore,
        only_after: matched.onlyAfter,
        ungraded: matched.ungraded,
      },
      difference: difference ?? { value: null, low: null, high: null, method: 'paired_bootstrap' },
      by_category: await differencesByCategory(compared, confidence),
      test: { name, p_value: pValue },
      verdict,
      sentence,
      trials_needed: isShown ? null : needed,
      better: changedBy(compared, (change) => change > 0),
      worse: changedBy(compared, (change) => change < 0),
      new_must_pass_violations: newViolations(sides, compared),
      criteria,
      doubts: doubtsAbout({ run: runs.before, side: sides.before }, { run: runs.after, side: sides.after }, matched),
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
      throw new ConflictException(`The run ${side} (${run.label}) is ${run.status}: compare when it has ended.`);
    }
    return { before: earlier, after: later };
  }

  private async criteria(
    beforeId: string,
    afterId: string,
    compared: readonly MatchedScenario[],
  ): Promise<ComparisonView['criteria']> {
    const ids = compared.map(({ scenario_id }) => scenario_id);
    const rubrics = await this.store.rubrics(afterId, ids);
    const marksIn = async (runId: string): Promise<Map<string, Marks>> => {
      const marks = new Map<string, Map<string, readonly number[]>>(ids.map((id) => [id, new Map()]));
      for await (const page of this.store.decisions(runId)) {
        for (const { scenario_id, conversation, decisions } of page) {
          marks.get(scenario_id)?.set(conversation, worthOf(decisions, rubrics.get(scenario_id) ?? []));
        }
      }
      return marks;
    };
    const [before, after] = [await marksIn(beforeId), await marksIn(afterId)];
    const tested: ReturnType<typeof testCriteria> = [];
    for (const { scenario_id: id, scenario_name } of compared) {
      const [was, is] = [before.get(id) ?? new Map(), after.get(id) ?? new Map()];
      tested.push(
        ...testCriteria({ scenario_id: id, scenario_name, rubric: rubrics.get(id) ?? [], before: was, after: is }),
      );
      if (was.size > 1) await ownTurn(Number.POSITIVE_INFINITY);
    }
    return changedCriteria(tested);
  }
}

function coverageOf({ scenarios }: SideTallies): number {
  const total = scenarios.reduce((sum, one) => sum + one.total, 0);
  return total === 0 ? 0 : (sumOf(scenarios).graded / total) * 100;
}

function sideView({ id, label, agentName }: TestRunRecord): ComparisonView['before'] {
  return { id, test_run_id: label, agent_name: agentName };
}

/** The largest change first. */
function changedBy(compared: readonly MatchedScenario[], isMeant: (change: number) => boolean): ChangedScenario[] {
  return compared
    .filter((pair) => isMeant(differenceOf(pair)))
    .sort((one, other) => Math.abs(differenceOf(other)) - Math.abs(differenceOf(one)))
    .map(({ scenario_id, scenario_name, before, after }) => ({
      scenario_id,
      scenario_name,
      before: before.passed / before.graded,
      after: after.passed / after.graded,
    }));
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
