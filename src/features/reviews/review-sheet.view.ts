import { DECISIONS } from '../../domain';
import type { StoredTurn } from '../../engine/ledger';
import type { GradedRun, StoredReview } from './reviews.store';
import type { NotBlind } from '../shown-marks/shown-marks.store';
import { notBlindSentence } from './review.views';
import { transcriptOf } from '../runs/scenario-run.views';
import type { ReviewSheetView } from '../../../contract/review-sheet';
import { id } from '../../../contract/field';

/** The caller that asks for the sheet, by what the service knows. */
export interface SheetReader {
  /** Null on a service without keys. */
  readonly keyName: string | null;
  readonly notBlind: NotBlind | null;
}

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
