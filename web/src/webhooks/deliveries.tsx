import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import { sendAgain, sendTest, type Delivery, type WebhookActivity } from '../api/webhooks';
import { Loaded } from '../parts/loaded';
import { Offered, useMay } from '../parts/permissions';
import { Problem } from '../parts/problem';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { useMaking } from '../parts/use-making';
import { DeliveryOutcome } from './delivery-outcome';
import { eventLabel } from './webhook-events';

interface Props {
  readonly webhookId: string;
  readonly isActive: boolean;
  readonly activity: UseQueryResult<WebhookActivity>;
}

/** The latest deliveries of a webhook, and their outcomes. */
export function Deliveries({ webhookId, isActive, activity }: Props) {
  const refresh = async () => {
    await activity.refetch();
  };
  const test = useMaking((_nothing: object, key: string) => sendTest(webhookId, key), refresh);
  const mayChange = useMay('change');
  const again = useMutation({ mutationFn: sendAgain, onSuccess: refresh });
  return (
    <section className="stack" aria-labelledby="deliveries-title">
      <div className="page-head">
        <h2 id="deliveries-title">Deliveries</h2>
        <Offered to="change">
          <button
            type="button"
            className="button"
            disabled={!isActive || test.isPending}
            onClick={() => test.mutate({})}
          >
            Send a test message
          </button>
        </Offered>
      </div>
      {test.isError && <Problem error={test.error} />}
      {again.isError && <Problem error={again.error} />}
      <Loaded query={activity}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <p className="quiet">Nothing has been sent yet. A test message shows whether the address works.</p>
          ) : (
            <DeliveryTable
              listed={deliveries}
              onAgain={isActive && mayChange ? (id) => again.mutate(id) : null}
              busy={again.isPending}
            />
          )
        }
      </Loaded>
    </section>
  );
}

interface TableProps {
  readonly listed: readonly Delivery[];
  /** Null while nothing may be sent. */
  readonly onAgain: ((id: string) => void) | null;
  readonly busy: boolean;
}

function DeliveryTable({ listed, onAgain, busy }: TableProps) {
  return (
    <div className="table-frame">
      <table className="rows deliveries">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Outcome</th>
            <th scope="col" className="number">
              Attempts
            </th>
            <th scope="col">Time</th>
            <th scope="col">
              <span className="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.map((delivery) => (
            <tr key={delivery.id}>
              <th scope="row">
                <Name>{eventLabel(delivery.type)}</Name>
              </th>
              <td data-label="Outcome" className="outcome">
                <DeliveryOutcome delivery={delivery} />
              </td>
              <td data-label="Attempts" className="number">
                {delivery.attempts}
              </td>
              <td data-label="Time">
                <Time at={delivery.delivered_at ?? delivery.last_attempt_at ?? delivery.created_at} toTheSecond />
              </td>
              <td className="unbroken">
                {delivery.test_run_id !== null && (
                  <Link href={`/runs/${delivery.test_run_id}`} className="button small">
                    View the run
                  </Link>
                )}{' '}
                {onAgain !== null && (
                  <button type="button" className="button small" disabled={busy} onClick={() => onAgain(delivery.id)}>
                    Send again
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
