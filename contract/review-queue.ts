import { z } from 'zod';
import { filledText, id, queryNumber } from './field';
import { pageFields } from './page';
import { operation } from './operation';

const LARGEST_SEED = 4_294_967_295;

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((given) => given === 'true');

/** Percent of the conversations in which nothing stands out, when a client does not say. */
export const DEFAULT_SAMPLE = 10;

export const sample = queryNumber(z.number().min(0).max(100).default(DEFAULT_SAMPLE)).describe(
  'Percent of the scenario runs of which nothing stands out that are drawn at random.',
);

export const seed = queryNumber(z.int().min(0).max(LARGEST_SEED).optional()).describe(
  'Determines which are drawn. Left out, it is the same for everybody.',
);

const queueQuery = z.object({
  ...pageFields,
  sample,
  seed,
  reviewer: filledText(200)
    .optional()
    .describe('Progress and `open` are about reviews under this name, by whatever key.'),
  mine: flag.describe(
    'true: progress and `open` are about the reviews that the key of this request wrote; on a service without keys, about `reviewer`.',
  ),
  open: flag.describe('true: only what is not reviewed yet.'),
  blind: flag.describe('true: without the reasons, for reviewers who are not to know what the judge found.'),
});

const QUEUE_REASONS = ['must_pass_violation', 'disputed', 'flagged', 'sample'] as const;

export type QueueReason = (typeof QUEUE_REASONS)[number];

const count = z.int().min(0);

const queuedRun = z.object({
  scenario_run_id: id,
  scenario_id: id,
  scenario_name: z.string(),
  trial: z.int().min(1),
  reason: z
    .enum(QUEUE_REASONS)
    .nullable()
    .describe('Why it is in the queue; null when the queue is asked for `blind`.'),
  reviews: count,
  reviewers: z.array(z.string()).describe('Who has reviewed it, each once.'),
  is_reviewed: z.boolean().describe('By the reviewer whom the request names, or by anybody.'),
  disagreements: count.describe('Criteria on which they differ: an adjudicator should decide.'),
});

const reviewQueueView = z
  .object({
    test_run_id: id,
    sample: z.number().describe(`Percent of the rest; ${DEFAULT_SAMPLE} unless asked otherwise.`),
    seed: z.int().describe('Reproduces the same sample.'),
    progress: z
      .object({
        reviewed: count,
        to_review: count.describe('All of the queue, reviewed or not.'),
        disagreements: count.describe('Scenario runs on which reviewers differ.'),
      })
      .describe('Of the whole queue; of one reviewer where the request names one.'),
    results: z.array(queuedRun),
    total: count.describe('Of what the request asked for, on all pages.'),
  })
  .meta({ id: 'ReviewQueue' });

export type ReviewQueueView = z.infer<typeof reviewQueueView>;

export const getReviewQueue = operation({
  id: 'getReviewQueue',
  method: 'GET',
  path: '/api/v1/tests/{id}/review-queue',
  tag: 'Reviews',
  role: 'viewer',
  summary: 'List the scenario runs of a test run that should be reviewed',
  description:
    'By id or label: scenario runs that violate a must-pass criterion, then those with disputed criteria, then those that are flagged, then a ' +
    'random sample of the rest that a seed determines. Only what was graded.',
  query: queueQuery,
  answers: {
    200: { description: 'A page of the queue, and the progress of the reviews.', schema: reviewQueueView },
    400: 'A parameter is wrong.',
    404: 'Test run not found',
  },
});
