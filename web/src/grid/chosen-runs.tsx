import { Link } from 'wouter';
import { counted } from '../parts/numbers';
import { oldestFirst, type TickedRun } from './ticked-runs';

/** Says what the boxes of a list of runs are for. */
export function TickRuns() {
  return <p className="quiet hint">Tick two runs to compare them, or up to eight to see them in one grid.</p>;
}

/** Leads from two runs to their comparison, and from up to eight to their grid; it stays in sight while the list scrolls. */
export function ChosenRuns({ ticked }: { readonly ticked: readonly TickedRun[] }) {
  const ids = oldestFirst(ticked);
  const [base, head] = ids;
  return (
    <div
      className={ids.length === 0 ? 'chosen' : 'actions chosen'}
      role="group"
      aria-label="Ticked runs"
      aria-live="polite"
    >
      {ids.length > 0 && <span className="number">{counted(ids.length, 'run')} ticked</span>}
      {ids.length === 1 && <span className="quiet">Tick another one.</span>}
      {ids.length === 2 && base !== undefined && head !== undefined && (
        <Link href={`/compare?base=${base}&head=${head}`} className="button">
          Compare the two
        </Link>
      )}
      {ids.length > 1 && (
        <Link href={`/compare?runs=${ids.join(',')}`} className="button">
          Grid of the {ids.length} runs
        </Link>
      )}
    </div>
  );
}
