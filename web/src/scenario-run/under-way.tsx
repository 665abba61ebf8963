import type { ScenarioRunDetail } from '../api/scenario-runs';
import { Elapsed } from './elapsed';
import { floorShown, OnTheLine } from './on-the-line';
import type { LiveState } from './use-live-state';

interface Props {
  readonly run: ScenarioRunDetail;
  readonly live: LiveState | null;
  /** It is held by voice. */
  readonly isSpoken: boolean;
}

/** A wait is shown once it is long. */
const WORTH_SAYING_MS = 3_000;

/** The speaker in each state, and the sentence for it. */
const SPEAKING: Readonly<Record<string, readonly [who: 'patient' | 'agent', sentence: string]>> = {
  composing: ['patient', 'The patient is writing'],
  awaitingReply: ['agent', 'The patient has written; waiting for the agent’s reply'],
  recordingTurn: ['agent', 'The agent has replied; the turn is being stored'],
};

const OTHERWISE: Readonly<Record<string, string>> = {
  connecting: 'Connecting to the agent…',
  disconnecting: 'The conversation is over; closing the connection…',
  grading: 'The judge is reading the conversation…',
  recordingVerdict: 'The verdict is being stored…',
};

/** The current step of a conversation under way. A turn is shown only once both of its messages are stored. */
export function UnderWay({ run, live, isSpoken }: Props) {
  const floor = isSpoken && live !== null ? floorShown(live) : null;
  if (floor !== null) return <OnTheLine floor={floor} turn={run.turns + 1} />;
  const speaking = live === null || isSpoken ? undefined : SPEAKING[live.state];
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
          <span aria-hidden="true">
            <Elapsed since={null} fromMs={WORTH_SAYING_MS} key={live.since} />
          </span>
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
