import type { Decision } from '../../../src/domain';
import type { NewReview, Quote, SheetCriterion } from '../api/reviews';

export interface DraftedCriterion {
  readonly decision: Decision | null;
  readonly rationale: string;
  readonly evidence: readonly Quote[];
  /** A rule has decided it: a reviewer may, and need not. */
  readonly isRuled: boolean;
}

export interface ReviewDraft {
  readonly criteria: readonly DraftedCriterion[];
  readonly globalRating: number | null;
  readonly comment: string;
}

/** As many quotes as the service takes for a criterion. */
const MOST_QUOTES = 10;

export function emptyDraft(criteria: readonly SheetCriterion[]): ReviewDraft {
  return {
    criteria: criteria.map(({ check }) => ({ decision: null, rationale: '', evidence: [], isRuled: check !== null })),
    globalRating: null,
    comment: '',
  };
}

export function withCriterion(draft: ReviewDraft, index: number, change: Partial<DraftedCriterion>): ReviewDraft {
  return { ...draft, criteria: draft.criteria.map((one, place) => (place === index ? { ...one, ...change } : one)) };
}

/** Picks a quote, or removes it when it was picked. */
export function withQuote(draft: ReviewDraft, index: number, quote: Quote): ReviewDraft {
  const { evidence = [] } = draft.criteria[index] ?? {};
  const without = evidence.filter((one) => !isSame(one, quote));
  const isPicked = without.length < evidence.length;
  return withCriterion(draft, index, { evidence: isPicked ? without : [...evidence, quote].slice(-MOST_QUOTES) });
}

export function hasQuote({ evidence }: DraftedCriterion, quote: Quote): boolean {
  return evidence.some((one) => isSame(one, quote));
}

export function undecided({ criteria }: ReviewDraft): number {
  return criteria.filter(isOpen).length;
}

/** Null while a criterion is not decided. */
export function reviewOf(
  { criteria, globalRating, comment }: ReviewDraft,
  by: Pick<NewReview, 'reviewer' | 'role'>,
): NewReview | null {
  const decided = criteria.flatMap(({ decision, rationale, evidence }, index) =>
    decision === null ? [] : [{ index, decision, rationale, evidence }],
  );
  if (criteria.some(isOpen)) return null;
  return { ...by, global_rating: globalRating, comment, criteria: decided };
}

/** Whether the reviewer has still to decide it. */
export function isOpen({ decision, isRuled }: DraftedCriterion): boolean {
  return decision === null && !isRuled;
}

function isSame(one: Quote, other: Quote): boolean {
  return one.turn === other.turn && one.quote === other.quote;
}
