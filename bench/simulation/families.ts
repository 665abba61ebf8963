import { verdictOf } from '../../src/features/statistics/comparison-verdict';
import { askThree, familiesOf, type Answered, type Family } from '../../src/features/statistics/three-questions';
import { comparedRuns, rubricsOf, type MarkedWorld } from './marked-worlds';
import type { Random } from './random';
import type { QuestionTest } from '../../contract/comparison';

export interface FamilyFound {
  readonly verdict: 'better' | 'worse' | 'mixed' | null;
  readonly tests: readonly QuestionTest[];
}

/** The answers to the three questions about two runs, by the service's own computation. @param confidence 0..1 */
export async function familyOf(
  before: MarkedWorld,
  after: MarkedWorld,
  { random, confidence }: { readonly random: Random; readonly confidence: number },
): Promise<FamilyFound> {
  const answered = await askThree(comparedRuns(before, after, random), rubricsOf(before), confidence);
  const [{ tests } = { tests: [] }] = familiesOf([answered], confidence);
  const shown = tests.filter(({ adjusted_p_value: p }) => p !== null && p < 1 - confidence);
  return { verdict: shown.length === 0 ? null : verdictOf(shown), tests };
}

/** How many pairs of agents that are all equal are called different, with the pairs adjusted together and with each pair by itself. */
export async function falseAlarmsIn(
  world: MarkedWorld,
  agents: number,
  { random, confidence }: { readonly random: Random; readonly confidence: number },
): Promise<Record<'together' | 'apart', number>> {
  const pairs = (agents * (agents - 1)) / 2;
  const answered: (readonly Answered[])[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    answered.push(await askThree(comparedRuns(world, world, random), rubricsOf(world), confidence));
  }
  const alarmed = ({ tests }: Family): boolean =>
    tests.some(({ adjusted_p_value: p }) => p !== null && p < 1 - confidence);
  return {
    together: familiesOf(answered, confidence).filter(alarmed).length,
    apart: answered.flatMap((one) => familiesOf([one], confidence)).filter(alarmed).length,
  };
}
