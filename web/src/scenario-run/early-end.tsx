import { earlyEndIn, earlyEndSentence } from '../../../src/domain';
import type { ScenarioRunDetail } from '../api/scenario-runs';
import { UntrustedText } from '../parts/untrusted-text';
import { ClosingActs } from './acts';

interface Props {
  readonly run: ScenarioRunDetail;
  /** Null until it is known. */
  readonly maxTurns: number | null;
}

/** Says that the agent hung up, and on which message; nothing for a conversation that had all its turns. */
export function EarlyEnd({ run, maxTurns }: Props) {
  const end = earlyEndIn(run.metadata);
  if (end === null) return null;
  return (
    <div className="early-end">
      {end.unansweredMessage !== null && (
        <div className="message patient">
          <p className="who">
            <span className="role">Patient</span>
            <span className="turn">no reply</span>
          </p>
          <div className="says">
            <UntrustedText text={end.unansweredMessage} />
          </div>
        </div>
      )}
      <p>{earlyEndSentence(run.turns, maxTurns)}</p>
      <ClosingActs acts={run.closing_acts} />
    </div>
  );
}
