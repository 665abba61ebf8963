import { readCheck, type Check } from '../../domain';
import { patternSize } from '../../domain/checks';
import type { ActedTurn, CheckedTurn } from './checked-turn';
import { limitMark } from './limits';
import { repliesMark } from './replies';
import type { Ruling } from './ruling';
import { toolCallsMark } from './tool-calls';

/** A criterion that a check decides. */
export interface CheckedCriterion {
  /** Position in the scenario's rubric, from 0. */
  readonly index: number;
  readonly points: number;
  readonly by_turn?: number;
  /** As it was stored. */
  readonly check: { readonly kind: string };
}

export interface ChecksRequest {
  readonly criteria: readonly CheckedCriterion[];
  readonly turns: readonly CheckedTurn[];
  /** After them: what the agent did in place of a reply; absent where it replied to everything. */
  readonly closing?: ActedTurn;
}

export type CheckMark =
  | (Ruling & { readonly index: number; readonly kind: string })
  /** It cannot be decided by what is known of the conversation: an error, never a mark. */
  | { readonly index: number; readonly kind: string; readonly undecided: string };

/** Decides every criterion of the request by its check. Pure; takes time in proportion to the replies and calls. */
export function markByChecks({ criteria, turns, closing }: ChecksRequest): CheckMark[] {
  return criteria.map((criterion) => {
    const { index, check: stored } = criterion;
    const check = readCheck(stored);
    if (check === null) {
      return {
        index,
        kind: stored.kind,
        undecided: `this version knows no check of the kind ${stored.kind.slice(0, 40)}`,
      };
    }
    const ruling =
      check.kind === 'tool_call'
        ? toolCallsMark(check, { replies: turns, closing: closing ?? null }, dueBy(criterion))
        : ruled(check, criterion, turns);
    return typeof ruling === 'string'
      ? { index, kind: check.kind, undecided: ruling }
      : { index, kind: check.kind, ...ruling };
  });
}

/** The ruling, or why there is none. */
function ruled(
  check: Exclude<Check, { kind: 'tool_call' }>,
  criterion: CheckedCriterion,
  turns: readonly CheckedTurn[],
): Ruling | string {
  switch (check.kind) {
    case 'latency_ms':
    case 'tokens':
    case 'cost_usd':
      return limitMark(check, turns);
    default:
      return repliesMark(check, turns, dueBy(criterion));
  }
}

/** A fault is a fault whenever it is said or done. */
function dueBy({ points, by_turn }: CheckedCriterion): number | null {
  return points < 0 ? null : (by_turn ?? null);
}

/** The instructions that a reader of a single phrase has. */
const PHRASE = 20;

/** Each check looks at each reply: characters times what may be looked at for each. A validator's time is not told by lengths: Infinity. */
export function costOfChecks({ criteria, turns, closing }: ChecksRequest): number {
  const characters = turns.reduce((sum, { reply }) => sum + reply.length, 0);
  const acted = closing === undefined ? turns : [...turns, closing];
  const given = acted.flatMap(({ calls }) => calls ?? []).reduce((sum, call) => sum + (call.arguments?.length ?? 0), 0);
  return criteria.reduce((sum, { check: stored }) => {
    const check = readCheck(stored);
    if (check?.kind === 'json_schema') return Infinity;
    if (check?.kind === 'tool_call') {
      return check.arguments?.json_schema === undefined
        ? sum + given * (1 + (check.arguments?.contains ?? []).length)
        : Infinity;
    }
    if (check?.kind === 'regex') return sum + (characters * patternSize(check.pattern, check.flags)) / PHRASE;
    return check?.kind === 'contains' ? sum + characters * check.texts.length : sum;
  }, 0);
}
