import type { ScheduleStart } from '../api/schedules';
import { Name } from '../parts/untrusted-text';

type Shown = Pick<ScheduleStart, 'outcome' | 'gate' | 'is_manual'>;

/** What became of a start, by sign and word. */
export function StartOutcome({ start: { outcome, gate, is_manual } }: { readonly start: Shown }) {
  return (
    <>
      <span className={`status ${LOOKS[outcome]}`}>
        <span className="sign" aria-hidden="true">
          {SIGNS[outcome]}
        </span>
        {outcome}
      </span>
      {is_manual && <span className="quiet"> by hand</span>}
      {gate !== null && (
        <>
          {' '}
          <span className={`status ${GATE_LOOKS[gate.verdict]}`}>
            <span className="sign" aria-hidden="true">
              {GATE_SIGNS[gate.verdict]}
            </span>
            <Name>{`gate ${gate.verdict}`}</Name>
          </span>
        </>
      )}
    </>
  );
}

const SIGNS = { started: '▸', skipped: '–', failed: '!', missed: '◷' } as const;
const LOOKS = { started: 'completed', skipped: 'canceled', failed: 'error', missed: 'pending' } as const;
const GATE_SIGNS = { pending: '·', passed: '✓', failed: '✗', undecided: '?' } as const;
const GATE_LOOKS = { pending: 'pending', passed: 'passed', failed: 'failed', undecided: 'error' } as const;
