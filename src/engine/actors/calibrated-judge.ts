import type { ExaminerDocument } from '../ledger/run-examiners.store';

/** A calibration is about one judge: a model, and a version of its prompts. @param now null when there is no such judge any more */
export function isCalibrated(calibrated: ExaminerDocument, now: ExaminerDocument | null): boolean {
  return (
    now !== null &&
    calibrated.name === now.name &&
    calibrated.model === now.model &&
    calibrated.prompt_version === now.prompt_version
  );
}

/** Why a calibration ends when no process has its judge any more. @param now the judge of this process; null when its model may not be used */
export function judgeChanged(calibrated: ExaminerDocument, now: ExaminerDocument | null): string {
  const became = now === null ? 'one whose model may not be used' : nameOf(now);
  const what = now !== null && nameOf(calibrated) === became ? 'its prompts changed' : `the judge became ${became}`;
  return (
    `It was begun with ${nameOf(calibrated)}, and before all was marked no process of this service could mark with it any more: ${what}. ` +
    'A calibration is about one judge: start it again.'
  );
}

function nameOf({ name, model }: ExaminerDocument): string {
  return model === null ? `the ${name} judge` : `${name}/${model}`;
}
