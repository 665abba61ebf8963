import type { TestRun } from '../api/runs';
import { useScenarioRuns } from './use-scenario-runs';

/** Where the patient or the judge was no language model, a pass rate says nothing clinical: that stands beside it. */
export function PlayedByRules({ run }: { readonly run: TestRun }) {
  const list = useScenarioRuns(run);
  const isOffline = list.data?.results.some(
    ({ status, metadata }) => status !== 'error' && status !== 'canceled' && metadata['offline'] === true,
  );
  if (isOffline !== true) return null;
  return (
    <p className="notice">
      <strong>Offline</strong>: the patient or the judge was played by rules, not by a language model. The marks say
      nothing clinical.
    </p>
  );
}
