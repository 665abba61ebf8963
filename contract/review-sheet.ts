import { z } from 'zod';
import { id } from './field';
import { regionView } from './test-runs';
import { DECISIONS } from '../src/domain';
import { transcriptEntry } from './scenario-runs';
import { NOT_FOUND, notBlindBecause } from './reviews';
import { operation } from './operation';

/** All that a reviewer needs to decide, and nothing of what the judge has decided. */
const reviewSheetView = z
  .object({
    scenario_run_id: id,
    test_run_id: id,
    scenario_name: z.string(),
    trial: z.int().min(1),
    chief_complaint: z.string().nullable(),
    region: regionView,
    decisions: z.array(z.enum(DECISIONS)).describe('That this rubric may be marked with.'),
    criteria: z.array(
      z.object({
        index: z.int().min(0),
        criterion: z.string(),
        points: z.number().describe('Negative: something the agent must not do.'),
        tags: z.array(z.string()),
        check: z
          .string()
          .nullable()
          .describe('The kind of the check that decides it: a review need not. Null where the judge decides.'),
      }),
    ),
    transcript: z.array(transcriptEntry),
    reviewers: z.array(z.string()).describe('Who has reviewed it before.'),
    disagreements: z.int().min(0).describe('Criteria on which they differ.'),
    you: z
      .object({
        key_name: z.string().nullable().describe('Whose review it will be; null on a service without keys.'),
        reviewer: z.string().nullable().describe('The name with which this key has reviewed it before.'),
        blind: z.boolean().describe('Whether a review would be blind now.'),
        not_blind_because: notBlindBecause,
      })
      .describe('Who asks.'),
  })
  .meta({ id: 'ReviewSheet' });

export type ReviewSheetView = z.infer<typeof reviewSheetView>;

export const getReviewSheet = operation({
  id: 'getReviewSheet',
  method: 'GET',
  path: '/api/v1/scenario-runs/{id}/review-sheet',
  tag: 'Reviews',
  role: 'viewer',
  summary: 'Get what a reviewer needs to review a scenario run blind',
  description: 'The conversation and the criteria, without anything of what the judge decided.',
  answers: {
    200: { description: 'The sheet.', schema: reviewSheetView },
    404: NOT_FOUND,
    409: 'The scenario run is not graded.',
  },
});
