import type { ComparisonVerdict, QuestionTest } from '../../../contract/comparison';
import {
  isWorse,
  obstacleTo,
  shownOf,
  verdictOf,
  type Conclusion,
  type PairEvidence,
} from '../statistics/comparison-verdict';
import {
  counted,
  fine,
  LEAST_POINTS,
  LEAST_VIOLATIONS,
  number,
  pointsText,
  pText,
} from '../statistics/comparison-words';
import type { SideWords } from '../statistics/comparison-doubts';

/** What two runs of a set are called. */
export interface PairTitles {
  readonly before: string;
  readonly after: string;
}

/** How two runs of a set differ, and whether chance explains it; the one that does better is named first. */
export function concludePair(evidence: PairEvidence, titles: PairTitles): Conclusion {
  const obstacle = obstacleTo(evidence, sideWords(titles));
  const { before, after } = titles;
  if (obstacle !== null) {
    return { verdict: 'cannot_tell', grounds: [], sentence: `Cannot tell ${before} and ${after} apart: ${obstacle}` };
  }
  const { shown, others } = shownOf(evidence);
  const said = (tests: readonly QuestionTest[]): string =>
    tests.map((test) => `${differenceText(test, titles)} (${numbersOf(test, evidence)})`).join('; ');
  if (shown.length === 0) {
    const sentence = `No evidence that ${before} and ${after} differ: ${said(others)}.`;
    return { verdict: 'no_evidence', grounds: [], sentence };
  }
  const verdict = verdictOf(shown);
  const moved = others.filter(hasMoved);
  return {
    verdict,
    grounds: shown.map(({ on }) => on),
    sentence: [
      `${verdict === 'mixed' ? 'Mixed: ' : ''}${said(shown)}.`,
      ...(moved.length === 0 ? [] : [`No evidence either way: ${said(moved)}.`]),
    ].join(' '),
  };
}

/** By more than is shown as 0. */
function hasMoved({ on, difference }: QuestionTest): boolean {
  return Math.abs(difference ?? 0) >= (on === 'must_pass' ? LEAST_VIOLATIONS : LEAST_POINTS);
}

/** How sentences about what differs beside the agents tell the two runs apart. */
export function sideWords({ before, after }: PairTitles): SideWords {
  return { before: `with ${before}`, after: `with ${after}` };
}

const DIFFER = 'The two runs differ by more than chance explains.';

const OF_ONE_PAIR: Readonly<Record<ComparisonVerdict, string>> = {
  better: DIFFER,
  worse: DIFFER,
  mixed: DIFFER,
  no_evidence: 'No evidence that the two runs differ.',
  cannot_tell: 'Whether the two runs differ cannot be told.',
};

/** How many pairs differ, of those of which anything can be said. */
export function sentenceOfPairs(verdicts: readonly ComparisonVerdict[]): string {
  if (verdicts.length === 0) return 'One run is left of this set: there is nothing to compare it with.';
  const [only, ...others] = verdicts;
  if (only !== undefined && others.length === 0) return OF_ONE_PAIR[only];
  const differ = verdicts.filter((one) => one !== 'no_evidence' && one !== 'cannot_tell').length;
  const open = verdicts.filter((one) => one === 'cannot_tell').length;
  const of = counted(verdicts.length, 'pair');
  if (open === verdicts.length) return `Of none of the ${of} can it be told whether its runs differ.`;
  const said =
    differ === 0
      ? `No evidence that the runs of any of ${of} differ.`
      : `${counted(differ, 'pair')} of ${verdicts.length} ${differ === 1 ? 'differs' : 'differ'} by more than chance explains.`;
  return open === 0 ? said : `${said} Of ${counted(open, 'pair')} it cannot be told.`;
}

function differenceText(test: QuestionTest, titles: PairTitles): string {
  const by = Math.abs(test.difference ?? 0);
  const [better, other] = isWorse(test) ? [titles.before, titles.after] : [titles.after, titles.before];
  switch (test.on) {
    case 'passed':
      return !hasMoved(test)
        ? `both pass ${number(test.after ?? 0)} % of the time`
        : `${better} passes ${pointsText(by)} more often than ${other}`;
    case 'score':
      return !hasMoved(test)
        ? `both score ${number(test.after ?? 0)} %`
        : `${better} scores ${pointsText(by)} higher than ${other}`;
    case 'must_pass':
      return !hasMoved(test)
        ? `both violate ${fine(test.after ?? 0)} must-pass criteria per conversation`
        : `${better} violates ${fine(by)} fewer must-pass criteria per conversation than ${other}`;
  }
}

/** The interval in the direction of the words. */
function numbersOf(test: QuestionTest, { confidencePercent }: PairEvidence): string {
  const text = test.on === 'must_pass' ? fine : number;
  const { low, high } = { low: test.low ?? 0, high: test.high ?? 0 };
  const [from, to] = isWorse(test) ? [-high, -low] : [low, high];
  return `${number(confidencePercent)} % interval ${text(from)} to ${text(to)}, adjusted p = ${pText(test.adjusted_p_value ?? 1)}`;
}
