import type { TestRun } from '../api/runs';
import { isOffline, OfflineNotice } from '../parts/offline-notice';
import { Name } from '../parts/untrusted-text';
import { examinerNames } from './examiner-names';
import { useScenarioRuns } from './use-scenario-runs';

/** Who played the patients and who marked them. Where that was not a language model, the marks have no clinical meaning. */
export function RunExaminers({ run }: { readonly run: TestRun }) {
  const list = useScenarioRuns(run);
  const graded = (list.data?.results ?? []).filter(({ passed }) => passed !== null);
  if (isOffline(run) || graded.some(({ metadata }) => metadata.offline === true)) {
    return <OfflineNotice where="in this run" />;
  }
  if (run.examiners?.mixed === true) {
    return (
      <p className="notice">
        <strong>Mixed</strong>: the patient or the judge changed during this run. Each conversation names its own.
      </p>
    );
  }
  const names = examinerNames(graded);
  return (
    names !== null && (
      <p className="quiet">
        Patient and judge: <Name>{names}</Name>.
      </p>
    )
  );
}
