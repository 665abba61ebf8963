import type { ComparisonView, QuestionTest } from '../../statistics/comparison.view';

/** A test case of the comparison, and what became of it. */
export interface ComparedCase {
  readonly name: string;
  readonly outcome: { readonly element: 'failure' | 'skipped'; readonly message: string } | null;
}

const NAMES: Readonly<Record<QuestionTest['on'], string>> = {
  passed: 'Scenarios pass no less often',
  score: 'Scenarios score no lower',
  must_pass: 'Must-pass criteria are violated no more often',
};

/**
 * What a comparison is to a CI server: one test case for each of its questions, which fails where the run is shown to be worse and is
 * skipped where that could not be tested; and one that fails on a new must-pass violation, whatever the numbers show.
 */
export function comparedCases({ tests, verdict, grounds, sentence, ...rest }: ComparisonView): ComparedCase[] {
  const fresh = rest.new_must_pass_violations.length;
  const cases = tests.map((test): ComparedCase => {
    const name = NAMES[test.on];
    if (verdict === 'cannot_tell' || test.adjusted_p_value === null) {
      return { name, outcome: { element: 'skipped', message: sentence } };
    }
    const isWorse = grounds.includes(test.on) && (test.difference ?? 0) < 0;
    return { name, outcome: isWorse ? { element: 'failure', message: sentence } : null };
  });
  const violation = fresh === 0 ? null : ({ element: 'failure', message: sentence } as const);
  return [...cases, { name: 'No must-pass criterion is violated anew', outcome: violation }];
}
