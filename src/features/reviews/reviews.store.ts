import { Injectable } from '@nestjs/common';
import type { TestRunListItem } from '../../../contract/test-runs';
import type { Decision, Evidence } from '../../domain';
import { type Queryable, type WriteWith, Database, isUuid } from '../../platform/database';
import { toStorableJson } from '../../platform/storable-text';
import type { ScenarioRunRecord, StoredCriterionResult } from '../runs/scenario-runs.store';
import { readNotBlind, type NotBlind } from '../shown-marks/shown-marks.store';
import { SHOWN_RUNS } from '../../engine/ledger';

export type ReviewRole = 'reviewer' | 'adjudicator';

/** On the criterion of the rubric at the same place. */
export interface ReviewedCriterion {
  readonly decision: Decision;
  readonly rationale: string;
  readonly evidence: readonly Evidence[];
}

export interface StoredReview {
  readonly id: string;
  readonly scenario_run_id: string;
  /** From 1, within its scenario run. */
  readonly number: number;
  readonly reviewer: string;
  /** The name of the service key that wrote it; null on a service without keys. */
  readonly key_name: string | null;
  readonly role: ReviewRole;
  /** By what the service had shown to that key. */
  readonly blind: boolean;
  /** Null when it is, and of those written before it was known. */
  readonly not_blind_because: NotBlind | null;
  readonly global_rating: number | null;
  readonly comment: string;
  readonly criteria: readonly ReviewedCriterion[];
  /** By this review alone. */
  readonly passed: boolean;
  readonly score_percent: number;
  /** By all reviews up to this one. */
  readonly effective_passed: boolean;
  readonly effective_score_percent: number;
  readonly disagreements: number;
  readonly created_at: Date;
}

export type GivenReview = Pick<
  StoredReview,
  'reviewer' | 'key_name' | 'role' | 'global_rating' | 'comment' | 'criteria' | 'passed' | 'score_percent'
> & {
  /** The reviewer says so: only the reviewer knows what was seen outside the service. */
  readonly hasSeenMarks: boolean;
};

/** What all reviews of a conversation say together. */
export type Together = Pick<StoredReview, 'effective_passed' | 'effective_score_percent' | 'disagreements'>;

type OfRow =
  | 'id'
  | 'test_run_id'
  | 'scenario_id'
  | 'scenario_name'
  | 'trial'
  | 'status'
  | 'passed'
  | 'score_percent'
  | 'criteria_results';

/** What a review is checked against. */
export interface ReviewedRun
  extends Pick<ScenarioRunRecord, OfRow>, Pick<TestRunListItem, 'pass_threshold' | 'region'> {
  /** The scale of the copy of the scenario that was examined with; null when it names none. */
  readonly rubric_scale: string | null;
  readonly chief_complaint: string | null;
}

/** One that can be reviewed. */
export interface GradedRun extends ReviewedRun {
  readonly criteria_results: readonly StoredCriterionResult[];
}

/** Reads and adds reviews. None is ever changed. */
@Injectable()
export class ReviewsStore {
  constructor(private readonly database: Database) {}

  /** An id that is not a UUID is an id that no scenario run has. */
  async runOf(scenarioRunId: string): Promise<ReviewedRun | null> {
    if (!isUuid(scenarioRunId)) return null;
    const [run] = await this.database.query<ReviewedRun>(
      `SELECT s.id, s.test_run_id, s.scenario_id, s.scenario_name, s.trial, s.status, s.passed, s.score_percent, s.criteria_results,
              s.scenario->'content'->>'rubric_scale' AS rubric_scale,
              s.scenario->'content'->>'chief_complaint' AS chief_complaint, t.pass_threshold, t.region
       FROM scenario_runs s JOIN ${SHOWN_RUNS} t ON t.id = s.test_run_id WHERE s.id = $1`,
      [scenarioRunId],
    );
    return run ?? null;
  }

  /** Oldest first. @param scenarioRunId UUID */
  list(scenarioRunId: string): Promise<StoredReview[]> {
    return reviewsOf(this.database, scenarioRunId);
  }

  /**
   * Adds a review after all others of its scenario run: two that arrive together come one after the other. Null when the
   * scenario run is not there any more.
   * @param together what those before it, oldest first, and it say; what it throws is thrown, and nothing is stored
   * @param also is written with it
   */
  add(
    scenarioRunId: string,
    review: GivenReview,
    together: (before: readonly StoredReview[]) => Together,
    also: WriteWith<StoredReview>,
  ): Promise<StoredReview | null> {
    return this.database.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`reviews ${scenarioRunId}`]);
      // One that is being deleted is waited for, and is then found to be gone.
      const runs = await tx.query(
        `SELECT 1 FROM scenario_runs s JOIN ${SHOWN_RUNS} t ON t.id = s.test_run_id WHERE s.id = $1 FOR KEY SHARE`,
        [scenarioRunId],
      );
      if (runs.length === 0) return null;
      const before = await reviewsOf(tx, scenarioRunId);
      const shown = await readNotBlind(tx, scenarioRunId, review.key_name, review.role === 'adjudicator');
      const notBlind = shown ?? (review.hasSeenMarks ? 'said_so' : null);
      const { effective_passed, effective_score_percent, disagreements } = together(before);
      const [stored] = await tx.query<StoredReview>(
        `INSERT INTO reviews (scenario_run_id, number, reviewer, key_name, role, blind, not_blind_because, global_rating, comment, criteria, passed,
           score_percent, effective_passed, effective_score_percent, disagreements)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING ${COLUMNS}`,
        [
          scenarioRunId,
          before.length + 1,
          review.reviewer,
          review.key_name,
          review.role,
          notBlind === null,
          notBlind,
          review.global_rating,
          review.comment,
          toStorableJson(review.criteria),
          review.passed,
          review.score_percent,
          effective_passed,
          effective_score_percent,
          disagreements,
        ],
      );
      if (stored === undefined) throw new Error('A review that was inserted was not returned.');
      await also(tx, stored);
      return stored;
    });
  }
}

const COLUMNS = `id, scenario_run_id, number, reviewer, key_name, role, blind, not_blind_because, global_rating, comment, criteria, passed, score_percent,
  effective_passed, effective_score_percent, disagreements, created_at`;

function reviewsOf(database: Queryable, scenarioRunId: string): Promise<StoredReview[]> {
  return database.query<StoredReview>(`SELECT ${COLUMNS} FROM reviews WHERE scenario_run_id = $1 ORDER BY number`, [
    scenarioRunId,
  ]);
}
