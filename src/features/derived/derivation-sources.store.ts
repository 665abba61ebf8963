import { Injectable } from '@nestjs/common';
import type { EndedBy, ErrorCode, PatientProfile, ScenarioRunStatus, RubricCriterion } from '../../domain';
import { othersTurn } from '../../platform/concurrency';
import { Database, isUuid } from '../../platform/database';
import { type OtherRubric, SHOWN_RUNS } from '../../engine/ledger';
import { contentHashOf } from '../scenarios/scenario-revision';

/** What decides how a scenario run can be taken over into another run. */
export interface SourceRow {
  readonly id: string;
  readonly trial: number;
  readonly patient: PatientProfile;
  readonly status: ScenarioRunStatus;
  readonly error_code: ErrorCode | null;
  readonly turns: number;
  readonly ended_by: EndedBy | null;
  /** Null unless it began with turns of another one. */
  readonly kept_turns: number | null;
  readonly given_message: string | null;
  /** Its conversation was held before it began: it was only marked. */
  readonly is_only_marked: boolean;
}

/** A scenario run that a conversation is to go on from. */
export interface SingleSource extends SourceRow {
  readonly test_run_id: string;
  /** Whether there is something for a patient to play. */
  readonly has_script: boolean;
}

const COLUMNS =
  'id, trial, patient, status, error_code, turns, ended_by, kept_turns, given_message, played_by IS NOT NULL AS is_only_marked';

/** Reads what runs are derived from. */
@Injectable()
export class DerivationSourcesStore {
  constructor(private readonly database: Database) {}

  /** The scenario runs of a run in its order. */
  rowsOf(testRunId: string): Promise<SourceRow[]> {
    return this.database.query<SourceRow>(
      `SELECT ${COLUMNS} FROM scenario_runs WHERE test_run_id = $1 ORDER BY position`,
      [testRunId],
    );
  }

  /** Null when there is no such scenario run. */
  async rowOf(id: string): Promise<SingleSource | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.database.query<SingleSource>(
      `SELECT ${COLUMNS}, test_run_id, COALESCE(scenario->'content'->>'script', '') ~ '\\S' AS has_script
       FROM scenario_runs s WHERE id = $1 AND EXISTS (SELECT FROM ${SHOWN_RUNS} t WHERE t.id = s.test_run_id)`,
      [id],
    );
    return row ?? null;
  }

  /**
   * How the copies that a run has of its scenarios go together with the rubrics that the scenarios have now; none for a copy with the
   * rubric of today, and none for a scenario that the library does not have.
   */
  async otherRubricsOf(testRunId: string): Promise<OtherRubric[]> {
    const copies = await this.database.query<{ scenario_id: string; position: number }>(
      `SELECT s.scenario_id, min(s.position) AS position FROM scenario_runs s JOIN scenarios c ON c.id = s.scenario_id
       WHERE s.test_run_id = $1 GROUP BY s.scenario_id ORDER BY 2`,
      [testRunId],
    );
    const found: OtherRubric[] = [];
    for (let from = 0; from < copies.length; from += AT_ONCE) {
      const positions = copies.slice(from, from + AT_ONCE).map(({ position }) => position);
      const changed = await this.database.query<ChangedCopy>(CHANGED, [testRunId, positions]);
      for (const copy of changed) found.push(otherRubric(copy));
      await othersTurn();
    }
    return found;
  }
}

/** Copies whose texts are read at a time. */
const AT_ONCE = 50;

interface ChangedCopy {
  readonly scenario_id: string;
  readonly was: string | null;
  readonly content: Readonly<Record<string, unknown>>;
  readonly revision: number;
  readonly content_hash: string;
  readonly rubric_criteria: readonly RubricCriterion[];
}

const CHANGED = `
  SELECT s.scenario_id, s.scenario_content_hash AS was, s.scenario->'content' AS content, v.revision, v.content_hash,
         v.rubric_criteria
  FROM scenario_runs s JOIN scenarios c ON c.id = s.scenario_id
  JOIN scenario_revisions v ON v.scenario_id = c.id AND v.revision = c.revision
  WHERE s.test_run_id = $1 AND s.position = ANY($2::int[]) AND v.content_hash IS DISTINCT FROM s.scenario_content_hash`;

function otherRubric({ content, rubric_criteria, revision, ...copy }: ChangedCopy): OtherRubric {
  const content_hash = contentHashOf({ content, rubricCriteria: rubric_criteria });
  return {
    scenario_id: copy.scenario_id,
    was: copy.was,
    rubric_of: revision,
    revision: content_hash === copy.content_hash ? revision : null,
    content_hash,
  };
}
