import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getAgreement, type Agreement } from '../api/reviews';
import { ConfusionMatrix } from '../parts/confusion-matrix';
import { Loaded } from '../parts/loaded';
import { intervalText, MeasureTable, type Measure, type MeasureRow } from '../parts/measure-table';
import { counted, percentText } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';

/** How far judge and reviewers agree, as a table and as a confusion matrix. */
export function AgreementPanel({ runId }: { readonly runId: string }) {
  const [isAsked, setAsked] = useState(false);
  const agreement = useQuery({
    queryKey: ['agreement', runId],
    queryFn: ({ signal }) => getAgreement(runId, signal),
    enabled: isAsked,
  });
  return (
    <section className="panel stack agreement" aria-labelledby="agreement-title">
      <h2 id="agreement-title">Agreement with the judge</h2>
      {isAsked ? (
        <Loaded query={agreement}>{(found) => <Found agreement={found} />}</Loaded>
      ) : (
        <div className="actions">
          <button type="button" className="button" onClick={() => setAsked(true)}>
            Show the agreement
          </button>
          <span className="quiet">It reveals the judge’s marks: your later reviews of this run will not be blind.</span>
        </div>
      )}
    </section>
  );
}

function Found({ agreement }: { readonly agreement: Agreement }) {
  const { conversations, criteria, raters, not_blind, with_judge, between_reviewers, corrected_pass_rate } = agreement;
  if (conversations === 0) {
    return <p className="quiet">No conversation of this run has been reviewed yet without seeing the judge’s marks.</p>;
  }
  return (
    <>
      <p>
        {counted(criteria, 'criterion', 'criteria')} in {counted(conversations, 'conversation')}, by{' '}
        {counted(raters, 'reviewer')}; the judge was{' '}
        <Name>{agreement.judges.map(({ name, model }) => model ?? name).join(', ')}</Name>.
        {not_blind > 0 && ` ${counted(not_blind, 'conversation')} left out: their reviewers had seen the marks.`}
      </p>
      <MeasureTable
        caption={`Agreement, with intervals of ${agreement.confidence} %`}
        between={['Judge and reviewers', ...(between_reviewers === null ? [] : ['Reviewers among themselves'])]}
        rows={rowsOf(with_judge, between_reviewers)}
      />
      <ConfusionMatrix
        caption="Decisions of reviewers (rows) and of the judge (columns)"
        decisions={with_judge.confusion.decisions}
        counts={with_judge.confusion.counts}
      />
      <p>
        {corrected_pass_rate.value === null ? (
          <>Pass rate without the judge’s errors: not known. {corrected_pass_rate.reason}</>
        ) : (
          <>
            Pass rate without the judge’s errors:{' '}
            <strong className="number">{percentText(corrected_pass_rate.value)}</strong> (
            {intervalText(corrected_pass_rate.low ?? 0, corrected_pass_rate.high ?? 0, true)}); by the judge alone{' '}
            {percentText(corrected_pass_rate.judged ?? 0)}.
          </>
        )}
      </p>
    </>
  );
}

function rowsOf(
  judge: Agreement['with_judge'],
  reviewers: NonNullable<Agreement['between_reviewers']> | null,
): MeasureRow[] {
  const beside = (one: Measure, other?: Measure) => (reviewers === null ? [one] : [one, other ?? null]);
  return [
    { name: 'Same decision', values: beside(judge.raw, reviewers?.raw), inPercent: true },
    { name: 'Cohen’s κ', values: beside(judge.kappa, reviewers?.kappa) },
    { name: 'Gwet’s AC1', values: beside(judge.ac1, reviewers?.ac1) },
    { name: 'Macro-F1 of MET and NOT MET', values: beside(judge.macro_f1, reviewers?.macro_f1) },
    { name: 'Faults found (sensitivity)', values: beside(judge.sensitivity), inPercent: true },
    { name: 'No fault found where there is none (specificity)', values: beside(judge.specificity), inPercent: true },
  ];
}
