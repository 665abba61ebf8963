import { z } from 'zod';
import { DECISIONS } from '../src/domain';
import { id, timestamp } from './field';
import { operation } from './operation';
import { createReviewRequest } from './review-decisions';

const percent = z.number().min(0).max(100);

export const evidence = z.object({ turn: z.int(), quote: z.string() });

const reviewedCriterion = z.object({
  index: z.int().min(0),
  criterion: z.string(),
  decision: z.enum(DECISIONS),
  rationale: z.string(),
  evidence: z.array(evidence),
});

export const keyName = z
  .string()
  .nullable()
  .describe('Of the service key, or of the person who had signed in, that wrote it; null on a service without keys.');

export const notBlindBecause = z.string().nullable().describe('A sentence; null when the review is blind.');

const reviewView = z
  .object({
    id,
    scenario_run_id: id,
    test_run_id: id,
    number: z.int().min(1).describe('From 1, within its scenario run.'),
    reviewer: z.string(),
    key_name: keyName,
    role: z.enum(['reviewer', 'adjudicator']),
    blind: z
      .boolean()
      .describe(
        'Known by the service: it had shown this key no marks of this conversation, nor what others decided (which an adjudicator has to read).',
      ),
    not_blind_because: notBlindBecause,
    global_rating: z.int().min(1).max(5).nullable(),
    comment: z.string(),
    criteria: z.array(reviewedCriterion),
    passed: z.boolean().describe('By these decisions, scored as the judge’s are.'),
    score_percent: percent,
    created_at: timestamp,
  })
  .meta({ id: 'Review' });

export type ReviewView = z.infer<typeof reviewView>;

const reviewList = z.object({
  reviews: z.array(reviewView),
  total: z.int().min(0),
  disagreements: z.int().min(0).describe('Criteria on which reviewers differ and no adjudicator has decided.'),
});

export type ReviewList = z.infer<typeof reviewList>;

export const NOT_FOUND = 'Scenario run not found';

export const listReviews = operation({
  id: 'listReviews',
  method: 'GET',
  path: '/api/v1/scenario-runs/{id}/reviews',
  tag: 'Reviews',
  role: 'viewer',
  summary: 'List the reviews of a scenario run, oldest first',
  answers: { 200: { description: 'All of them.', schema: reviewList }, 404: NOT_FOUND },
});

export const createReview = operation({
  id: 'createReview',
  method: 'POST',
  path: '/api/v1/scenario-runs/{id}/reviews',
  tag: 'Reviews',
  role: 'reviewer',
  summary: 'Review a scenario run',
  description:
    'Decisions on every criterion of a graded scenario run, added to the reviews that it has. The judge’s marks and the run’s status stay as they ' +
    'are; `effective` of the scenario run and `reviewed_pass_rate` of the statistics say what holds by the reviewers. The key that ' +
    'writes it is the reviewer, and whether it is blind is what the service has shown to that key before. docs/reviews.md says how ' +
    'several reviews are taken together.',
  body: createReviewRequest,
  isKeyed: true,
  answers: {
    201: { description: 'The review as stored.', schema: reviewView },
    400: 'A field is missing or wrong, a criterion is unknown or not decided, or a quote is not in the agent’s reply.',
    404: NOT_FOUND,
    409: 'The scenario run is not graded, there is nothing to adjudicate, the key adjudicates what it has reviewed, or it has reviewed it under another name.',
  },
});
