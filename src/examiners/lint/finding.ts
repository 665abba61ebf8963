/** `error`: the mark can be wrong. `warning`: it says less than it seems to. */
export const FINDING_SEVERITIES = ['error', 'warning'] as const;
export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

/** Something that makes a scenario a poorer instrument. */
export interface Finding {
  /** See `RULES`. */
  readonly rule: string;
  readonly severity: FindingSeverity;
  /** Where it stands in the scenario's JSON: `rubric_criteria[3].criterion`, `content.script`. */
  readonly path: string;
  /** What is wrong with it and what to write instead. */
  readonly sentence: string;
}

/** What a rule found; its name and severity are the rule's. */
export type Found = Pick<Finding, 'path' | 'sentence'>;
