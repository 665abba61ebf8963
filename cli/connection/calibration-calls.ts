import { z } from 'zod';
import type { ServiceApi } from './service-api';

/** Calls about calibrations. They throw the same errors as ServiceApi. */

const measure = z.looseObject({
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});
const agreement = z.looseObject({
  transcripts: z.number(),
  pairs: z.number(),
  confusion: z.array(z.array(z.number())),
  raw: measure,
  kappa: measure,
  ac1: measure,
  macro_f1: measure,
  fault_sensitivity: measure,
  fault_specificity: measure,
});
const consistency = z.looseObject({ value: z.number().nullable() });
const calibration = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  repeats: z.number(),
  transcripts: z.number(),
  judge: z.looseObject({ name: z.string(), model: z.string().nullish() }),
  progress: z.looseObject({ total: z.number(), marked: z.number(), failed: z.number() }),
  error_message: z.string().nullable(),
  notes: z.array(z.string()).default([]),
  result: z
    .looseObject({
      agreement,
      agreement_clear: agreement.nullable(),
      human_agreement: agreement.nullable(),
      consistency: z.looseObject({ repeats: consistency, orders: consistency }),
      controls: z.looseObject({ asked: z.number(), share: z.number().nullable() }),
      failed: z.array(z.looseObject({ kind: z.string(), count: z.number(), message: z.string() })),
      disagreements_total: z.number(),
    })
    .nullable(),
});
export type Calibration = z.infer<typeof calibration>;

export function createCalibration(api: ServiceApi, body: object): Promise<Calibration> {
  return api.make('POST /api/v1/calibrations', { body }, calibration);
}

export function getCalibration(api: ServiceApi, id: string): Promise<Calibration> {
  return api.ask('GET /api/v1/calibrations/{id}', { path: { id } }, calibration);
}

export function cancelCalibration(api: ServiceApi, id: string): Promise<Calibration> {
  return api.ask('POST /api/v1/calibrations/{id}/cancel', { path: { id } }, calibration);
}
