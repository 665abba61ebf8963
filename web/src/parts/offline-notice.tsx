import type { TestRun } from '../api/runs';

/** Says that marks have no clinical meaning, and where: “in both runs”. Nothing without a place. */
export function OfflineNotice({ where }: { readonly where: string | null }) {
  if (where === null) return null;
  return (
    <p className="notice">
      <strong>Offline</strong>: {where} the patient or the judge used fixed rules instead of a language model. The marks
      have no clinical meaning.
    </p>
  );
}

/** Of several runs: “in 2 of the 3 runs”; null where none was offline. */
export function offlineRuns(areOffline: readonly boolean[]): string | null {
  const [of, offline] = [areOffline.length, areOffline.filter(Boolean).length];
  if (offline === 0) return null;
  if (of === 1) return 'in this run';
  return offline === of ? `in all ${of} runs` : `in ${offline} of the ${of} runs`;
}

/** Of two: “in both runs”, “in the run before”; null where neither was offline. */
export function offlineOfTwo(before: boolean, after: boolean, one = 'run'): string | null {
  if (before && after) return `in both ${one}s`;
  if (before) return `in the ${one} before`;
  return after ? `in the ${one} after` : null;
}

/** What the service calls a patient or judge that is not a language model. */
const OFFLINE = 'offline';

interface Examined {
  readonly examiners: {
    readonly clinical: boolean;
    readonly tester: { readonly name: string };
    readonly judge: { readonly name: string };
  } | null;
}

/** Whether rules stood in for the patient or the judge of a run; false where that is not known. */
export function isOffline({ examiners }: Examined | Pick<TestRun, 'examiners'>): boolean {
  if (examiners === null) return false;
  return !examiners.clinical || examiners.tester.name === OFFLINE || examiners.judge.name === OFFLINE;
}
