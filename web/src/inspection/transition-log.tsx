import { words } from '../../../machines/transition-words';
import type { Transition } from '../api/inspection';

const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const ROWS = 300;

interface Props {
  readonly transitions: readonly Transition[];
  /** Index of the step pinned on the chart; null: the newest. */
  readonly pinned: number | null;
  readonly onPin: (index: number | null) => void;
}

/** Every step with what caused it, the newest first. A selected step is shown on the chart. */
export function TransitionLog({ transitions, pinned, onPin }: Props) {
  const first = Math.max(0, transitions.length - ROWS);
  const rows = transitions.slice(first).map((transition, index) => ({ transition, index: first + index }));
  return (
    <ol className="transition-log" reversed aria-label="Transitions, the newest first">
      {rows.reverse().map(({ transition, index }) => {
        const before = transitions[index - 1];
        const begins = before === undefined || before.attempt !== transition.attempt;
        return (
          <li key={index} className={transition.source}>
            <button
              type="button"
              aria-pressed={pinned === index}
              onClick={() => onPin(pinned === index ? null : index)}
            >
              <span className="when number">{timeOf(transition.at)}</span>
              <span className="step">
                {stateName(transition.from)} <span aria-hidden="true">→</span>
                <span className="unseen"> to </span> <strong>{stateName(transition.to)}</strong>
              </span>
              <span className="cause">
                {causeOf(transition)}
                {transition.turn !== null && transition.turn > 0 && ` · turn ${transition.turn}`}
                {transition.source === 'inferred' && ' · inferred'}
              </span>
            </button>
            {begins && transition.attempt > 0 && <p className="attempt-begins">Attempt {transition.attempt}</p>}
          </li>
        );
      })}
      {first > 0 && <li className="quiet">Older steps are not shown.</li>}
    </ol>
  );
}

export function stateName(path: string): string {
  return words(path.slice(path.lastIndexOf('.') + 1));
}

function causeOf({ event, guard }: Transition): string {
  return [event, guard === null ? '' : `[${words(guard)}]`].filter((part) => part !== '').join(' ') || 'immediately';
}

function timeOf(at: string): string {
  const date = new Date(at);
  return `${TIME.format(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
