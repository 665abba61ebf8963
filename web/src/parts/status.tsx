import type { CriterionOutcome, ScenarioRunStatus, TestRunStatus } from '../../../src/domain';

/** Statuses differ by sign and word, never by colour alone. */
export const SIGNS: Readonly<Record<ScenarioRunStatus | TestRunStatus, string>> = {
  pending: '·',
  scheduled: '◷',
  running: '▸',
  grading: '✎',
  passed: '✓',
  // Completed, with any result: not a sign of success.
  completed: '■',
  failed: '✗',
  error: '!',
  canceled: '–',
};

/** What a mark means for the agent. */
export const OUTCOME_SIGNS = { good: '✓', half: '◐', bad: '✗' } as const satisfies Record<CriterionOutcome, string>;

/** Of a run, `failed` means that it could not be carried out; of a scenario run, that the agent did not pass. */
export function Status({ of }: { readonly of: ScenarioRunStatus | TestRunStatus }) {
  return (
    <span className={`status ${of}`}>
      <span className="sign" aria-hidden="true">
        {SIGNS[of]}
      </span>
      {of}
    </span>
  );
}
