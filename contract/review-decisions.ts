import { z } from 'zod';
import { filledText, text } from './field';
import { DECISIONS } from '../src/domain';

/** As many criteria as a rubric may have. */
const MOST_CRITERIA = 200;

const MOST_QUOTES = 10;

/** The longest sentence that the judge can quote is a fifth of it. */
const LONGEST_QUOTE = 10_000;

const evidence = z
  .array(
    z.object({
      turn: z.int().min(1).max(1_000),
      quote: filledText(LONGEST_QUOTE).describe(
        'Words of the agent’s reply in that turn, exactly as they stand there.',
      ),
    }),
  )
  .max(MOST_QUOTES);

const criterion = z.object({
  index: z.int().min(0).describe('Place in the scenario run’s `criteria_results`, from 0.'),
  decision: z.enum(DECISIONS),
  rationale: text(2_000).default(''),
  evidence: evidence.default([]),
});

/** Body of POST /api/v1/scenario-runs/{id}/reviews. */
export const createReviewRequest = z
  .object({
    reviewer: filledText(200)
      .optional()
      .describe(
        'Who reviewed. The service key that writes the review is stored beside it, and is one reviewer whatever the name; on a service without keys ' +
          'names tell reviewers apart, without regard to case and spaces. Of a person who has signed in the service takes the name that it knows, ' +
          'whatever is sent; for a key it is the name of the key when left out, and on a service without keys it is required.',
      ),
    role: z
      .enum(['reviewer', 'adjudicator'])
      .default('reviewer')
      .describe('An adjudicator settles what two reviewers see differently: that review is the one that counts.'),
    blind: z
      .boolean()
      .optional()
      .describe(
        'false: the reviewer has seen marks of this conversation elsewhere. Otherwise the service knows by itself whether it has shown any to this key.',
      ),
    global_rating: z.int().min(1).max(5).nullish().describe('The consultation as a whole, 1 (poor) to 5 (excellent).'),
    comment: text(10_000).default(''),
    criteria: z
      .array(criterion)
      .min(1)
      .max(MOST_CRITERIA)
      .describe('A decision on each criterion, in any order. Those that a check decides may be left out.'),
  })
  .meta({
    id: 'CreateReview',
    examples: [
      {
        reviewer: 'Dr. A. Osei',
        role: 'reviewer',
        global_rating: 4,
        comment: '',
        criteria: [
          {
            index: 0,
            decision: 'MET',
            rationale: 'Sends for an ambulance at once.',
            evidence: [{ turn: 2, quote: 'Please call an ambulance now.' }],
          },
        ],
      },
    ],
  });

export type CreateReviewRequest = z.output<typeof createReviewRequest>;
