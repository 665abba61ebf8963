import { z } from 'zod';
import type { ServiceApi } from './service-api';

/** The call about agreement. It throws the same errors as ServiceApi. */

const measure = z.looseObject({
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  reason: z.string().nullable(),
});
export type Measure = z.infer<typeof measure>;

const betweenRaters = z.looseObject({
  pairs: z.number(),
  confusion: z.looseObject({ decisions: z.array(z.string()), counts: z.array(z.array(z.number())) }),
  raw: measure,
  kappa: measure,
  ac1: measure,
  macro_f1: measure,
});

const agreement = z.looseObject({
  confidence: z.number(),
  conversations: z.number(),
  criteria: z.number(),
  raters: z.number(),
  not_blind: z.number(),
  judges: z.array(z.looseObject({ name: z.string(), model: z.string().nullable(), conversations: z.number() })),
  with_judge: betweenRaters.extend({ sensitivity: measure, specificity: measure }),
  between_reviewers: betweenRaters.extend({ conversations: z.number() }).nullable(),
  corrected_pass_rate: z.looseObject({
    value: z.number().nullable(),
    low: z.number().optional(),
    high: z.number().optional(),
    judged: z.number().optional(),
    reason: z.string().nullable(),
  }),
});
export type Agreement = z.infer<typeof agreement>;

export interface AskedAgreement {
  readonly testRunId: string | undefined;
  readonly judge: string | undefined;
  readonly tag: string | undefined;
  readonly confidence: number | undefined;
  readonly sample: number | undefined;
}

export function getAgreement(
  api: ServiceApi,
  { testRunId, judge, tag, confidence, sample }: AskedAgreement,
): Promise<Agreement> {
  const query = { test_run_id: testRunId, judge, tag, confidence, sample };
  return api.ask('GET /api/v1/agreement', { query }, agreement);
}
