import type { LabelDisagreement } from '../api/calibrations';
import { counted, pointsText } from '../parts/numbers';
import { Name, UntrustedText } from '../parts/untrusted-text';

interface Props {
  readonly listed: readonly LabelDisagreement[];
  /** Number of criteria, including those that are not listed. */
  readonly total: number;
}

/** The criteria on which judge and labels differ: a reader should read them before any number. */
export function Differences({ listed, total }: Props) {
  return (
    <section className="panel stack" aria-labelledby="differences-title">
      <h2 id="differences-title">Where judge and labels differ</h2>
      {total === 0 ? (
        <p className="quiet">Every mark matches its label.</p>
      ) : (
        <p>
          {counted(total, 'criterion', 'criteria')}. Read them before the numbers: the judge is not always the one who
          is wrong.
          {listed.length < total && ` The first ${listed.length} are shown.`}
        </p>
      )}
      {listed.length > 0 && (
        <ol className="plain contradictions">
          {listed.map((difference, place) => (
            <li key={place}>
              <Difference of={difference} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Difference({ of }: { readonly of: LabelDisagreement }) {
  const { item_id, criterion, points, doubtful, labels, decisions, rationale, evidence } = of;
  return (
    <article className="stack contradiction">
      <h3>
        <Name>{criterion}</Name>
      </h3>
      <p className="quiet small">
        <Name>{item_id}</Name> · {pointsText(points)} {Math.abs(points) === 1 ? 'point' : 'points'}
        {doubtful && ' · doubtful: clinicians may differ about it'}
      </p>
      <dl className="told">
        {labels.map(({ rater, decision }) => (
          <div key={rater}>
            <dt>
              <Name>{rater}</Name>
            </dt>
            <dd>
              <Name>{decision}</Name>
            </dd>
          </div>
        ))}
        <div>
          <dt>Judge</dt>
          <dd>
            <strong>
              <Name>{decidedText(decisions)}</Name>
            </strong>
          </dd>
        </div>
      </dl>
      {rationale !== '' && (
        <p>
          <UntrustedText text={rationale} />
        </p>
      )}
      {evidence.map(({ turn, quote }, place) => (
        <blockquote key={place}>
          <UntrustedText text={quote} /> <span className="quiet small">Turn {turn}</span>
        </blockquote>
      ))}
    </article>
  );
}

/** The decisions of all repeats: `MET`, `MET, 3 times`, `MET, NOT MET, MET`. */
function decidedText(decisions: readonly string[]): string {
  const [first] = decisions;
  if (first === undefined || decisions.length === 1) return first ?? '–';
  return decisions.every((decision) => decision === first)
    ? `${first}, ${decisions.length} times`
    : decisions.join(', ');
}
