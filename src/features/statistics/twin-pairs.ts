import { BadRequestException } from '@nestjs/common';
import { wayInWords } from '../../domain';
import { firstOfTwins, type TestRunRecord } from '../runs/test-run.row';
import {
  counted,
  fine,
  intervalText,
  LEAST_POINTS,
  LEAST_VIOLATIONS,
  number,
  pointsText,
  pText,
} from './comparison-words';
import type { EarlierSide } from './run-pairs.store';
import type { Twins } from './twin-lines';
import type { FamilyMember, PairedOutcome } from './twin-pairs.store';
import type { ComparisonVerdict, PairsOfTwins, QuestionTest, TwinCriteriaGroup } from '../../../contract/comparison';
import type { SpokenView } from '../../../contract/spoken';

type Twin = Pick<TestRunRecord, 'id' | 'test_run_id' | 'twin_of' | 'agent_id' | 'trials' | 'spoken'>;

type TwoRuns = Readonly<Record<'before' | 'after', Twin>>;

/** Whether one was started as the twin of the other, or both of a third. */
export function areTwins({ before, after }: TwoRuns): boolean {
  return firstOfTwins(before) === firstOfTwins(after);
}

/** @throws BadRequestException that says what the two have not in common */
export function assertTwins(runs: TwoRuns, sides: Readonly<Record<'before' | 'after', EarlierSide>>): void {
  if (areTwins(runs)) return;
  const { before, after } = runs;
  throw new BadRequestException(
    `as: ${before.test_run_id} and ${after.test_run_id} are no twins: ${whyNot(runs, sides)}. ` +
      'Start a twin with twin_of (osce run --twin-of), or leave as out to compare them scenario by scenario.',
  );
}

function whyNot({ before, after }: TwoRuns, sides: Readonly<Record<'before' | 'after', EarlierSide>>): string {
  if (before.agent_id !== after.agent_id) return 'they examined different agents';
  if (scenariosOf(sides.before) !== scenariosOf(sides.after))
    return 'they have different scenarios, or other versions of them';
  if (before.trials !== after.trials) return 'they have different numbers of trials';
  return 'they were started apart, so their seeds differ';
}

function scenariosOf({ tallies }: EarlierSide): string {
  return tallies.scenarios
    .map(({ scenario_id, content_hash }) => `${scenario_id} ${content_hash}`)
    .sort()
    .join('\n');
}

/** What a comparison of the scenarios of two twins has found. */
export interface FoundOfTwins {
  readonly tests: readonly QuestionTest[];
  readonly criteria: readonly TwinCriteriaGroup[];
  readonly verdict: ComparisonVerdict;
  readonly confidencePercent: number;
}

/** The two pair by pair, and what the difference between the two ways comes to. */
export function pairsOfTwins(
  runs: TwoRuns,
  { outcomes, against, lines }: Pick<Twins, 'outcomes' | 'against' | 'lines'>,
  found: FoundOfTwins,
): PairsOfTwins {
  const graded = outcomes.filter(({ before, after }) => isGraded(before) && isGraded(after));
  const countOf = (before: string, after: string): number =>
    sum(graded.filter((one) => one.before === before && one.after === after));
  const pairs = {
    total: sum(outcomes),
    compared: sum(graded),
    both_passed: countOf('passed', 'passed'),
    only_before_passed: countOf('passed', 'failed'),
    only_after_passed: countOf('failed', 'passed'),
    neither_passed: countOf('failed', 'failed'),
  };
  const [before, after] = waysOf(runs);
  return {
    before,
    after,
    sentence: sentenceOf({ ...found, runs, ways: [before, after], pairs, lines: lines.length }),
    pairs,
    not_compared: reasonsOf(outcomes),
    criteria: [...found.criteria],
    against: twinView(against),
    lines: lines.map(twinView),
    adjustment: adjustmentOf(against, lines),
  };
}

function twinView({ id, test_run_id, spoken }: FamilyMember): PairsOfTwins['against'] {
  return { id, test_run_id, way: wayInWords(spoken) };
}

function adjustmentOf(against: FamilyMember, lines: readonly FamilyMember[]): string {
  const [only, ...more] = lines;
  const other = wayInWords(against.spoken);
  if (only !== undefined && more.length === 0) {
    return `The p-values are adjusted for what is asked of ${wayInWords(only.spoken)} against ${other}: no other line of the family has ended.`;
  }
  const ways = lines.map(({ spoken, test_run_id }) => `${wayInWords(spoken)} (${test_run_id})`);
  return `The p-values are adjusted by Holm’s method for all ${lines.length} lines together, each against ${other}: ${ways.join('; ')}.`;
}

