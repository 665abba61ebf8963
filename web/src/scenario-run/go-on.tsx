import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { forkScenarioRun, type Fork } from '../api/derived-runs';
import { Field } from '../parts/field';
import { useMay } from '../parts/permissions';
import { Problem } from '../parts/problem';
import { useMaking } from '../parts/use-making';
import { useUnsaved } from '../parts/use-unsaved';
import { visibleText } from '../parts/visible-parts';
import type { Forking } from './use-forking';

interface Props {
  readonly forking: Forking;
  /** The first new turn. */
  readonly turn: number;
  /** What the patient said in that turn; empty for a turn that did not take place. */
  readonly said: string;
  /** The turn with an open form: only one at a time. */
  readonly openTurn: number | null;
  readonly onOpen: (turn: number | null) => void;
}

/** The longest message that the service takes. */
const MAX_MESSAGE = 10_000;
const MAX_TRIALS = 20;

/** Starts, from a turn of a conversation, another one that goes on differently. */
export function GoOn({ forking, turn, said, openTurn, onOpen }: Props) {
  const isOpen = openTurn === turn;
  const button = useRef<HTMLButtonElement>(null);
  const mayRun = useMay('run');
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && openTurn === null) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, openTurn]);
  if (isOpen) return <GoOnForm forking={forking} turn={turn} said={said} onClose={() => onOpen(null)} />;
  if (openTurn !== null || !mayRun) return null;
  return (
    <button ref={button} type="button" className="link small go-on" onClick={() => onOpen(turn)}>
      Go on from here{said !== '' && ' differently'}
      <span className="unseen"> (turn {turn})</span>
    </button>
  );
}

function GoOnForm({
  forking,
  turn,
  said,
  onClose,
}: Pick<Props, 'forking' | 'turn' | 'said'> & { onClose: () => void }) {
  const { agents, isSamePossible, obstacle } = forking;
  const [message, setMessage] = useState(said);
  const [agentId, setAgentId] = useState('');
  const [trials, setTrials] = useState('1');
  const first = useRef<HTMLTextAreaElement>(null);
  const queries = useQueryClient();
  const [, go] = useLocation();
  const fork = useMaking(
    (asked: Fork, key) => forkScenarioRun(forking.scenarioRunId, asked, key),
    ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['runs'] });
      void queries.invalidateQueries({ queryKey: ['derived-runs', forking.testRunId] });
      go(`/runs/${id}`);
    },
  );
  useUnsaved(message, fork);
  useEffect(() => first.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    fork.mutate({
      at_turn: turn,
      ...(message.trim() !== '' && { patient_message: message }),
      ...(agentId !== '' && { agent_id: agentId }),
      ...(trials !== '' && { trials: Number(trials) }),
    });
  };
  return (
    <form
      className="go-on-form"
      aria-label={`Go on from turn ${turn}`}
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <p>
        {turn === 1 ? 'The conversation begins again' : `The turns before turn ${turn} are kept; it goes on from there`}
        , in a new run.
      </p>
      <Field label="The patient says" help="Word for word. Left empty, the patient’s script decides.">
        {(control) => (
          <textarea
            {...control}
            ref={first}
            rows={4}
            maxLength={MAX_MESSAGE}
            value={message}
            onChange={({ target }) => setMessage(target.value)}
          />
        )}
      </Field>
      <div className="form-row">
        <Field label="Agent" {...(obstacle !== null && { help: `${visibleText(obstacle)}.` })}>
          {(control) => (
            <select
              {...control}
              required={!isSamePossible}
              value={agentId}
              onChange={({ target }) => setAgentId(target.value)}
            >
              {!isSamePossible && <option value="">Choose an agent</option>}
              {agents.map(({ id, name, provider }, place) => {
                const isSame = isSamePossible && place === 0;
                return (
                  <option key={id} value={isSame ? '' : id}>
                    {visibleText(name)} ({visibleText(provider)}){isSame && ', the same'}
                  </option>
                );
              })}
            </select>
          )}
        </Field>
        <Field label="Trials" help="How many times to repeat the continuation.">
          {(control) => (
            <input
              {...control}
              type="number"
              required
              min={1}
              max={MAX_TRIALS}
              value={trials}
              onChange={({ target }) => setTrials(target.value)}
            />
          )}
        </Field>
      </div>
      {fork.isError && <Problem error={fork.error} />}
      <div className="actions">
        <button type="submit" className="button primary" disabled={fork.isPending}>
          {fork.isPending ? 'One moment…' : `Go on from turn ${turn}`}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Not now
        </button>
      </div>
    </form>
  );
}
