import { othersTurn } from '../../platform/concurrency';
import type { LabelledRow, SettledMark, StoredCriterion } from './calibrations.store';
import { agreementOf, SCALE, type Agreement, type RatedPair, type RatedTranscript } from '../../domain/statistics';
import type { AgreementView, CalibrationResult } from '../../../contract/calibrations';

const CONFIDENCE_PERCENT = 95;
const MOST_RATERS = 50;
const MOST_DISAGREEMENTS = 200;
const LONGEST_RATIONALE = 1_000;
const MOST_QUOTES = 5;
const LONGEST_QUOTE = 1_000;

/** A transcript with its labels, and the examinations that came to marks. */
interface Marked {
  readonly itemId: string;
  readonly criteria: readonly StoredCriterion[];
  readonly marks: readonly SettledMark[];
}

/** The result of a calibration: its marks, compared with its labels. */
export async function calibrationResultOf(
  labelled: readonly LabelledRow[],
  settled: readonly SettledMark[],
): Promise<CalibrationResult> {
  const byPosition = new Map<number, SettledMark[]>();
  for (const mark of settled) {
    if (mark.marks === null) continue;
    const others = byPosition.get(mark.position);
    if (others === undefined) byPosition.set(mark.position, [mark]);
    else others.push(mark);
  }
  const items = labelled.map(({ position, itemId, criteria }): Marked => ({
    itemId,
    criteria,
    marks: byPosition.get(position) ?? [],
  }));
  const disagreements = items.flatMap(disagreementsIn);
  const raters = new Set(
    labelled.flatMap(({ criteria }) => criteria.flatMap(({ labels }) => labels.map((l) => l.rater))),
  );
  const hasDoubtful = labelled.some(({ criteria }) => criteria.some(({ doubtful }) => doubtful));
  const people = items.map(peopleIn);
  return {
    confidence: CONFIDENCE_PERCENT,
    raters: [...raters].slice(0, MOST_RATERS),
    agreement: await agreementIn(items.map((item) => judgedIn(item, () => true))),
    agreement_clear: hasDoubtful
      ? await agreementIn(items.map((item) => judgedIn(item, ({ doubtful }) => !doubtful)))
      : null,
    human_agreement: people.some((pairs) => pairs.length > 0) ? await agreementIn(people) : null,
    consistency: {
      repeats: consistencyOf(items, (one, other) => one.seed === other.seed),
      orders: consistencyOf(items, (one, other) => one.seed !== other.seed),
    },
    controls: controlsIn(settled),
    disputed: settled.reduce((sum, { marks }) => sum + (marks ?? []).filter(({ disputed }) => disputed).length, 0),
    failed: failuresIn(settled),
    usage: usageIn(settled),
    disagreements: disagreements.slice(0, MOST_DISAGREEMENTS),
    disagreements_total: disagreements.length,
  };
}

function judgedIn({ criteria, marks }: Marked, isMeant: (criterion: StoredCriterion) => boolean): RatedPair[] {
  return criteria.flatMap((criterion, at) =>
    isMeant(criterion)
      ? marks.flatMap((mark) => {
          const decided = mark.marks?.[at]?.decision;
          if (decided === undefined) return [];
          return criterion.labels.map(({ decision }) => pairOf(decision, decided, criterion.points));
        })
      : [],
  );
}

/** Every two raters of a criterion, in the order of their names: the same person always stands on the same side. */
function peopleIn({ criteria }: Marked): RatedPair[] {
  return criteria.flatMap(({ labels, points }) => {
    const named = [...labels].sort((one, other) => (one.rater < other.rater ? -1 : 1));
    return named.flatMap((one, at) => named.slice(at + 1).map((other) => pairOf(one.decision, other.decision, points)));
  });
}

function pairOf(one: (typeof SCALE)[number], other: (typeof SCALE)[number], points: number): RatedPair {
  return { one: SCALE.indexOf(one), other: SCALE.indexOf(other), isFault: points < 0 };
}

/** Resamples that take some milliseconds of the event loop. */
const DRAWS_A_TURN = 100_000;

