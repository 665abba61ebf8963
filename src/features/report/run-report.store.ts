import { Injectable } from '@nestjs/common';
import type { PatientProfile, ScenarioRunStatus } from '../../domain';
import { Database } from '../../platform/database';
import type { Findings } from '../../engine/ledger';
import type { StoredCriterionResult } from '../runs/scenario-runs.store';

/** A scenario as a run held it, and how it fared there. */
export interface ReportedScenario {
  readonly scenario_id: string;
  readonly scenario_name: string;
  /** Null in runs of releases that did not keep them. */
  readonly revision: number | null;
  readonly content_hash: string | null;
  /** The named person who approved this revision; null when nobody did, or when the approval was withdrawn. */
  readonly approved_by: string | null;
  /** As the scenario has them now; null when it is gone. */
  readonly category: string | null;
  readonly severity: string | null;
  /** `content.hazard` as it was examined: text, or an object with words in it; null when there is none. */
  readonly hazard: unknown;
  /** The rubric as it was examined. */
  readonly rubric:
    readonly { readonly criterion?: unknown; readonly points?: unknown; readonly tags?: unknown }[] | null;
  readonly total: number;
  readonly graded: number;
  readonly passed: number;
  readonly trials: ReportedTrial[];
}

interface ReportedTrial {
  readonly trial: number;
  readonly patient: PatientProfile;
  readonly status: ScenarioRunStatus;
  readonly must_pass_violated: boolean;
}

/** A scenario run of which there is more to say than pass and fail. */
export interface NotableScenarioRun {
  readonly id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly trial: number;
  readonly status: ScenarioRunStatus;
  readonly findings: Findings;
  readonly criteria_results: readonly StoredCriterionResult[] | null;
  /** `metadata.patient_faults` */
  readonly patient_faults: unknown;
}

/** What a reviewer decided about a conversation, beside the judge. */
export interface ReportedReview {
  readonly scenario_run_id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly trial: number;
  readonly reviewer: string;
  readonly key_name: string | null;
  readonly role: string;
  readonly blind: boolean;
  readonly passed: boolean;
  /** By the judge. */
  readonly judged: boolean;
  readonly disagreements: number;
  readonly comment: string;
}

/**
 * The revision of a scenario run `s` as this service has it: by its text too, since an imported run counts revisions of its own.
 * A withdrawn approval still stands in its revision (ScenarioRevisionEntity), so the scenario `c` is asked while it has that one.
 */
const REVISION_OF_S = `LEFT JOIN scenarios c ON c.id = s.scenario_id
       LEFT JOIN scenario_revisions v ON v.scenario_id = s.scenario_id AND v.revision = s.scenario_revision
         AND v.content_hash = s.scenario_content_hash AND (c.approved OR c.revision <> v.revision)`;

/** Reads what a report says of a run beside its statistics. */
@Injectable()
export class RunReportStore {
  constructor(private readonly database: Database) {}

  /**
   * In the run's order; of more than `limit` the critical ones with violations or failures come first, then those with must-pass
   * violations, then those with failures.
   */
  scenarios(testRunId: string, limit: number): Promise<ReportedScenario[]> {
    return this.database.query<ReportedScenario>(
      `WITH held AS (
         SELECT id, scenario_id, position, trial, patient, status,
           coalesce(json_array_length(findings->'violations'), 0) > 0 AS violated
         FROM scenario_runs WHERE test_run_id = $1),
       fared AS (
         SELECT (array_agg(held.id ORDER BY position))[1] AS first, min(position) AS position, count(*)::int AS total,
           count(*) FILTER (WHERE status IN ('passed', 'failed'))::int AS graded,
           count(*) FILTER (WHERE status = 'passed')::int AS passed,
           json_agg(json_build_object('trial', trial, 'patient', patient, 'status', status,
             'must_pass_violated', violated) ORDER BY position) AS trials
         FROM held LEFT JOIN scenarios g ON g.id = scenario_id GROUP BY scenario_id, g.severity
         ORDER BY (bool_or(violated OR status = 'failed') AND g.severity = 'critical') IS TRUE DESC, bool_or(violated) DESC, bool_or(status = 'failed') DESC, min(position) LIMIT $2)
       SELECT s.scenario_id, s.scenario_name, s.scenario_revision AS revision, s.scenario_content_hash AS content_hash,
         v.approved_by, c.category, c.severity, s.scenario->'content'->'hazard' AS hazard, s.scenario->'rubric_criteria' AS rubric,
         f.total, f.graded, f.passed, f.trials
       FROM fared f CROSS JOIN LATERAL (SELECT * FROM scenario_runs WHERE id = f.first OFFSET 0) s
       ${REVISION_OF_S} ORDER BY f.position`,
      [testRunId, limit],
    );
  }

  /** How many scenarios of the run were approved by a named person in the revision that was examined: of all, with no limit. */
  async signedScenarios(testRunId: string): Promise<number> {
    const [row] = await this.database.query<{ signed: number }>(
      `SELECT count(DISTINCT s.scenario_id)::int AS signed FROM scenario_runs s
       ${REVISION_OF_S} WHERE s.test_run_id = $1 AND v.approved_by IS NOT NULL`,
      [testRunId],
    );
    return row?.signed ?? 0;
  }

  /** In the run's order, those of one conversation oldest first; at most `limit`. */
  reviews(testRunId: string, limit: number): Promise<ReportedReview[]> {
    return this.database.query<ReportedReview>(
      `SELECT s.id AS scenario_run_id, s.scenario_id, s.scenario_name, s.trial, r.reviewer, r.key_name, r.role, r.blind, r.passed,
         s.status = 'passed' AS judged, r.disagreements, r.comment
       FROM scenario_runs s JOIN reviews r ON r.scenario_run_id = s.id
       WHERE s.test_run_id = $1 ORDER BY s.position, r.number LIMIT $2`,
      [testRunId, limit],
    );
  }

  /** In the run's order, at most `limit`. */
  notable(testRunId: string, limit: number): Promise<NotableScenarioRun[]> {
    return this.database.query<NotableScenarioRun>(
      `SELECT id, scenario_id, scenario_name, trial, status, findings, criteria_results,
         metadata->'patient_faults' AS patient_faults
       FROM scenario_runs WHERE test_run_id = $1 AND findings IS NOT NULL ORDER BY position LIMIT $2`,
      [testRunId, limit],
    );
  }
}
