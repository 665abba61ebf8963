import { Link } from 'wouter';
import { RUNS_AT_MOST } from './runs-grid-rows';

/** The runs that are ticked, at most as many as one grid shows: the first tick is dropped for a ninth. */
export function toggled(chosen: readonly string[], id: string): readonly string[] {
  return chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-RUNS_AT_MOST);
}

/** Leads from two runs to their comparison, and from up to eight to their grid. @param ids the oldest first */
export function ChosenRuns({ ids }: { readonly ids: readonly string[] }) {
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
