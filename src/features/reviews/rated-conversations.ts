import { currentOf, reviewerOf } from '../../domain/effective-decisions';
import { DECISIONS, type Decision } from '../../domain/rubric';
import type { ReviewedConversation } from './reviewed-conversations.store';
import type { RatedPair, RatedTranscript } from '../../domain/statistics/agreement';

type Review = ReviewedConversation['reviews'][number];

/** What reviewers decided about a conversation, paired with the judge and with each other. */
export interface RatedConversation {
  readonly judge: ReviewedConversation['judge'];
  readonly criteria: number;
  /** As they are compared. */
  readonly reviewers: readonly string[];
  readonly withJudge: RatedTranscript;
  /** Empty where fewer than two reviewed it. */
  readonly betweenReviewers: RatedTranscript;
}

/**
 * The pairs of a conversation; null when no review of it was blind, or no criterion has the tag. The judge is compared with the last
 * adjudication where there is one; else with each reviewer, so that what they disagree about is not left out as if it were clear.
 */
export function ratedConversation(
  { judge, marks, reviews }: ReviewedConversation,
  tag: string | null,
): RatedConversation | null {
  const places = marks.flatMap(({ tags }, index) => (tag === null || tags.includes(tag) ? [index] : []));
  const blind = reviews.filter((review) => review.blind);
  const current = currentOf(blind);
  const adjudicated = blind.findLast(({ role }) => role === 'adjudicator');
  const against = adjudicated === undefined ? current : [adjudicated];
  if (places.length === 0 || against.length === 0) return null;
  const isFault = (index: number): boolean => (marks[index]?.max_points ?? 0) < 0;
  const pairs = (one: readonly Decision[], other: readonly Decision[]): RatedPair[] =>
    places.flatMap((index) => {
      const [first, second] = [placeOf(one[index]), placeOf(other[index])];
      return first < 0 || second < 0 ? [] : [{ one: first, other: second, isFault: isFault(index) }];
    });
  const judged = marks.map(({ decision }) => decision);
  return {
    judge,
    criteria: places.length,
    reviewers: [...new Set(blind.map(reviewerOf))],
    withJudge: against.flatMap(({ decisions }) => pairs(decisions, judged)),
    betweenReviewers: everyTwo(current).flatMap(([one, other]) => pairs(one.decisions, other.decisions)),
  };
}

function placeOf(decision: Decision | undefined): number {
  return DECISIONS.findIndex((one) => one === decision);
}

function everyTwo(reviews: readonly Review[]): [Review, Review][] {
  return reviews.flatMap((one, place) => reviews.slice(place + 1).map((other): [Review, Review] => [one, other]));
}
