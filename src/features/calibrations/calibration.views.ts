import { z } from 'zod';
import { id, timestamp } from '../../platform/http/field';
import type { CalibrationRow } from './calibrations.store';
import type { ExaminerDocument } from '../../engine/ledger/run-examiners.store';
import { changesOf, JUDGE_CHANGES } from './judge-document';

// Enumerations of stored values are open in answers: another version may have written a value that this one does not know.

const count = z.int().min(0);

const measure = z
  .object({
    value: z.number().nullable(),
    low: z.number().nullable(),
    high: z.number().nullable(),
    reason: z.string().nullable().describe('Why there is no value, or no interval; else null.'),
  })
  .meta({ id: 'AgreementMeasure' });

export const agreementView = z
  .object({
    transcripts: count,
    pairs: count.describe('Decisions compared.'),
    faults: count.describe('Of them, about criteria with negative points.'),
    confusion: z
      .array(z.array(count))
      .describe('Rows are the labels, columns the judge, both as MET, PARTIALLY MET, NOT MET.'),
    raw: measure.describe('Share of decisions that are the same, 0..1.'),
    kappa: measure.describe("Cohen's κ, −1..1. Low where nearly all are one decision, however well the judge does."),
    ac1: measure.describe("Gwet's AC1, −1..1."),
    macro_f1: measure.describe('Mean F1 of MET and NOT MET, 0..1.'),
    fault_sensitivity: measure.describe('Of the faults that the labels name, the share that the judge found.'),
    fault_specificity: measure.describe('Of what the labels call no fault, the share that the judge left alone.'),
  })
  .meta({ id: 'LabelAgreement' });
export type AgreementView = z.output<typeof agreementView>;

const consistency = z
  .object({
    pairs: count.describe('Criteria of a transcript times pairs of repeats.'),
    same: count,
    value: z.number().nullable().describe('same / pairs, 0..1; null when there are no such repeats.'),
  })
  .meta({ id: 'MarkConsistency' });

const disagreement = z
  .object({
    item_id: z.string(),
    criterion: z.string(),
    points: z.number(),
    doubtful: z.boolean(),
    labels: z.array(z.object({ rater: z.string(), decision: z.string() })),
    decisions: z.array(z.string()).describe('Of the judge, by repeat.'),
    rationale: z.string().describe('Of the first repeat that differs from a label.'),
    evidence: z
      .array(z.object({ turn: z.int(), quote: z.string() }))
      .default([])
      .describe("What that repeat quoted of the agent's words; at most five. Turns count from 1."),
  })
  .meta({ id: 'CalibrationDisagreement' });

export const calibrationResult = z
  .object({
    confidence: z.number().describe('Of the intervals, in percent.'),
    raters: z.array(z.string()).describe('At most 50 of their names.'),
    agreement: agreementView.describe('Every label with every mark of its criterion.'),
    agreement_clear: agreementView
      .nullable()
      .describe('The same without the doubtful criteria; null when none is marked as such.'),
    human_agreement: agreementView
      .nullable()
      .describe('Two raters with each other; null where no criterion has two labels.'),
    consistency: z.object({
      repeats: consistency.describe('Of repeats that saw the criteria in the same order.'),
      orders: consistency.describe('Of repeats that saw them in different orders.'),
    }),
    controls: z.object({
      asked: count,
      wrong: count,
      share: z.number().nullable().describe('wrong / asked, 0..1; null when none were asked, as offline.'),
    }),
    disputed: count.describe('Marks whose votes were not unanimous.'),
    failed: z.array(z.object({ kind: z.string(), count, message: z.string() })),
    usage: z.object({
      calls: count,
      input_tokens: count,
      output_tokens: count,
      cost_usd: z.number().nullable(),
      answered_by: z.array(z.string()),
    }),
    disagreements: z.array(disagreement).describe('The first 200 criteria where a mark differs from a label.'),
    disagreements_total: count,
  })
  .meta({ id: 'CalibrationResult' });
export type CalibrationResult = z.output<typeof calibrationResult>;

export const calibrationListItem = z
  .object({
    id,
    name: z.string(),
    source: z.string().describe('`given`, or `starter_set`.'),
    status: z.string().describe('`pending`, `running`, `completed`, `failed` or `canceled`.'),
    repeats: z.int(),
    transcripts: count,
    criteria: count,
    judge: z.object({ name: z.string(), model: z.string().nullable(), prompt_version: z.string().nullable() }),
    clinical: z.boolean().describe('False for the offline judge: its numbers say nothing of a language model.'),
    progress: z.object({ total: count, marked: count, failed: count }).describe('Transcripts times repeats.'),
    stale: z.boolean().describe('The judge that would be calibrated now is another model or has other prompts.'),
    changed: z.array(z.enum(JUDGE_CHANGES)).describe('What differs; empty unless it is stale.'),
    kappa: measure.nullable().describe("Cohen's κ of judge and labels; null until everything is marked."),
    ac1: measure.nullable().describe("Gwet's AC1 of the same."),
    error_message: z.string().nullable(),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'CalibrationListItem' });
export type CalibrationListItem = z.output<typeof calibrationListItem>;

export const calibrationView = calibrationListItem
  .extend({
    notes: z.array(z.string()).describe('How to read the numbers, in sentences.'),
    result: calibrationResult.nullable().describe('Null until everything is marked.'),
  })
  .meta({ id: 'Calibration' });
export type CalibrationView = z.output<typeof calibrationView>;

export const calibrationList = z.object({ calibrations: z.array(calibrationListItem), total: z.int() });
export type CalibrationList = z.output<typeof calibrationList>;

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
