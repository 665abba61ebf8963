import * as z from 'zod/mini';

/** A finding of the lint: a defect that makes the marks of a scenario less reliable. */
export const finding = z.object({
  rule: z.string(),
  severity: z.string(),
  /** The place in the scenario: `rubric_criteria[3].criterion`. */
  path: z.string(),
  sentence: z.string(),
});
export type Finding = z.output<typeof finding>;