function isGraded(status: string): boolean {
  return status === 'passed' || status === 'failed';
}

function sum(outcomes: readonly PairedOutcome[]): number {
  return outcomes.reduce((total, { count }) => total + count, 0);
}

function reasonsOf(outcomes: readonly PairedOutcome[]): PairsOfTwins['not_compared'] {
  const reasons = new Map<string, PairsOfTwins['not_compared'][number]>();
  for (const { before, before_error, after, after_error, count } of outcomes) {
    const ends = [['before', before, before_error] as const, ['after', after, after_error] as const];
    for (const [run, status, error_code] of ends) {
      if (isGraded(status)) continue;
      const key = `${run} ${status} ${error_code ?? ''}`;
      reasons.set(key, { run, status, error_code, count: (reasons.get(key)?.count ?? 0) + count });
    }
  }
  return [...reasons.values()].sort((one, other) => other.count - one.count);
}

/** How each was held, in no more words than tell the two apart. */
function waysOf({ before, after }: TwoRuns): [before: string, after: string] {
  const [was, is] = [before.spoken, after.spoken];
  const ways: [string, string] = [wayInWords(was), wayInWords(is)];
  if (ways[0] !== ways[1] || was === null || is === null) return ways;
  return [`${ways[0]}, ${furtherOf(was)}`, `${ways[1]}, ${furtherOf(is)}`];
}

function furtherOf({ voice_engine, rate }: SpokenView): string {
  return `voice ${voice_engine.voice}${rate === 1 ? '' : ` at ${rate} times its rate`}`;
}

interface Said extends FoundOfTwins {
  readonly runs: TwoRuns;
  readonly ways: readonly [before: string, after: string];
  readonly pairs: PairsOfTwins['pairs'];
  readonly lines: number;
}

function sentenceOf({ runs, ways, pairs, lines, tests, verdict, confidencePercent }: Said): string {
  const of = `${counted(pairs.compared, 'pair')} of conversations in ${counted(tests[0]?.scenarios ?? 0, 'scenario')}`;
  const asked = tests.filter(({ scenarios, before }) => scenarios > 0 && before !== null);
  if (pairs.compared === 0 || asked.length === 0) {
    return `${titleOf(runs)}: cannot tell, since no pair of conversations has two verdicts.`;
  }
  const moves = asked.map((test) => movement(test, confidencePercent));
  const adjusted = lines > 1 ? ` Adjusted for ${lines} lines together.` : '';
  return `${titleOf(runs)}: ${ways[1]} against ${ways[0]}, ${moves.join('; ')}; ${of}.${adjusted}${BY_CHANCE[verdict]}`;
}

/** What may be said of it: a difference that is shown needs no words more. */
const BY_CHANCE: Readonly<Record<ComparisonVerdict, string>> = {
  better: '',
  worse: '',
  mixed: '',
  no_evidence: ' All of that is within chance.',
  cannot_tell: ' These runs cannot tell whether that is chance.',
};

/** A text run first says what voice costs, two spoken runs what the way to the agent's ear does. */
function titleOf({ before, after }: TwoRuns): string {
  if (before.spoken === null && after.spoken !== null) return 'What voice costs';
  if (before.spoken !== null && after.spoken === null) return 'What text gains';
  return before.spoken?.line === after.spoken?.line ? 'What the change of sound costs' : 'What the line costs';
}

function movement(test: QuestionTest, confidencePercent: number): string {
  const { on, difference, before, after, adjusted_p_value: p } = test;
  const [was, is, moved] = [before ?? 0, after ?? 0, difference ?? 0];
  const numbers = `${intervalText(test, confidencePercent)}${p === null ? '' : `, adjusted p = ${pText(p)}`}`;
  if (on === 'must_pass') {
    const rise =
      Math.abs(moved) < LEAST_VIOLATIONS
        ? 'no more nor fewer'
        : `${fine(Math.abs(moved))} ${moved < 0 ? 'more' : 'fewer'}`;
    return `${rise} must-pass violations per conversation (${fine(is)} against ${fine(was)}; ${numbers})`;
  }
  const what = on === 'passed' ? 'pass rate' : 'mean score';
  const by =
    Math.abs(moved) < LEAST_POINTS ? 'the same' : `${pointsText(Math.abs(moved))} ${moved < 0 ? 'lower' : 'higher'}`;
  return `the ${what} is ${by} (${number(is)} against ${number(was)} %; ${numbers})`;
}
