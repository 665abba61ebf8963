import type { QuestionTest } from '../../contract/comparison';

/** A question of a comparison to which the answer is that the run is worse, by 10 points and more than chance. */
export const fallenQuestion = (on: QuestionTest['on'], changes: Partial<QuestionTest> = {}): QuestionTest => ({
  on,
  name: 'sign_flip',
  scenarios: 8,
  before: 80,
  after: 70,
  difference: -10,
  low: -15,
  high: -5,
  method: 'paired_bootstrap',
  p_value: 0.01,
  adjusted_p_value: 0.02,
  ...changes,
});
