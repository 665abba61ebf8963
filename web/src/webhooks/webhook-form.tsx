import { useState, type FormEvent } from 'react';
import type { Webhook, WebhookEvent, WebhookFields } from '../api/webhooks';
import { Field } from '../parts/field';
import { FormEnd } from '../parts/form-end';
import type { Saving } from '../parts/saving';
import { Name } from '../parts/untrusted-text';
import { isWebhookEvent, WEBHOOK_EVENTS, WEBHOOK_EVENT_TYPES } from './webhook-events';

interface Props {
  /** Null for a new one. */
  readonly webhook: Webhook | null;
  readonly saving: Saving<WebhookFields>;
}

const LONGEST_URL = 2_000;

/** The form for a webhook: its address and its events. */
export function WebhookForm({ webhook, saving }: Props) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(
    webhook?.events.filter(isWebhookEvent) ?? WEBHOOK_EVENT_TYPES,
  );
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({ url: url.trim(), description: description.trim() || null, events });
  };
  return (
    <form className="form" onSubmit={save}>
      <div className="panel">
        <Field label="Address" help="Where messages are posted: an http or https address that this service can reach.">
          {(control) => (
            <input
              {...control}
              type="url"
              required
              maxLength={LONGEST_URL}
              placeholder="https://ci.example.org/hooks/osce"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <Field label="Description" optional>
          {(control) => (
            <textarea
              {...control}
              rows={2}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
      </div>
      <EventChoice chosen={events} onChange={setEvents} />
      <FormEnd
        saving={saving}
        label={webhook === null ? 'Add the webhook' : 'Save'}
        draft={{ url, description, events: [...events].sort() }}
      />
    </form>
  );
}

interface EventChoiceProps {
  readonly chosen: readonly WebhookEvent[];
  readonly onChange: (events: readonly WebhookEvent[]) => void;
}

function EventChoice({ chosen, onChange }: EventChoiceProps) {
  return (
    <fieldset className="panel">
      <legend>Send a message when</legend>
      <div className="choices">
        {WEBHOOK_EVENT_TYPES.map((type) => (
          <label key={type} className="choice">
            <input
              type="checkbox"
              name="event"
              value={type}
              checked={chosen.includes(type)}
              // The browser requires at least one.
              required={chosen.length === 0}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, type] : chosen.filter((other) => other !== type))
              }
            />
            <span>
              <strong>
                <Name>{WEBHOOK_EVENTS[type].label}</Name>
              </strong>
              <span className="help">{WEBHOOK_EVENTS[type].help}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
