import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import { getReviewSheet, type Review, type ReviewSheet } from '../api/reviews';
import { Listening } from '../listening/listening';
import { LoadedPage } from '../parts/loaded';
import { Allowed } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { pointsText } from '../parts/numbers';
import { Said } from '../parts/said';
import { Name } from '../parts/untrusted-text';
import { ReviewForm } from './review-form';
import { WhereTheyDiffer } from './where-they-differ';

/** A conversation for a blind review: the page does not request the judge's marks before the review is sent. */
export function ReviewPage() {
  const { id = '' } = useParams();
  const sheet = useQuery({
    queryKey: ['review-sheet', id],
    queryFn: ({ signal }) => getReviewSheet(id, signal),
    refetchOnWindowFocus: false,
    // Marks may have been shown since the last time.
    gcTime: 0,
  });
  return (
    <LoadedPage query={sheet} title="Review" above={{ href: `/scenario-runs/${id}`, label: 'Scenario run' }}>
      {(found) => <Found key={id} sheet={found} />}
    </LoadedPage>
  );
}

/** What the form shows, for keys that may not review. */
function SheetText({ sheet: { transcript, criteria } }: { readonly sheet: ReviewSheet }) {
  return (
    <div className="marking">
      <section className="transcript" aria-labelledby="conversation-title">
        <h2 id="conversation-title">Conversation</h2>
        <Said transcript={transcript} />
      </section>
      <section className="checklist" aria-labelledby="criteria-title">
        <h2 id="criteria-title">What it is marked on</h2>
        <ul className="bulleted">
          {criteria.map(({ index, criterion, points }) => (
            <li key={index}>
              <Name>{criterion}</Name> <span className="quiet number">{pointsText(points)}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function Found({ sheet }: { readonly sheet: ReviewSheet }) {
  const queries = useQueryClient();
  const [review, setReview] = useState<Review | null>(null);
  const [isByEar, setByEar] = useState(false);
  const reviewed = (made: Review) => {
    setReview(made);
    for (const key of ['review-queue', 'review-sheet', 'reviews', 'agreement', 'statistics']) {
      void queries.invalidateQueries({ queryKey: [key], refetchType: 'none' });
    }
  };
  return (
    <>
      <PageHead
        title={`Review: ${sheet.scenario_name}`}
        above={{ href: `/runs/${sheet.test_run_id}/review`, label: 'Review queue' }}
        // The patient opens with these words.
        lead={isByEar ? undefined : (sheet.chief_complaint ?? undefined)}
      />
      {review === null ? (
        <Listening
          scenarioRunId={sheet.scenario_run_id}
          transcript={sheet.transcript}
          isOver
          results={null}
          hidesWords={isByEar}
        >
          <Allowed to="review" otherwise={<SheetText sheet={sheet} />}>
            <ReviewForm sheet={sheet} isByEar={isByEar} onByEar={setByEar} onReviewed={reviewed} />
          </Allowed>
        </Listening>
      ) : (
        <WhereTheyDiffer sheet={sheet} review={review} />
      )}
    </>
  );
}
