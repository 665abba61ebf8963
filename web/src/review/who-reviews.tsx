import type { ReviewSheet } from '../api/reviews';
import { useMe } from '../parts/permissions';
import { Name } from '../parts/untrusted-text';

/** How the service identifies the reviewer, and whether the review will be blind. The service decides both. */
export function WhoReviews({ you }: Pick<ReviewSheet, 'you'>) {
  const { key_name: key, reviewer, not_blind_because: reason } = you;
  const isPerson = useMe()?.signed_in === true;
  return (
    <>
      <p className="quiet">
        {isPerson ? (
          <>
            You review as <Name>{key ?? ''}</Name>, who is signed in.
          </>
        ) : key === null ? (
          'This service has no keys: only your name distinguishes you from other reviewers.'
        ) : (
          <>
            All reviews made with key <Name>{key}</Name> count as one reviewer, whatever name is entered.
          </>
        )}{' '}
        {reviewer !== null && (
          <>
            {isPerson ? 'You have' : 'It has'} reviewed this conversation as <Name>{reviewer}</Name>; your review
            replaces that one.
          </>
        )}
      </p>
      {reason !== null && (
        <p className="notice">
          Not blind: <Name>{reason}</Name> Your review counts for the verdict, but not for the agreement with the judge.
        </p>
      )}
    </>
  );
}
