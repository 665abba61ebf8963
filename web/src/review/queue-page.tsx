import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { getReviewQueue, type ReviewQueue } from '../api/reviews';
import { Empty } from '../parts/empty';
import { LoadedPage } from '../parts/loaded';
import { counted } from '../parts/numbers';
import { PageHead } from '../parts/page-head';
import { Name } from '../parts/untrusted-text';
import { AgreementPanel } from './agreement-panel';
import { reviewerName } from './reviewer-name';

const SHOWN = 100;

/** The conversations of a run to review, and what the reviews so far say about the judge. */
export function ReviewQueuePage() {
  const { id = '' } = useParams();
  const reviewer = reviewerName.get();
  const queue = useQuery({
    queryKey: ['review-queue', id, reviewer],
    queryFn: ({ signal }) => getReviewQueue(id, { reviewer, open: false, limit: SHOWN }, signal),
  });
  return (
    <LoadedPage query={queue} title="Review" above={{ href: `/runs/${id}`, label: 'The run' }}>
      {(found) => <Found runId={id} reviewer={reviewer} queue={found} />}
    </LoadedPage>
  );
}

interface Props {
  readonly runId: string;
  readonly reviewer: string;
  readonly queue: ReviewQueue;
}

function Found({ runId, reviewer, queue }: Props) {
  const { results, progress, total } = queue;
  const next = results.find((entry) => !entry.is_reviewed);
  return (
    <>
      <PageHead
        title="Review what the judge has marked"
        above={{ href: `/runs/${runId}`, label: 'The run' }}
        lead="You read the conversation and decide; only then the judge’s marks are shown."
      >
        {next !== undefined && (
          <Link href={`/scenario-runs/${next.scenario_run_id}/review`} className="button primary">
            {progress.reviewed === 0 ? 'Start' : 'Go on'}
          </Link>
        )}
      </PageHead>
      {total === 0 ? (
        <Empty title="Nothing to review">Only conversations that the judge has marked can be reviewed.</Empty>
      ) : (
        <section className="stack" aria-labelledby="queue-title">
          <h2 id="queue-title">Queue</h2>
          <p role="status">
            {progress.reviewed} of {counted(progress.to_review, 'conversation')} reviewed
            {reviewer !== '' && (
              <>
                {' '}
                by <Name>{reviewer}</Name>
              </>
            )}
            .
            {progress.disagreements > 0 &&
              ` On ${progress.disagreements}, reviewers differ: an adjudicator should decide.`}
          </p>
          <div className="table-frame">
            <table className="rows queue">
              <thead>
                <tr>
                  <th scope="col">Conversation</th>
                  <th scope="col" className="number">
                    Trial
                  </th>
                  <th scope="col">Reviewed by</th>
                </tr>
              </thead>
              <tbody>
                {results.map((entry) => (
                  <tr key={entry.scenario_run_id}>
                    <th scope="row">
                      <Link href={`/scenario-runs/${entry.scenario_run_id}/review`}>
                        <Name>{entry.scenario_name}</Name>
                      </Link>
                    </th>
                    <td className="number">{entry.trial}</td>
                    <td>
                      {entry.reviewers.length === 0 ? (
                        <span className="quiet">no reviewer yet</span>
                      ) : (
                        <Name>{entry.reviewers.join(', ')}</Name>
                      )}
                      {entry.disagreements > 0 &&
                        ` · they differ on ${counted(entry.disagreements, 'criterion', 'criteria')}`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {total > results.length && (
            <p className="quiet">
              The first {results.length} of {total.toLocaleString()}.
            </p>
          )}
        </section>
      )}
      <AgreementPanel runId={runId} />
    </>
  );
}
