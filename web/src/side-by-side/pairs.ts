import { isMustPass, outcomeOf } from '../../../src/domain';
import type { ScenarioRunView, TranscriptEntry } from '../../../contract/scenario-runs';

type CriterionResult = NonNullable<ScenarioRunView['criteria_results']>[number];
type Marked = Pick<CriterionResult, 'criterion' | 'decision' | 'max_points' | 'tags'>;

/** A criterion with its place among the results of either side; null on a side whose rubric does not have it. */
export interface CriterionPair {
  readonly criterion: string;
  readonly places: readonly [number | null, number | null];
  /** Whether its outcome differs, or only one side has it. */
  readonly differs: boolean;
  /** On either side something that must pass, or must not be done, was violated. */
  readonly isViolated: boolean;
}

/**
 * The criteria of two marked conversations, by their text: those whose outcome differs first, and in each part those that are violated
 * before the others, else in the rubric's order.
 */
export function pairedCriteria(before: readonly Marked[], after: readonly Marked[]): CriterionPair[] {
  const left = new Set(before.keys());
  const pairs = after.map((result, place): CriterionPair => {
    const at = before.findIndex(({ criterion }, index) => left.has(index) && criterion === result.criterion);
    const other = before[at];
    const { criterion } = result;
    if (other === undefined) {
      return { criterion, places: [null, place], differs: true, isViolated: isViolation(result) };
    }
    left.delete(at);
    const differs = outcomeOf(other) !== outcomeOf(result);
    return { criterion, places: [at, place], differs, isViolated: isViolation(other) || isViolation(result) };
  });
  const gone = [...left].map((place): CriterionPair => {
    const result = before[place];
    const isViolated = result !== undefined && isViolation(result);
    return { criterion: result?.criterion ?? '', places: [place, null], differs: true, isViolated };
  });
  const all = [...pairs, ...gone];
  const rankOf = ({ differs, isViolated }: CriterionPair) => (differs ? 0 : 2) + (isViolated ? 0 : 1);
  return all.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Whether what must pass was missed, or what must not be done was done. */
function isViolation(result: Marked): boolean {
  return outcomeOf(result) === 'bad' && (result.max_points < 0 || isMustPass(result));
}

type Said = Pick<TranscriptEntry, 'turn' | 'role'>;

/** A line of two conversations: what one role said in one turn, as places in either transcript; null where nothing was said. */
export interface MessagePair extends Said {
  readonly places: readonly [number | null, number | null];
}

/** Two conversations, turn beside turn: in each turn the patient speaks before the agent. */
export function pairedMessages(before: readonly Said[], after: readonly Said[]): MessagePair[] {
  const pairs = new Map<string, { turn: number; role: Said['role']; places: [number | null, number | null] }>();
  for (const [side, transcript] of [before, after].entries()) {
    for (const [place, { turn, role }] of transcript.entries()) {
      const key = `${turn} ${role}`;
      const pair = pairs.get(key) ?? { turn, role, places: [null, null] };
      pair.places[side === 0 ? 0 : 1] = place;
      pairs.set(key, pair);
    }
  }
  const order = (role: Said['role']) => (role === 'patient' ? 0 : 1);
  return [...pairs.values()].sort((one, other) => one.turn - other.turn || order(one.role) - order(other.role));
}
