import { Link } from 'wouter';
import { oldestFirst, type TickedRun } from './ticked-runs';

/** Leads from two runs to their comparison, and from up to eight to their grid. */
export function ChosenRuns({ ticked }: { readonly ticked: readonly TickedRun[] }) {
  const ids = oldestFirst(ticked);
  const [base, head] = ids;
  return (
    <div className="actions chosen" aria-live="polite">
      {ids.length < 2 ? (
        <p className="quiet">Tick two runs to compare them, or up to eight to see them in one grid.</p>
      ) : (
        <>
          {ids.length === 2 && base !== undefined && head !== undefined && (
            <Link href={`/compare?base=${base}&head=${head}`} className="button">
              Compare the two
            </Link>
          )}
          <Link href={`/compare?runs=${ids.join(',')}`} className="button">
            Grid of the {ids.length} runs
          </Link>
        </>
      )}
    </div>
  );
}
