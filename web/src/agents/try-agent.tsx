import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent, type RefObject } from 'react';
import type { AgentTrial } from '../api/agents';
import { Field } from '../parts/field';
import { useMay, WhyNot } from '../parts/permissions';
import { Problem } from '../parts/problem';
import { durationText } from '../parts/time';
import { Name, UntrustedText } from '../parts/untrusted-text';
import type { AgentFormHandle } from './agent-form';
import { FindReply, type Connection, type FoundReply } from './find-reply';

const GREETING = 'Hello, I would like to ask something about my health.';

/** Longer than most agents take for a turn. */
const FIND_WITHIN_MS = 120_000;

interface Props {
  /** The form with the connection to try, saved or not. */
  readonly form: RefObject<AgentFormHandle | null>;
  readonly send: (connection: Connection, message: string, signal: AbortSignal) => Promise<AgentTrial>;
}

/** Sends one message to the agent as it stands in the form, and shows what comes back. */
export function TryAgent({ form, send: tryIt }: Props) {
  const [message, setMessage] = useState(GREETING);
  const mayRun = useMay('run');
  const calling = useRef<AbortController | null>(null);
  const trial = useMutation({
    mutationFn: (connection: Connection) => {
      const controller = new AbortController();
      calling.current = controller;
      return tryIt(connection, message, controller.signal);
    },
  });
  const [isRefused, setRefused] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (message.trim() === '') return;
    const connection = form.current?.connection() ?? null;
    setRefused(connection === null);
    if (connection === null) trial.reset();
    else trial.mutate(connection);
  };
  const readFrom = (connection: Connection, { field, path }: FoundReply) => {
    form.current?.enter(field, path);
    trial.mutate({ ...connection, config: { ...connection.config, [field]: path } });
  };
  return (
    <section className="panel try" aria-labelledby="try-title">
      <h2 id="try-title">Try it</h2>
      <form className="stack" onSubmit={send}>
        <Field
          label="Message"
          help="Uses the settings in this form, saved or not; nothing is stored. Any HTTP API gets a second message too, which shows whether it knows the conversation."
        >
          {(control) => (
            <textarea {...control} rows={3} value={message} onChange={(event) => setMessage(event.target.value)} />
          )}
        </Field>
        <div className="actions">
          <button type="submit" className="button" disabled={trial.isPending || message.trim() === '' || !mayRun}>
            {trial.isPending ? 'Waiting for the reply…' : 'Send it'}
          </button>
          {trial.isPending && (
            <button type="button" className="button" onClick={() => calling.current?.abort()}>
              Stop
            </button>
          )}
        </div>
        <WhyNot to="run" />
      </form>
      <div aria-live="polite">
        {isRefused && (
          <div className="problem">
            <p>Nothing was sent: correct the marked fields first.</p>
          </div>
        )}
        {trial.isError && calling.current?.signal.aborted !== true && <Problem error={trial.error} />}
        {trial.data && !trial.isPending && <Outcome trial={trial.data} />}
        {trial.variables !== undefined && trial.data?.ok === false && !trial.isPending && (
          <FindReply
            connection={trial.variables}
            ask={(connection) => tryIt(connection, message, AbortSignal.timeout(FIND_WITHIN_MS))}
            message={message}
            onFound={readFrom}
          />
        )}
      </div>
    </section>
  );
}

function Outcome({ trial }: { trial: AgentTrial }) {
  if (!trial.ok) {
    return (
      <div className="problem">
        <p>
          <strong className="code">{trial.error_code}</strong> <Name>{trial.error}</Name>
        </p>
      </div>
    );
  }
  const { reply, greeting, latency_ms, follow_up, warnings } = trial;
  return (
    <div className="stack">
      {greeting !== null && (
        <div className="message agent">
          <p className="who">
            <span className="role">Greeting</span>
          </p>
          <UntrustedText text={greeting} />
        </div>
      )}
      <div className="message agent">
        <p className="who">
          <span className="role">Reply</span>
          {latency_ms !== null && <span className="latency number">{durationText(latency_ms)}</span>}
        </p>
        <UntrustedText text={reply} />
      </div>
      {follow_up && (
        <>
          <div className="message patient">
            <p className="who">
              <span className="role">Second message</span>
            </p>
            <UntrustedText text={follow_up.message} />
          </div>
          <div className="message agent">
            <p className="who">
              <span className="role">Reply</span>
              {follow_up.latency_ms !== null && (
                <span className="latency number">{durationText(follow_up.latency_ms)}</span>
              )}
            </p>
            <UntrustedText text={follow_up.reply} />
          </div>
        </>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="notice">
          <Name>{warning}</Name>
        </p>
      ))}
    </div>
  );
}
