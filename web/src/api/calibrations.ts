import type {
  CalibrationList,
  CalibrationListItem,
  CalibrationResult,
  CalibrationView,
} from '../../../contract/calibrations';
import type { BodyFor } from '../../../contract/call';
import { call, callForNothing } from './client';

export type LabelDisagreement = CalibrationResult['disagreements'][number];
export type MarkConsistency = CalibrationResult['consistency']['repeats'];
export type {
  AgreementView as LabelAgreement,
  CalibrationList,
  CalibrationListItem as ListedCalibration,
  CalibrationResult,
  CalibrationView as Calibration,
} from '../../../contract/calibrations';

export type NewCalibration = BodyFor<'POST /api/v1/calibrations'>;
export type LabelledItem = NonNullable<NewCalibration['items']>[number];

export const CALIBRATIONS_A_PAGE = 50;

/** Newest first. @param page from 0 */
export function listCalibrations(page: number, signal: AbortSignal): Promise<CalibrationList> {
  const query = { limit: CALIBRATIONS_A_PAGE, offset: page * CALIBRATIONS_A_PAGE };
  return call('GET /api/v1/calibrations', { query, signal });
}

export function getCalibration(id: string, signal: AbortSignal): Promise<CalibrationView> {
  return call('GET /api/v1/calibrations/{id}', { path: { id }, signal });
}

export function createCalibration(body: NewCalibration, idempotencyKey: string): Promise<CalibrationView> {
  return call('POST /api/v1/calibrations', { body, idempotencyKey });
}

export function cancelCalibration(id: string): Promise<CalibrationView> {
  return call('POST /api/v1/calibrations/{id}/cancel', { path: { id } });
}

export function deleteCalibration(id: string): Promise<void> {
  return callForNothing('DELETE /api/v1/calibrations/{id}', { path: { id } });
}

export function isUnderWay({ status }: Pick<CalibrationListItem, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}
