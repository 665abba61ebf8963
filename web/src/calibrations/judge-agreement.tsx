import { DECISIONS } from '../../../src/domain';
import type { CalibrationResult, LabelAgreement } from '../api/calibrations';
import { ConfusionMatrix } from '../parts/confusion-matrix';
import { MeasureTable, type Measure, type MeasureRow } from '../parts/measure-table';
import { counted } from '../parts/numbers';

/** How far the marks of a judge agree with the labels, beside the agreement of people on the same transcripts. */
export function JudgeAgreement({ result }: { readonly result: CalibrationResult }) {
  const { agreement, agreement_clear: clear, human_agreement: people } = result;
  const columns = [
    { whose: 'Judge and labels', of: agreement },
    ...(clear === null ? [] : [{ whose: 'Without the doubtful criteria', of: clear }]),
    ...(people === null ? [] : [{ whose: 'Raters among themselves', of: people }]),
  ];
  return (
    <section className="panel stack agreement" aria-labelledby="agreement-title">
      <h2 id="agreement-title">Agreement with the labels</h2>
      <p>
        {counted(agreement.pairs, 'decision')} compared, on {counted(agreement.transcripts, 'transcript')}; intervals of{' '}
        {result.confidence} %. κ alone misleads where nearly everything is met: read it with AC1.
        {people !== null && ' No judge can be asked to agree with people better than people agree among themselves.'}
      </p>
      <MeasureTable
        caption={`Agreement, with intervals of ${result.confidence} %`}
        between={columns.map(({ whose }) => whose)}
        rows={ROWS.map(({ of, ...row }) => ({ ...row, values: columns.map((column) => of(column.of)) }))}
      />
      <ConfusionMatrix
        caption="Labels (rows) and decisions of the judge (columns)"
        decisions={DECISIONS}
        counts={agreement.confusion}
      />
    </section>
  );
}

const ROWS: readonly (Omit<MeasureRow, 'values'> & { readonly of: (agreement: LabelAgreement) => Measure })[] = [
  { name: 'Same decision', of: ({ raw }) => percentOf(raw), inPercent: true },
  { name: 'Cohen’s κ', of: ({ kappa }) => kappa },
  { name: 'Gwet’s AC1', of: ({ ac1 }) => ac1 },
  { name: 'Macro-F1 of MET and NOT MET', of: ({ macro_f1 }) => macro_f1 },
  { name: 'Faults found (sensitivity)', of: ({ fault_sensitivity }) => percentOf(fault_sensitivity), inPercent: true },
  {
    name: 'No fault found where there is none (specificity)',
    of: ({ fault_specificity }) => percentOf(fault_specificity),
    inPercent: true,
  },
];

/** @param share 0..1 */
function percentOf({ value, low, high, reason }: Measure): Measure {
  const percent = (share: number | null) => (share === null ? null : share * 100);
  return { value: percent(value), low: percent(low), high: percent(high), reason };
}
