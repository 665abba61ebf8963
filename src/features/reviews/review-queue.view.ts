import { z } from 'zod';
import { id } from '../../platform/http/field';
import { DEFAULT_SAMPLE, QUEUE_REASONS } from './review-queue';

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
  disagreements: count.describe('Criteria on which they differ: somebody should adjudicate.'),
});

export const reviewQueueView = z
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
