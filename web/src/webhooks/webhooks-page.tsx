import { Link } from 'wouter';
import { webhooks, type Webhook } from '../api/webhooks';
import { Empty } from '../parts/empty';
import { Loaded } from '../parts/loaded';
import { NameAndAbout } from '../parts/name-and-about';
import { Offered } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { useList } from '../parts/use-resource';
import { eventLabel } from './webhook-events';

export function WebhooksPage() {
  return (
    <>
      <PageHead title="Webhooks" lead="Programs that are told when a run ends, or is worse than its baseline.">
        <Offered to="change">
          <Link href="/webhooks/new" className="button primary">
            Add a webhook
          </Link>
        </Offered>
      </PageHead>
      <Loaded query={useList(webhooks)}>
        {(found) => (found.length === 0 ? <NoWebhook /> : <WebhookTable listed={found} />)}
      </Loaded>
    </>
  );
}

function NoWebhook() {
  return (
    <Empty title="No webhooks yet">
      <p>
        Give the address of a program, such as a CI server or a chat bot, and it gets a signed message whenever a run
        ends.
      </p>
      <Offered to="change">
        <Link href="/webhooks/new" className="button primary">
          Add a webhook
        </Link>
      </Offered>
    </Empty>
  );
}

function WebhookTable({ listed }: { listed: readonly Webhook[] }) {
  return (
    <div className="table-frame">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Events</th>
            <th scope="col">State</th>
            <th scope="col">Updated</th>
          </tr>
        </thead>
        <tbody>
          {listed.map((webhook) => (
            <tr key={webhook.id}>
              <th scope="row" className="wide">
                <NameAndAbout href={`/webhooks/${webhook.id}`} name={webhook.url} about={webhook.description} />
              </th>
              <td data-label="Events">
                <ul>
                  {webhook.events.map((type) => (
                    <li key={type}>
                      <Name>{eventLabel(type)}</Name>
                    </li>
                  ))}
                </ul>
              </td>
              <td data-label="State" className="unbroken">
                {stateOf(webhook)}
              </td>
              <td data-label="Updated">
                <Time at={webhook.updated_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function stateOf({ is_active, disabled_reason }: Webhook): string {
  if (is_active) return 'active';
  return disabled_reason === null ? 'paused' : 'switched off by the service';
}
