/** A scenario run as the API shows it, as far as it says whether it should be reviewed. */
export interface LookedAt {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly criteria_results: readonly { readonly disputed?: boolean | undefined }[] | null;
}

/** Why a scenario run should be reviewed: `examiner_addressed`, `judge_unread`, `same_reply`, `heard_doubtful`. Values that are no text are left out. */
export function flagsOf({ metadata }: Pick<LookedAt, 'metadata'>): string[] {
  const { flags } = metadata;
  return Array.isArray(flags) ? flags.filter((flag) => typeof flag === 'string') : [];
}

/** Criteria on which the examinations of one conversation differed. */
export function disputedIn({ criteria_results: results }: Pick<LookedAt, 'criteria_results'>): number {
  return results?.filter(({ disputed }) => disputed === true).length ?? 0;
}

export interface SecondLooks {
  /** Scenario runs with any flag. */
  readonly flagged: number;
  /** Scenario runs by flag, in the order in which flags were met. */
  readonly byFlag: ReadonlyMap<string, number>;
  readonly disputedCriteria: number;
  /** Scenario runs with a disputed criterion. */
  readonly disputed: number;
}

/** How much of a run should be reviewed. */
export function tallySecondLooks(scenarioRuns: readonly LookedAt[]): SecondLooks {
  const byFlag = new Map<string, number>();
  for (const flag of scenarioRuns.flatMap((run) => [...new Set(flagsOf(run))])) {
    byFlag.set(flag, (byFlag.get(flag) ?? 0) + 1);
  }
  const disputed = scenarioRuns.map(disputedIn).filter((count) => count > 0);
  return {
    flagged: scenarioRuns.filter((run) => flagsOf(run).length > 0).length,
    byFlag,
    disputedCriteria: disputed.reduce((sum, count) => sum + count, 0),
    disputed: disputed.length,
  };
}
