import { z } from 'zod';
import { DECISIONS } from '../../machines/rubric';
import { id } from '../http/field';
import type { StoredTurn } from '../persistence/ledger/execution-record';
import type { GradedRun, StoredReview } from '../persistence/reviews.store';
import { regionView } from '../runs/region.view';
import { transcriptEntry, transcriptOf } from '../runs/scenario-run.views';

/** All that a reviewer needs to decide, and nothing of what the judge has decided. */
export const reviewSheetView = z
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
      }),
    ),
    transcript: z.array(transcriptEntry),
    reviewers: z.array(z.string()).describe('Who has reviewed it before.'),
    disagreements: z.int().min(0).describe('Criteria on which they differ.'),
  })
  .meta({ id: 'ReviewSheet' });
export type ReviewSheetView = z.infer<typeof reviewSheetView>;

export function sheetOf(
  run: GradedRun,
  turns: readonly StoredTurn[],
  reviews: readonly StoredReview[],
): ReviewSheetView {
  return {
    scenario_run_id: run.id,
    test_run_id: run.test_run_id,
    scenario_name: run.scenario_name,
    trial: run.trial,
    chief_complaint: run.chief_complaint,
    region: run.region,
    decisions: run.rubric_scale === 'binary' ? [DECISIONS[0], DECISIONS[2]] : [...DECISIONS],
    criteria: run.criteria_results.map(({ criterion, max_points, tags }, index) => ({
      index,
      criterion,
      points: max_points,
      tags: [...tags],
    })),
    transcript: transcriptOf(turns),
    reviewers: [...new Set(reviews.map(({ reviewer }) => reviewer))],
    disagreements: reviews.at(-1)?.disagreements ?? 0,
  };
}
