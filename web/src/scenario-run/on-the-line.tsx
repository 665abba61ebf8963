import type { HeldFloor } from '../api/inspection';
import { Elapsed } from './elapsed';
import type { LiveState } from './use-live-state';

/** What the page says of the floor of a call. */
interface ShownFloor {
  readonly holder: HeldFloor['holder'];
  readonly sentence: string;
  readonly detail: string;
  /** By this browser's clock, in ms; null: from when the page learned of it. */
  readonly since: number | null;
  /** Differs for each stretch of time. */
  readonly key: string;
}

const PATIENT_HAS_IT = 'The patient has the floor';
const AGENT_HAS_IT = 'The agent has the floor';

/** Where the floor is not told. A turn is one call of the agent: the floor goes over inside it. */
const BY_STATE: Readonly<Record<string, Pick<ShownFloor, 'holder' | 'sentence' | 'detail'>>> = {
  composing: { holder: 'patient', sentence: PATIENT_HAS_IT, detail: 'and thinks about what to say' },
  awaitingReply: {
    holder: 'agent',
    sentence: 'On the line: the patient speaks, then the agent has the floor until it falls silent',
    detail: '',
  },
  recordingTurn: { holder: 'patient', sentence: PATIENT_HAS_IT, detail: 'and the turn is being stored' },
};

/** Who has the floor of a call that is being held; null while none is. */
export function floorShown({ state, since, floor }: LiveState): ShownFloor | null {
  // An agent may also greet the patient, or go on speaking after its turn.
  const isAgentSpeaking = floor !== null && floor.holder === 'agent' && floor.speaking;
  const isHeld = state in BY_STATE || (state === 'connecting' && isAgentSpeaking);
  if (floor !== null && isHeld && (state === 'awaitingReply' || isAgentSpeaking)) {
    const { holder, speaking } = floor;
    return {
      holder,
      sentence: holder === 'patient' ? PATIENT_HAS_IT : AGENT_HAS_IT,
      detail: speaking ? 'and is speaking' : 'and is silent',
      since: floor.since,
      key: String(floor.since),
    };
  }
  const known = BY_STATE[state];
  return known === undefined ? null : { ...known, since: null, key: `${state} ${since}` };
}

export function OnTheLine({ floor, turn }: { readonly floor: ShownFloor; readonly turn: number }) {
  const { holder, sentence, detail, since, key } = floor;
  return (
    <div className={`message typing ${holder}`}>
      <p className="who">
        <span className="role">{holder === 'patient' ? 'Patient' : 'Agent'}</span>
        <span className="turn number">turn {turn}</span>
      </p>
      <p className="says">
        {/* The status is read out when the floor goes over, and not at each pause for breath. */}
        <span>
          <span role="status">{sentence}</span> {detail} <Elapsed key={key} since={since} fromMs={1_000} />
        </span>
      </p>
      <p className="quiet small">Both messages appear once the turn is stored.</p>
    </div>
  );
}
