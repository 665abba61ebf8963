import { z } from 'zod';
import { changesOf } from '../calibrations/judge-document';
import type { CompletedCalibration } from '../calibrations/calibrations.store';
import type { ExaminerDocument } from '../../engine/ledger/run-examiners.store';
import { shownCalibration, type ShownCalibration, type StatisticsView } from './statistics.view';

const { raw, kappa, ac1, macro_f1 } = shownCalibration.shape;
const storedAgreement = z.object({ raw, kappa, ac1, macro_f1 });
const storedControls = z.object({ share: z.number().nullable() });

const NOTHING_MARKED = 'Nothing has been marked yet.';
const UNCALIBRATED =
  'The judge has not been calibrated: how far it agrees with clinicians is not known. "osce calibrate" measures it.';

/**
 * How far the judge of a run is known to agree with people.
 * @param judge that marked most of the run; null before anything is marked
 * @param calibrated its newest calibration, or that of another model or other prompts of the same vendor
 */
export function calibrationShown(
  judge: ExaminerDocument | null,
  calibrated: CompletedCalibration | null,
): Pick<StatisticsView, 'calibration' | 'calibration_note'> {
  if (judge === null) return { calibration: null, calibration_note: NOTHING_MARKED };
  if (calibrated === null) return { calibration: null, calibration_note: UNCALIBRATED };
  const changed = changesOf(calibrated.judge, judge);
  const calibration = {
    id: calibrated.id,
    name: calibrated.name,
    source: calibrated.source,
    at: calibrated.completedAt.toISOString(),
    judge: { ...calibrated.judge },
    stale: changed.length > 0,
    changed,
    transcripts: calibrated.transcripts,
    ...storedAgreement.parse(calibrated.agreement),
    controls_wrong: storedControls.parse(calibrated.controls).share,
  };
  return { calibration, calibration_note: noteOn(calibration) };
}

function noteOn({ judge, stale, changed, source }: ShownCalibration): string {
  if (stale) {
    const what = changed.map((one) => (one === 'model' ? 'another model' : 'other prompts or rules')).join(' and ');
    return `The calibration is stale: it was made with ${what} than this run. Calibrate again before relying on it.`;
  }
  if (judge.name === 'offline') {
    return 'The offline judge was calibrated: it matches words, and its agreement with the labels has no clinical meaning.';
  }
  return source === 'starter_set'
    ? 'The judge was tried with the starter set only: a smoke test, not a validation on conversations like these.'
    : 'The judge was calibrated with the model and the prompts of this run.';
}
