import { z } from 'zod';
import { DECISIONS } from '../../domain/rubric';
import { id } from '../../platform/http/field';
import type { StoredTurn } from '../../engine/ledger/execution-record';
import type { GradedRun, StoredReview } from './reviews.store';
import type { NotBlind } from '../shown-marks/shown-marks.store';
import { regionView } from '../runs/run.views';
import { notBlindSentence, notBlindBecause } from './review.views';
import { transcriptEntry, transcriptOf } from '../runs/scenario-run.views';

/** The caller that asks for the sheet, by what the service knows. */
export interface SheetReader {
  /** Null on a service without keys. */
  readonly keyName: string | null;
  readonly notBlind: NotBlind | null;
}

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

export function sheetOf(
  run: GradedRun,
  turns: readonly StoredTurn[],
  reviews: readonly StoredReview[],
  { keyName, notBlind }: SheetReader,
): ReviewSheetView {
  const mine =
    keyName === null
      ? undefined
      : reviews.findLast((review) => review.role === 'reviewer' && review.key_name === keyName);
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
    you: {
      key_name: keyName,
      reviewer: mine?.reviewer ?? null,
      blind: notBlind === null,
      not_blind_because: notBlind && notBlindSentence(notBlind, keyName),
    },
  };
}
