import * as z from 'zod/mini';
import { call, callForNothing } from './client';

const count = z.number();
const share = z.nullable(z.number());

const measure = z.object({
  value: share,
  low: share,
  high: share,
  reason: z.nullable(z.string()),
});

const labelAgreement = z.object({
  transcripts: count,
  pairs: count,
  faults: count,
  /** Rows are the labels, columns the judge, both in the order of DECISIONS. */
  confusion: z.array(z.array(count)),
  /** Shares, 0..1, where `kappa` and `ac1` are −1..1. */
  raw: measure,
  kappa: measure,
  ac1: measure,
  macro_f1: measure,
  fault_sensitivity: measure,
  fault_specificity: measure,
});
export type LabelAgreement = z.output<typeof labelAgreement>;

const consistency = z.object({ pairs: count, same: count, value: share });
export type MarkConsistency = z.output<typeof consistency>;

const disagreement = z.object({
  item_id: z.string(),
  criterion: z.string(),
  points: z.number(),
  doubtful: z.boolean(),
  labels: z.array(z.object({ rater: z.string(), decision: z.string() })),
  decisions: z.array(z.string()),
  rationale: z.string(),
  evidence: z.array(z.object({ turn: z.number(), quote: z.string() })),
});
export type LabelDisagreement = z.output<typeof disagreement>;

const result = z.object({
  confidence: z.number(),
  raters: z.array(z.string()),
  agreement: labelAgreement,
  agreement_clear: z.nullable(labelAgreement),
  human_agreement: z.nullable(labelAgreement),
  consistency: z.object({ repeats: consistency, orders: consistency }),
  controls: z.object({ asked: count, wrong: count, share }),
  disputed: count,
  failed: z.array(z.object({ kind: z.string(), count, message: z.string() })),
  usage: z.object({ calls: count, cost_usd: z.nullable(z.number()) }),
  disagreements: z.array(disagreement),
  disagreements_total: count,
});
export type CalibrationResult = z.output<typeof result>;

const listed = z.object({
  id: z.string(),
  name: z.string(),
  source: z.string(),
  status: z.string(),
  repeats: count,
  transcripts: count,
  criteria: count,
  judge: z.object({
    name: z.string(),
    model: z.nullable(z.string()),
    prompt_version: z.nullable(z.string()),
  }),
  /** Numbers of examinations, each of one transcript. */
  progress: z.object({ total: count, marked: count, failed: count }),
  stale: z.boolean(),
  changed: z.array(z.string()),
  kappa: z.nullable(measure),
  ac1: z.nullable(measure),
  error_message: z.nullable(z.string()),
  created_at: z.string(),
  started_at: z.nullable(z.string()),
  completed_at: z.nullable(z.string()),
});
export type ListedCalibration = z.output<typeof listed>;
const list = z.object({ calibrations: z.array(listed), total: count });
export type CalibrationList = z.output<typeof list>;

const calibration = z.extend(listed, { notes: z.array(z.string()), result: z.nullable(result) });
export type Calibration = z.output<typeof calibration>;

/** The calibration that the page can start; users send their own labels with `osce calibrate`. */
export interface StarterCalibration {
  readonly name: string;
  readonly starter_set: true;
  readonly repeats: number;
}

export const CALIBRATIONS_A_PAGE = 50;

const API = '/api/v1/calibrations';
const path = (id: string) => `${API}/${encodeURIComponent(id)}`;

/** Newest first. @param page from 0 */
export function listCalibrations(page: number, signal: AbortSignal): Promise<CalibrationList> {
  const query = new URLSearchParams({ limit: `${CALIBRATIONS_A_PAGE}`, offset: `${page * CALIBRATIONS_A_PAGE}` });
  return call(list, `${API}?${query}`, { signal });
}

export function getCalibration(id: string, signal: AbortSignal): Promise<Calibration> {
  return call(calibration, path(id), { signal });
}

export function createCalibration(body: StarterCalibration, idempotencyKey: string): Promise<Calibration> {
  return call(calibration, API, { method: 'POST', body, idempotencyKey });
}

export function cancelCalibration(id: string): Promise<Calibration> {
  return call(calibration, `${path(id)}/cancel`, { method: 'POST' });
}

export function deleteCalibration(id: string): Promise<void> {
  return callForNothing(path(id), { method: 'DELETE' });
}

export function isUnderWay({ status }: Pick<ListedCalibration, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}
