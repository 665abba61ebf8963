import { DECISIONS } from '../../machines/rubric';
import type { StoredTurn } from '../persistence/ledger/execution-record';
import { storableText } from '../persistence/json-text';
import type { ReviewedCriterion } from '../persistence/reviews.store';
import type { StoredCriterionResult } from '../persistence/scenario-runs.store';
import type { CreateReviewRequest } from './review.requests';

/** What a review is about. */
export interface Reviewable {
  readonly criteria: readonly StoredCriterionResult[];
  readonly rubricScale: string | null;
  readonly turns: readonly StoredTurn[];
}

/** A review that does not fit its conversation: by path, what is wrong. */
export class UnfitReview extends Error {
  override readonly name = 'UnfitReview';
}

/** Problems named; a review with more of them is wrong enough. */
const MOST_PROBLEMS = 20;

/**
 * The decisions in the rubric's order: one for each criterion, of its scale, with quotes that stand word for word in the agent's reply of
 * their turn, as the judge's do.
 * @throws UnfitReview
 */
export function checkedDecisions(
  given: CreateReviewRequest['criteria'],
  { criteria, rubricScale, turns }: Reviewable,
): ReviewedCriterion[] {
  const problems: string[] = [];
  const decided = new Map<number, ReviewedCriterion>();
  const replies = new Map(
    turns.map(({ turn, agentMessage, patientMessage }) => [turn, { agentMessage, patientMessage }]),
  );
  for (const [place, { index, decision, rationale, evidence }] of given.entries()) {
    const path = `criteria[${place}]`;
    if (index >= criteria.length) {
      problems.push(
        `${path}.index: there is no criterion ${index}; the ${criteria.length} of this rubric are 0 to ${criteria.length - 1}`,
      );
    } else if (decided.has(index)) {
      problems.push(`${path}.index: criterion ${index} is decided twice`);
    }
    if (rubricScale === 'binary' && decision === DECISIONS[1]) {
      problems.push(`${path}.decision: this rubric is marked MET or NOT MET, without ${DECISIONS[1]}`);
    }
    for (const [number, { turn, quote }] of evidence.entries()) {
      const said = replies.get(turn);
      const at = `${path}.evidence[${number}]`;
      if (said === undefined) problems.push(`${at}.turn: the conversation has no turn ${turn}`);
      else if (!storableText(said.agentMessage).includes(quote)) {
        const isPatients = storableText(said.patientMessage).includes(quote);
        problems.push(
          isPatients
            ? `${at}.quote: these are the patient’s words in turn ${turn}; only the agent’s prove anything`
            : `${at}.quote: the agent’s reply in turn ${turn} does not hold these words exactly`,
        );
      }
    }
    decided.set(index, { decision, rationale, evidence });
  }
  const missing = criteria.flatMap((_, index) => (decided.has(index) ? [] : [index]));
  if (missing.length > 0) {
    problems.push(
      `criteria: no decision on ${missing.slice(0, 10).join(', ')}${missing.length > 10 ? ', …' : ''}; each criterion needs one`,
    );
  }
  if (problems.length > 0) throw new UnfitReview(problems.slice(0, MOST_PROBLEMS).join('; '));
  return criteria.flatMap((_, index) => decided.get(index) ?? []);
}
