import type { TestRun } from '../api/runs';

/** Notes that the marks of a run, or of both, have no clinical meaning: neither has their difference. */
export function OfflineNotice({ base, head }: { readonly base: TestRun; readonly head: TestRun }) {
  const [before, after] = [isOffline(base), isOffline(head)];
  if (!before && !after) return null;
  return (
    <p className="notice">
      <strong>Offline</strong>: in {before && after ? 'both runs' : before ? 'the run before' : 'the run after'} the
      patient or the judge used fixed rules instead of a language model. The marks have no clinical meaning.
    </p>
  );
}

/** What the service calls a patient or judge that is not a language model. */
const OFFLINE = 'offline';

function isOffline({ examiners }: TestRun): boolean {
  return examiners?.tester.name === OFFLINE || examiners?.judge.name === OFFLINE;
}
