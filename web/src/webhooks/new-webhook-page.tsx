import { useState } from 'react';
import { Link } from 'wouter';
import { webhooks, type Webhook } from '../api/webhooks';
import { Allowed } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { useMaking } from '../parts/use-making';
import { useListRefresh } from '../parts/use-resource';
import { SigningSecret } from './signing-secret';
import { WebhookForm } from './webhook-form';

const ABOVE = { href: '/webhooks', label: 'Webhooks' };

export function NewWebhookPage() {
  // Kept out of the query cache: the secret is gone once this view is left.
  const [made, setMade] = useState<Webhook | null>(null);
  const refreshList = useListRefresh(webhooks);
  const saving = useMaking(webhooks.create, (webhook) => {
    setMade(webhook);
    void refreshList();
  });
  if (made !== null) return <Added webhook={made} />;
  return (
    <>
      <PageHead title="Add a webhook" above={ABOVE} lead="You get a secret to verify its messages with." />
      <Allowed to="change">
        <WebhookForm webhook={null} saving={saving} />
      </Allowed>
    </>
  );
}

function Added({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <PageHead title="Webhook added" above={ABOVE} lead={webhook.url} />
      <SigningSecret secret={webhook.secret} />
      <div className="actions">
        <Link href={`/webhooks/${webhook.id}`} className="button primary">
          Go to the webhook
        </Link>
      </div>
    </>
  );
}
