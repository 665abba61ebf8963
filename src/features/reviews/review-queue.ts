import { reviewerKey, reviewerOf } from '../../domain/effective-decisions';
import type { QueuedRun, ReviewableRuns } from './reviewed-conversations.store';

export const QUEUE_REASONS = ['must_pass_violation', 'disputed', 'flagged', 'sample'] as const;
export type QueueReason = (typeof QUEUE_REASONS)[number];

export interface QueueEntry {
  readonly run: QueuedRun;
  readonly reason: QueueReason;
}

/** Percent of what nothing stands out of, when a client does not say. */
export const DEFAULT_SAMPLE = 10;

/** What is to be reviewed of a run: all that stands out, the gravest first, then a random sample of the rest. */
export function queueOf({ notable, rest }: ReviewableRuns, samplePercent: number): QueueEntry[] {
  const of = (reason: QueueReason): QueueEntry[] =>
    notable.filter((run) => reasonOf(run) === reason).map((run) => ({ run, reason }));
  const drawn = rest.slice(0, sampleSize(rest.length, samplePercent));
  return [
    ...of('must_pass_violation'),
    ...of('disputed'),
    ...of('flagged'),
    ...drawn.map((run): QueueEntry => ({ run, reason: 'sample' })),
  ];
}

export function sampleSize(rest: number, samplePercent: number): number {
  return Math.ceil((rest * samplePercent) / 100);
}

/** The same for everybody who does not name one, so that several reviewers work on one sample. */
export function seedOf(testRunId: string): number {
  return Number.parseInt(testRunId.replaceAll('-', '').slice(0, 8), 16);
}

/** Whose reviews are asked for: those of a key, of a name whatever the key, or of anybody. */
export type Whose = { readonly keyName: string } | { readonly reviewer: string } | 'anybody';

export function isReviewed({ reviews }: QueuedRun, whose: Whose): boolean {
  if (whose === 'anybody') return reviews.length > 0;
  if ('keyName' in whose) return reviews.some(({ key_name }) => key_name === whose.keyName);
  return reviews.some(({ reviewer }) => reviewerKey(reviewer) === reviewerKey(whose.reviewer));
}

/** As each wrote it last. */
export function namesOf({ reviews }: QueuedRun): string[] {
  return [...new Map(reviews.map((review) => [reviewerOf(review), review.reviewer])).values()];
}

function reasonOf({ findings }: ReviewableRuns['notable'][number]): QueueReason {
  if (findings.violations.length > 0) return 'must_pass_violation';
  return findings.disputed > 0 ? 'disputed' : 'flagged';
}
