import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { getReviewQueue, type Review, type ReviewSheet } from '../api/reviews';
import { getScenarioRun, type ScenarioRunDetail } from '../api/scenario-runs';
import { Loaded } from '../parts/loaded';
import { counted, percentText } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';

interface Props {
  readonly sheet: ReviewSheet;
  readonly review: Review;
}

/** The judge's decisions beside those of the review just sent, and the way to the next conversation. */
export function WhereTheyDiffer({ sheet, review }: Props) {
  const judged = useQuery({
    queryKey: ['scenario-run', sheet.scenario_run_id],
    queryFn: ({ signal }) => getScenarioRun(sheet.scenario_run_id, signal),
  });
  const queue = useQuery({
    queryKey: ['review-queue', sheet.test_run_id, review.reviewer, 'next', review.id],
    queryFn: ({ signal }) =>
      getReviewQueue(sheet.test_run_id, { reviewer: review.reviewer, open: true, limit: 1 }, signal),
  });
  const [next] = queue.data?.results ?? [];
  const progress = queue.data?.progress;
  return (
    <section className="stack" aria-labelledby="differ-title">
      <h2 id="differ-title">You and the judge</h2>
      {review.not_blind_because !== null && (
        <p className="notice">
          Stored as not blind: <Name>{review.not_blind_because}</Name>
        </p>
      )}
      <Loaded query={judged}>{(run) => <Compared run={run} review={review} />}</Loaded>
      {progress !== undefined && (
        <p role="status">
          {progress.reviewed} of {counted(progress.to_review, 'conversation')} in the queue reviewed by you.
        </p>
      )}
      <div className="actions">
        {next === undefined ? (
          queue.data !== undefined && (
            <GoOn href={`/runs/${sheet.test_run_id}/review`} label="Back to the queue: all done" />
          )
        ) : (
          <GoOn href={`/scenario-runs/${next.scenario_run_id}/review`} label="Next conversation" />
        )}
        <Link href={`/scenario-runs/${sheet.scenario_run_id}`} className="button">
          Open the scenario run
        </Link>
      </div>
    </section>
  );
}

/** Has the focus, so that Enter goes on. */
function GoOn({ href, label }: { readonly href: string; readonly label: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => link.current?.focus(), []);
  return (
    <Link href={href} className="button primary next" ref={link}>
      {label}
    </Link>
  );
}

function Compared({ run, review }: { readonly run: ScenarioRunDetail; readonly review: Review }) {
  const results = run.criteria_results ?? [];
  const rows = review.criteria.map(({ index, criterion, decision }) => ({
    index,
    criterion,
    yours: decision,
    judges: results[index]?.decision ?? null,
    rationale: results[index]?.rationale ?? '',
  }));
  const differing = rows.filter(({ yours, judges }) => yours !== judges);
  return (
    <>
      <p>
        {differing.length === 0
          ? 'You agree on every criterion.'
          : `You differ on ${differing.length} of ${counted(rows.length, 'criterion', 'criteria')}.`}{' '}
        By you it {review.passed ? 'passes' : 'fails'} with {percentText(review.score_percent)}, by the judge it{' '}
        {run.passed === true ? 'passes' : 'fails'}
        {run.score_percent !== null && ` with ${percentText(run.score_percent)}`}.
      </p>
      <div className="table-frame">
        <table className="rows differ">
          <thead>
            <tr>
              <th scope="col">Criterion</th>
              <th scope="col">You</th>
              <th scope="col">Judge</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ index, criterion, yours, judges, rationale }) => (
              <tr key={index} className={yours === judges ? undefined : 'differs'}>
                <th scope="row">
                  <Name>{criterion}</Name>
                </th>
                <td>{yours}</td>
                <td>
                  {judges === yours ? 'the same' : <strong>{judges ?? '–'}</strong>}
                  {judges !== yours && rationale !== '' && (
                    <p className="quiet">
                      <Name>{rationale}</Name>
                    </p>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
