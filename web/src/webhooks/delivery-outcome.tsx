import type { Delivery } from '../api/webhooks';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';

/** The outcome of a delivery; for one that did not arrive, the reason. */
export function DeliveryOutcome({ delivery }: { readonly delivery: Delivery }) {
  const { status, last_status_code, last_error, response_excerpt, next_attempt_at } = delivery;
  return (
    <>
      <span className={`status ${STATUS_LOOKS[status] ?? 'pending'}`}>
        <span className="sign" aria-hidden="true">
          {SIGNS[status] ?? '·'}
        </span>
        <Name>{WORDS[status] ?? status}</Name>
      </span>
      {last_error === null && last_status_code !== null && <span className="quiet"> Answered {last_status_code}.</span>}
      {last_error !== null && (
        <span className="why">
          {' '}
          <Name>{last_error}</Name>
        </span>
      )}
      {status === 'pending' && last_error !== null && next_attempt_at !== null && (
        <span className="quiet">
          {' '}
          Next attempt: <Time at={next_attempt_at} toTheSecond />.
        </span>
      )}
      {last_error !== null && response_excerpt !== null && (
        <code className="excerpt">
          <Name>{response_excerpt}</Name>
        </code>
      )}
    </>
  );
}

const WORDS: Readonly<Record<string, string>> = { pending: 'waiting', delivered: 'delivered', failed: 'gave up' };
const SIGNS: Readonly<Record<string, string>> = { pending: '·', delivered: '✓', failed: '✗' };
/** The scenario run statuses with the same colours. */
const STATUS_LOOKS: Readonly<Record<string, string>> = { pending: 'pending', delivered: 'passed', failed: 'failed' };