async function agreementIn(transcripts: readonly RatedTranscript[]): Promise<AgreementView> {
  const steps = agreementOf(transcripts, CONFIDENCE_PERCENT / 100);
  const aTurn = Math.max(1, Math.floor(DRAWS_A_TURN / Math.max(1, transcripts.length)));
  for (let done = 1; ; done += 1) {
    const step = steps.next();
    if (step.done === true) return viewOfAgreement(step.value);
    if (done % aTurn === 0) await othersTurn();
  }
}

function viewOfAgreement({ macroF1, sensitivity, specificity, confusion, ...same }: Agreement): AgreementView {
  return {
    ...same,
    confusion: confusion.map((row) => [...row]),
    macro_f1: macroF1,
    fault_sensitivity: sensitivity,
    fault_specificity: specificity,
  };
}

/** For every two examinations of a transcript that are meant, the share of criteria that both marked alike. */
function consistencyOf(
  items: readonly Marked[],
  isMeant: (one: SettledMark, other: SettledMark) => boolean,
): CalibrationResult['consistency']['repeats'] {
  let [pairs, same] = [0, 0];
  for (const { criteria, marks } of items) {
    for (const [one, other] of everyTwo(marks).filter((two) => isMeant(...two))) {
      pairs += criteria.length;
      same += criteria.filter((_, at) => one.marks?.[at]?.decision === other.marks?.[at]?.decision).length;
    }
  }
  return { pairs, same, value: pairs === 0 ? null : same / pairs };
}

function everyTwo<Item>(items: readonly Item[]): [one: Item, other: Item][] {
  return items.flatMap((one, at) => items.slice(at + 1).map((other): [Item, Item] => [one, other]));
}

function disagreementsIn({ itemId, criteria, marks }: Marked): CalibrationResult['disagreements'] {
  return criteria.flatMap(({ criterion, points, doubtful, labels }, at) => {
    const given = marks.flatMap(({ marks: own }) => own?.[at] ?? []);
    const differing = given.find((mark) => labels.some(({ decision }) => decision !== mark.decision));
    if (differing === undefined) return [];
    return [
      {
        item_id: itemId,
        criterion,
        points,
        doubtful,
        labels: labels.map(({ rater, decision }) => ({ rater, decision })),
        decisions: given.map(({ decision }) => decision),
        rationale: differing.rationale.slice(0, LONGEST_RATIONALE).toWellFormed(),
        evidence: differing.evidence.slice(0, MOST_QUOTES).map(({ turn, quote }) => ({
          turn,
          quote: quote.slice(0, LONGEST_QUOTE).toWellFormed(),
        })),
      },
    ];
  });
}

function controlsIn(settled: readonly SettledMark[]): CalibrationResult['controls'] {
  const controls = settled.flatMap(({ record }) => record.judge_controls ?? []);
  const [asked, wrong] = [sumOf(controls.map((one) => one.asked)), sumOf(controls.map((one) => one.wrong))];
  return { asked, wrong, share: asked === 0 ? null : wrong / asked };
}

function usageIn(settled: readonly SettledMark[]): CalibrationResult['usage'] {
  const spent = settled.flatMap(({ record }) => record.usage?.judge ?? []);
  const costs = spent.flatMap(({ cost_usd }) => (cost_usd === null ? [] : [cost_usd]));
  return {
    calls: sumOf(spent.map(({ calls }) => calls)),
    input_tokens: sumOf(spent.map(({ input_tokens }) => input_tokens)),
    output_tokens: sumOf(spent.map(({ output_tokens }) => output_tokens)),
    cost_usd: costs.length < spent.length ? null : sumOf(costs),
    answered_by: [...new Set(settled.flatMap(({ record }) => record.judge?.answered_by ?? []))],
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** Most often first. */
function failuresIn(settled: readonly SettledMark[]): CalibrationResult['failed'] {
  const found = new Map<string, { kind: string; count: number; message: string }>();
  for (const { errorKind, errorMessage } of settled) {
    if (errorKind === null) continue;
    const one = found.get(errorKind) ?? { kind: errorKind, count: 0, message: errorMessage ?? '' };
    one.count += 1;
    found.set(errorKind, one);
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}
