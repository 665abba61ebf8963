import { useQuery } from '@tanstack/react-query';
import { getAgreement, type Agreement, type Measure } from '../api/reviews';
import { Loaded } from '../parts/loaded';
import { counted, percentText } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';

/** How far judge and reviewers agree, as a table and as a confusion matrix. */
export function AgreementPanel({ runId }: { readonly runId: string }) {
  const agreement = useQuery({
    queryKey: ['agreement', runId],
    queryFn: ({ signal }) => getAgreement(runId, signal),
  });
  return (
    <section className="panel stack agreement" aria-labelledby="agreement-title">
      <h2 id="agreement-title">Agreement with the judge</h2>
      <Loaded query={agreement}>{(found) => <Found agreement={found} />}</Loaded>
    </section>
  );
}

function Found({ agreement }: { readonly agreement: Agreement }) {
  const { conversations, criteria, raters, not_blind, with_judge, between_reviewers, corrected_pass_rate } = agreement;
  if (conversations === 0) {
    return (
      <p className="quiet">Nobody has reviewed a conversation of this run without seeing the judge’s marks yet.</p>
    );
  }
  return (
    <>
      <p>
        {counted(criteria, 'criterion', 'criteria')} in {counted(conversations, 'conversation')}, by{' '}
        {counted(raters, 'reviewer')}; the judge was{' '}
        <Name>{agreement.judges.map(({ name, model }) => model ?? name).join(', ')}</Name>.
        {not_blind > 0 && ` ${counted(not_blind, 'conversation')} left out: their reviewers had seen the marks.`}
      </p>
      <div className="table-frame">
        <table className="rows measures">
          <caption className="only-read">Agreement, with intervals of {agreement.confidence} %</caption>
          <thead>
            <tr>
              <th scope="col">Measure</th>
              <th scope="col">Judge and reviewers</th>
              {between_reviewers !== null && <th scope="col">Reviewers among themselves</th>}
            </tr>
          </thead>
          <tbody>
            <Row name="Same decision" of={with_judge.raw} other={between_reviewers?.raw} inPercent />
            <Row name="Cohen’s κ" of={with_judge.kappa} other={between_reviewers?.kappa} />
            <Row name="Gwet’s AC1" of={with_judge.ac1} other={between_reviewers?.ac1} />
            <Row name="Macro-F1 of MET and NOT MET" of={with_judge.macro_f1} other={between_reviewers?.macro_f1} />
            <Row
              name="Faults found (sensitivity)"
              of={with_judge.sensitivity}
              inPercent
              hasOther={between_reviewers !== null}
            />
            <Row
              name="No fault found where there is none (specificity)"
              of={with_judge.specificity}
              inPercent
              hasOther={between_reviewers !== null}
            />
          </tbody>
        </table>
      </div>
      <Confusion confusion={with_judge.confusion} />
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

interface RowProps {
  readonly name: string;
  readonly of: Measure;
  readonly other?: Measure | undefined;
  readonly inPercent?: boolean;
  readonly hasOther?: boolean;
}

function Row({ name, of, other, inPercent = false, hasOther = other !== undefined }: RowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <MeasureText of={of} inPercent={inPercent} />
      </td>
      {hasOther && <td>{other === undefined ? '–' : <MeasureText of={other} inPercent={inPercent} />}</td>}
    </tr>
  );
}

function MeasureText({
  of: { value, low, high, reason },
  inPercent,
}: {
  readonly of: Measure;
  readonly inPercent: boolean;
}) {
  return (
    <>
      {value !== null && <strong className="number">{numberText(value, inPercent)}</strong>}
      {low !== null && high !== null && <span className="number"> ({intervalText(low, high, inPercent)})</span>}
      {reason !== null && <span className="quiet"> {reason}</span>}
    </>
  );
}

function Confusion({ confusion: { decisions, counts } }: { readonly confusion: Agreement['with_judge']['confusion'] }) {
  return (
    <div className="table-frame">
      <table className="rows confusion">
        <caption>Decisions of reviewers (rows) and of the judge (columns)</caption>
        <thead>
          <tr>
            <td />
            {decisions.map((decision) => (
              <th key={decision} scope="col" className="number">
                {decision}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {counts.map((row, place) => (
            <tr key={decisions[place]}>
              <th scope="row">{decisions[place]}</th>
              {row.map((count, column) => (
                <td key={decisions[column]} className={column === place ? 'number same' : 'number'}>
                  {count}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function numberText(value: number, inPercent: boolean): string {
  return inPercent ? percentText(value) : value.toFixed(2).replace('-', '−');
}

function intervalText(low: number, high: number, inPercent: boolean): string {
  return `${numberText(low, inPercent)} to ${numberText(high, inPercent)}`;
}
