import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { readCurlLine, type AgentOfCurlLine } from '../api/agents';
import { Field } from '../parts/field';
import { Problem } from '../parts/problem';
import { Name } from '../parts/untrusted-text';

/** Fills the form of a new agent from the curl line by which it is called today. */
export function CurlLine({ onRead }: { readonly onRead: (agent: AgentOfCurlLine) => void }) {
  const [line, setLine] = useState('');
  const [message, setMessage] = useState('');
  const reading = useMutation({ mutationFn: () => readCurlLine(line, message.trim()), onSuccess: onRead });
  const read = (event: FormEvent) => {
    event.preventDefault();
    if (line.trim() !== '') reading.mutate();
  };
  return (
    <details className="panel curl-line">
      <summary>Paste a curl line</summary>
      <form className="stack" onSubmit={read}>
        <Field
          label="curl line"
          help="From the documentation of its API, or from a browser’s network tools (“Copy as cURL”). It is read, not run."
        >
          {(control) => (
            <textarea
              {...control}
              rows={4}
              className="code"
              spellCheck={false}
              autoComplete="off"
              value={line}
              onChange={({ target }) => setLine(target.value)}
            />
          )}
        </Field>
        <Field
          label="Its message"
          optional
          help="The text in the line that stands for what a patient says, when it is not found."
        >
          {(control) => (
            <input {...control} type="text" value={message} onChange={({ target }) => setMessage(target.value)} />
          )}
        </Field>
        <div className="actions">
          <button type="submit" className="button" disabled={reading.isPending || line.trim() === ''}>
            Fill in the form
          </button>
        </div>
      </form>
      <div aria-live="polite">
        {reading.isError && <Problem error={reading.error} />}
        {reading.data && <WasRead agent={reading.data} />}
      </div>
    </details>
  );
}

function WasRead({ agent: { message_at, session_at, remarks, warnings } }: { readonly agent: AgentOfCurlLine }) {
  return (
    <div className="stack">
      <p>
        The form is filled in. The patient’s message stands in <Name>{message_at}</Name>
        {session_at.length > 0 && (
          <>
            , the id of the conversation in <Name>{session_at.join(', ')}</Name>
          </>
        )}
        . Send it a message before you register it.
      </p>
      {[...warnings, ...remarks].map((sentence) => (
        <p key={sentence} className="notice">
          <Name>{sentence}</Name>
        </p>
      ))}
    </div>
  );
}
