import { Link, useLocation } from 'wouter';
import type { TestRun } from '../api/runs';
import { visibleText } from '../parts/visible-parts';
import { useKeys } from '../parts/keyboard';
import { failedNeighbours } from '../runs/failed-neighbours';
import { useScenarioRuns } from '../runs/use-scenario-runs';

interface Props {
  readonly run: TestRun;
  /** Of the scenario run that is shown. */
  readonly id: string;
}

/** From one failed conversation of a run to the others, also by keys: J to the next, K to the previous. */
export function FailedLinks({ run, id }: Props) {
  const [, go] = useLocation();
  const { previous, next } = failedNeighbours(useScenarioRuns(run).data?.results ?? [], id);
  useKeys({
    j: () => next !== null && go(`/scenario-runs/${next.id}`),
    k: () => previous !== null && go(`/scenario-runs/${previous.id}`),
  });
  if (previous === null && next === null) return null;
  return (
    <nav className="failed-links" aria-label="Other failed conversations">
      {previous !== null && (
        <Link href={`/scenario-runs/${previous.id}`} title={visibleText(previous.scenario_name)} aria-keyshortcuts="K">
          <span aria-hidden="true">← </span>Previous failed <kbd>K</kbd>
        </Link>
      )}
      {next !== null && (
        <Link href={`/scenario-runs/${next.id}`} title={visibleText(next.scenario_name)} aria-keyshortcuts="J">
          Next failed <kbd>J</kbd>
          <span aria-hidden="true"> →</span>
        </Link>
      )}
    </nav>
  );
}
