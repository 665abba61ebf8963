import * as z from 'zod/mini';

/** Something that makes a scenario a poorer instrument. */
export const finding = z.object({
  rule: z.string(),
  severity: z.string(),
  /** Where it stands in the scenario: `rubric_criteria[3].criterion`. */
  path: z.string(),
  sentence: z.string(),
});
export type Finding = z.output<typeof finding>;
