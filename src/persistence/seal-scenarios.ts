import type { RubricCriterion } from '../../machines/rubric';
import type { Connections, Queryable } from './connections';
import { contentHashOf } from './scenario-content';

/** Rows that are locked at a time: some milliseconds. */
const AT_ONCE = 50;

interface Unsealed {
  readonly id: string;
  readonly revision: number;
  readonly content: Record<string, unknown>;
  readonly rubric_criteria: RubricCriterion[];
  /** Of its latest revision; null when it has none. */
  readonly known: string | null;
}

/**
 * Gives scenarios without a hash theirs, and writes their revision down. One that was edited by a process of an earlier release gets a
 * new revision, and needs a new approval: nobody can tell whether the edit was approved.
 * @param ids a batch of them
 */
export async function sealBatch(tx: Queryable, ids: readonly string[]): Promise<void> {
  const rows = await tx.query<Unsealed>(
    `SELECT s.id, s.revision, s.content, s.rubric_criteria,
            (SELECT r.content_hash FROM scenario_revisions r WHERE r.scenario_id = s.id ORDER BY r.revision DESC LIMIT 1) AS known
     FROM scenarios s WHERE s.content_hash IS NULL AND s.id = ANY($1::uuid[]) ORDER BY s.id FOR UPDATE OF s`,
    [ids],
  );
  if (rows.length === 0) return;
  const sealed = rows.map(({ id, revision, content, rubric_criteria, known }) => {
    const content_hash = contentHashOf({ content, rubricCriteria: rubric_criteria });
    const isEdited = known !== null && known !== content_hash;
    return { id, content_hash, revision: isEdited ? revision + 1 : revision, is_edited: isEdited };
  });
  await tx.query(
    `WITH sealed AS (
       UPDATE scenarios s SET content_hash = g.content_hash, revision = g.revision,
         approved = s.approved AND NOT g.is_edited,
         approved_by = CASE WHEN NOT g.is_edited THEN s.approved_by END,
         approved_role = CASE WHEN NOT g.is_edited THEN s.approved_role END,
         approved_at = CASE WHEN NOT g.is_edited THEN s.approved_at END,
         approved_revision = CASE WHEN s.approved AND NOT g.is_edited THEN g.revision END
       FROM json_to_recordset($1) AS g(id uuid, content_hash text, revision integer, is_edited boolean)
       WHERE s.id = g.id RETURNING s.id, s.revision, s.content_hash, s.content, s.rubric_criteria
     )
     INSERT INTO scenario_revisions (scenario_id, revision, content_hash, content, rubric_criteria)
     SELECT id, revision, content_hash, content, rubric_criteria FROM sealed
     ON CONFLICT (scenario_id, revision) DO NOTHING`,
    [JSON.stringify(sealed)],
  );
}

/** Seals those of the scenarios that are not: none, as a rule. */
export async function sealScenarios(
  connections: Pick<Connections, 'query' | 'transaction'>,
  ids: readonly string[],
): Promise<void> {
  const unsealed = await connections.query<{ id: string }>(
    'SELECT id FROM scenarios WHERE id = ANY($1::uuid[]) AND content_hash IS NULL',
    [ids],
  );
  for (const ids of inBatches(unsealed.map(({ id }) => id))) {
    await connections.transaction((tx) => sealBatch(tx, ids));
  }
}

/** As many as are locked at a time. */
export function inBatches(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, batch) =>
    ids.slice(batch * AT_ONCE, (batch + 1) * AT_ONCE),
  );
}
