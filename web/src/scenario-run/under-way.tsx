import { useEffect, useState } from 'react';
import type { ScenarioRunDetail } from '../api/scenario-runs';
import { durationText } from '../parts/time';
import type { LiveState } from './use-live-state';

interface Props {
  readonly run: ScenarioRunDetail;
  readonly live: LiveState | null;
  /** It is held by voice. */
  readonly isSpoken: boolean;
}

/** The speaker in each state, and the sentence for it. */
const SPEAKING: Readonly<Record<string, readonly [who: 'patient' | 'agent', sentence: string]>> = {
  composing: ['patient', 'The patient is writing'],
  awaitingReply: ['agent', 'The patient has written; waiting for the agent’s reply'],
  recordingTurn: ['agent', 'The agent has replied; the turn is being stored'],
};

/** The same by voice. A turn is one call of the agent: the floor goes from the patient to the agent inside it. */
const ON_THE_LINE: typeof SPEAKING = {
  composing: ['patient', 'The patient has the floor, and thinks about what to say'],
  awaitingReply: ['agent', 'On the line: the patient speaks, then the agent has the floor until it falls silent'],
  recordingTurn: ['agent', 'The agent has spoken; the turn is being stored'],
};

const OTHERWISE: Readonly<Record<string, string>> = {
  connecting: 'Connecting to the agent…',
  disconnecting: 'The conversation is over; closing the connection…',
  grading: 'The judge is reading the conversation…',
  recordingVerdict: 'The verdict is being stored…',
};

/** The current step of a conversation under way. A turn is shown only once both of its messages are stored. */
export function UnderWay({ run, live, isSpoken }: Props) {
  const speaking = live === null ? undefined : (isSpoken ? ON_THE_LINE : SPEAKING)[live.state];
  if (live !== null && speaking !== undefined) {
    const [who, sentence] = speaking;
    return (
      <div className={`message typing ${who}`} role="status">
        <p className="who">
          <span className="role">{who === 'patient' ? 'Patient' : 'Agent'}</span>
          <span className="turn number">turn {run.turns + 1}</span>
        </p>
        <p className="says">
          <span>
            {sentence}
            <span className="dots" aria-hidden="true">
              <span>.</span>
              <span>.</span>
              <span>.</span>
            </span>
          </span>
          <Elapsed since={live.since} key={live.since} />
        </p>
        {who === 'agent' && <p className="quiet small">Both messages appear once the turn is stored.</p>}
      </div>
    );
  }
  const sentence = (live === null ? undefined : OTHERWISE[live.state]) ?? sentenceOf(run);
  return sentence !== null && <p className="quiet waiting">{sentence}</p>;
}

/** The sentence from the stored row, when the actor’s state is unknown. */
function sentenceOf({ status, transcript }: ScenarioRunDetail): string | null {
  if (status === 'grading') return 'The judge is reading the conversation…';
  return status === 'running' && transcript.length > 0 ? 'The conversation continues…' : null;
}

/** The waiting time, shown once it is long. It counts from when the page learned of the state, since the service's clock may differ. */
const WORTH_SAYING_MS = 3_000;

function Elapsed({ since }: { readonly since: string | null }) {
  const [heard] = useState(() => Date.now());
  const [now, setNow] = useState(heard);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const ms = now - heard;
  if (since === null || ms < WORTH_SAYING_MS) return null;
  return (
    <span className="quiet small number" aria-hidden="true">
      for {durationText(Math.floor(ms / 1_000) * 1_000).replace('.0', '')}
    </span>
  );
}
