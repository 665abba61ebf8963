import { useMutation } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { Tagged } from '../api/resource';
import { webhooks, type Webhook } from '../api/webhooks';
import { ChangedMeanwhile } from '../parts/changed-meanwhile';
import { ConfirmButton } from '../parts/confirm-button';
import { LoadedPage } from '../parts/loaded';
import { Allowed, Offered } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { Name } from '../parts/untrusted-text';
import { useEditing } from '../parts/use-editing';
import { useItem, useListRefresh, useRemove } from '../parts/use-resource';
import { Deliveries } from './deliveries';
import { isWebhookEvent, WEBHOOK_EVENTS } from './webhook-events';
import { useActivity } from './use-activity';
import { WebhookForm } from './webhook-form';

const ABOVE = { href: '/webhooks', label: 'Webhooks' };

export function WebhookPage() {
  const { id = '' } = useParams();
  return (
    <LoadedPage query={useItem(webhooks, id)} title="Webhook" above={ABOVE}>
      {(webhook) => <Found key={id} webhook={webhook} />}
    </LoadedPage>
  );
}

function Found({ webhook: loaded }: { webhook: Tagged<Webhook> }) {
  const { item: webhook, round, saving, conflict } = useEditing(webhooks, loaded.id, loaded);
  const removing = useRemove(webhooks, webhook.id);
  const activity = useActivity(webhook.id);
  const refreshList = useListRefresh(webhooks);
  // Separate from the form's saving: pausing does not save the contents of the form.
  const switching = useMutation({
    mutationFn: (active: boolean) => webhooks.update(webhook.id, { is_active: active }),
    onSuccess: () => Promise.all([activity.refetch(), refreshList()]),
  });
  // The service pauses a webhook itself when its receiver refuses further messages.
  const { is_active: isActive, disabled_reason: reason } = activity.data ?? loaded;
  return (
    <>
      <PageHead title={webhook.url} above={ABOVE}>
        <Offered to="change">
          <button
            type="button"
            className="button"
            disabled={switching.isPending}
            onClick={() => switching.mutate(!isActive)}
          >
            {isActive ? 'Pause' : 'Resume'}
          </button>
        </Offered>
        <ConfirmButton
          label="Delete"
          question="Delete this webhook? Messages that wait to be sent are not sent."
          onConfirm={() => removing.mutate()}
          busy={removing.isPending}
        />
      </PageHead>
      {!isActive && <Paused reason={reason} />}
      {switching.isError && <Problem error={switching.error} />}
      {removing.isError && <Problem error={removing.error} />}
      <Allowed to="change" otherwise={<WebhookText webhook={webhook} />}>
        <WebhookForm key={round} webhook={webhook} saving={saving} />
      </Allowed>
      <ChangedMeanwhile what="webhook" conflict={conflict} busy={saving.isPending} />
      <Deliveries webhookId={webhook.id} isActive={isActive} activity={activity} />
    </>
  );
}

/** What the form shows, for keys that may not change it. */
function WebhookText({ webhook: { description, events } }: { readonly webhook: Webhook }) {
  return (
    <dl className="facts">
      {description !== null && (
        <div>
          <dt>Description</dt>
          <dd>
            <Name>{description}</Name>
          </dd>
        </div>
      )}
      <div>
        <dt>Sends a message when</dt>
        <dd>
          <Name>{events.map((type) => (isWebhookEvent(type) ? WEBHOOK_EVENTS[type].label : type)).join(', ')}</Name>
        </dd>
      </div>
    </dl>
  );
}

function Paused({ reason }: { reason: string | null }) {
  return (
    <p className="notice">
      {reason === null ? 'This webhook is paused.' : <Name>{reason}</Name>} Nothing is sent to it until you resume it.
    </p>
  );
}
