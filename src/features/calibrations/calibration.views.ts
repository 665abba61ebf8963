import { z } from 'zod';
import type { CalibrationRow } from './calibrations.store';
import type { ExaminerDocument } from '../../engine/ledger';
import { changesOf } from './judge-document';
import {
  calibrationListItem,
  measure,
  calibrationResult,
  type CalibrationListItem,
  type CalibrationView,
} from '../../../contract/calibrations';

const judgeDocument = calibrationListItem.shape.judge;
const NOT_YET = { kappa: null, ac1: null };
const agreementShown = z.object({ agreement: z.object({ kappa: measure, ac1: measure }) });

/** @param now the judge that would be calibrated today; null when its model may not be used any more */
export function listItemOf(row: CalibrationRow, now: ExaminerDocument | null): CalibrationListItem {
  const { total, marked, failed } = row;
  const judge = judgeDocument.parse(row.judge);
  const changed = changesOf(judge, now);
  const status = statusOf(row);
  const { kappa, ac1 } = row.result === null ? NOT_YET : agreementShown.parse(row.result).agreement;
  return {
    id: row.id,
    name: row.name,
    source: row.source,
    status,
    repeats: row.repeats,
    transcripts: total / row.repeats,
    criteria: row.criteria,
    judge,
    clinical: judge.name !== 'offline',
    progress: { total, marked, failed },
    stale: changed.length > 0,
    changed,
    kappa,
    ac1,
    error_message: status === 'failed' ? errorOf(row) : null,
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    completed_at: isUnderWay(status) ? null : (row.completedAt?.toISOString() ?? null),
  };
}

/** That of its run, but that one of which everything is marked goes on until marks and labels are compared. */
function statusOf({ status, result, canceled, startedAt }: CalibrationRow): CalibrationStatus {
  if (status === 'canceled' || (status === 'failed' && canceled > 0)) return status;
  if ((status === 'completed' || status === 'failed') && result !== null) return status;
  return startedAt === null ? 'pending' : 'running';
}

type CalibrationStatus = 'pending' | 'running' | 'completed' | 'failed' | 'canceled';

function isUnderWay(status: CalibrationStatus): boolean {
  return status === 'pending' || status === 'running';
}

const failuresShown = z.object({ failed: calibrationResult.shape.failed });

function errorOf({ marked, result, errorMessage }: CalibrationRow): string | null {
  const [first] = result === null || marked > 0 ? [] : failuresShown.parse(result).failed;
  return first === undefined ? errorMessage : `Nothing could be marked: ${first.message}`;
}

export const OFFLINE_NOTE =
  'These are the numbers of the offline judge, which matches words. They say nothing of a language model and have no clinical meaning.';
export const STARTER_NOTE =
  'The starter set is a smoke test: one author wrote and labelled it. Doing well on it does not show that the judge is right about your conversations.';

export function viewOf(row: CalibrationRow, now: ExaminerDocument | null): CalibrationView {
  const item = listItemOf(row, now);
  const result = row.result === null ? null : calibrationResult.parse(row.result);
  const notes = [
    ...(item.clinical ? [] : [OFFLINE_NOTE]),
    ...(row.source === 'starter_set' ? [STARTER_NOTE] : []),
    ...(result !== null && item.progress.failed > 0
      ? [
          `${item.progress.failed} of ${item.progress.total} examinations ended in an error and are in no number but that.`,
        ]
      : []),
  ];
  return { ...item, notes, result };
}
