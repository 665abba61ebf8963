import { Injectable } from '@nestjs/common';
import type { RubricCriterion } from '../../domain/rubric';
import { Database } from '../../platform/database/database';
import type { Part } from '../../platform/database/part';

export interface ScenarioRevisionRecord {
  readonly revision: number;
  readonly content_hash: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly rubric_criteria: readonly RubricCriterion[];
  readonly approved_by: string | null;
  readonly approved_role: string | null;
  readonly approved_at: Date | null;
  readonly created_at: Date;
}

/** A page holds no more text than this, but always one revision. */
const MOST_BYTES = 1024 * 1024;

/** What scenarios held, revision by revision. */
@Injectable()
export class ScenarioRevisionsStore {
  constructor(private readonly database: Database) {}

  /** Newest first. A page of long ones is shorter than its limit. */
  async list(
    scenarioId: string,
    { limit, offset }: Part,
  ): Promise<{ readonly revisions: readonly ScenarioRevisionRecord[]; readonly total: number }> {
    const [revisions, [count]] = await Promise.all([
      this.database.query<ScenarioRevisionRecord>(
        `SELECT revision, content_hash, content, rubric_criteria, approved_by, approved_role, approved_at, created_at FROM (
           SELECT *, row_number() OVER newest AS place,
                  sum(octet_length(content::text) + octet_length(rubric_criteria::text)) OVER newest AS bytes
           FROM (SELECT * FROM scenario_revisions WHERE scenario_id = $1 ORDER BY revision DESC LIMIT $2 OFFSET $3) page
           WINDOW newest AS (ORDER BY revision DESC)
         ) sized WHERE place = 1 OR bytes <= ${MOST_BYTES} ORDER BY revision DESC`,
        [scenarioId, limit, offset],
      ),
      this.database.query<{ total: number }>(
        'SELECT count(*)::int AS total FROM scenario_revisions WHERE scenario_id = $1',
        [scenarioId],
      ),
    ]);
    return { revisions, total: count?.total ?? 0 };
  }
}
