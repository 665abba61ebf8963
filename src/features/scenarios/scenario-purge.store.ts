import { Injectable } from '@nestjs/common';
import { Database, type Queryable, isUuid } from '../../platform/database';

/** What refers to a scenario. */
export interface References {
  /** Test runs that have examined with it, or are to. */
  readonly runs: number;
  /** Names, a few of them. */
  readonly suites: readonly string[];
  /** Names of scenarios that call themselves its twin. */
  readonly twins: readonly string[];
  /** Whether lists and new runs have the scenario. */
  readonly isActive: boolean;
}

export type Purge =
  | { readonly kind: 'purged' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'kept'; readonly references: References };

const NAMED = 5;

/** Removes scenarios for good. */
@Injectable()
export class ScenarioPurgeStore {
  constructor(private readonly database: Database) {}

  /**
   * Removes a scenario with its revisions when nothing refers to it. A run that is being started in this very moment keeps the copy that
   * it has made, or is not started.
   */
  async purge(id: string): Promise<Purge> {
    if (!isUuid(id)) return { kind: 'unknown' };
    // Before anything is locked, since all runs are looked through: most are refused here.
    const references = await referencesTo(this.database, id);
    if (isReferredTo(references)) return { kind: 'kept', references };
    return this.database.transaction(async (tx) => {
      const found = await tx.query('SELECT 1 FROM scenarios WHERE id = $1 FOR UPDATE', [id]);
      if (found.length === 0) return { kind: 'unknown' };
      const references = await referencesTo(tx, id);
      if (isReferredTo(references)) return { kind: 'kept', references };
      await tx.query('DELETE FROM scenario_revisions WHERE scenario_id = $1', [id]);
      await tx.query('DELETE FROM scenarios WHERE id = $1', [id]);
      return { kind: 'purged' };
    });
  }
}

function isReferredTo({ runs, suites, twins }: References): boolean {
  return runs > 0 || suites.length > 0 || twins.length > 0;
}

/** What is left of a deleted run does not count. */
async function referencesTo(database: Queryable, id: string): Promise<References> {
  const [row] = await database.query<References>(
    `SELECT (SELECT count(DISTINCT t.id) FROM scenario_runs s JOIN test_runs t ON t.id = s.test_run_id
             WHERE s.scenario_id = $1)::int AS runs,
            ARRAY(SELECT name FROM test_suites WHERE $1 = ANY (scenario_ids) ORDER BY name LIMIT ${NAMED}) AS suites,
            ARRAY(SELECT other.name FROM scenarios this JOIN scenarios other ON other.content->>'twin_of' = this.name
              AND other.id <> this.id AND other.is_active
              WHERE this.id = $1 ORDER BY other.name LIMIT ${NAMED}) AS twins,
            EXISTS (SELECT FROM scenarios WHERE id = $1 AND is_active) AS "isActive"`,
    [id],
  );
  return row ?? { runs: 0, suites: [], twins: [], isActive: false };
}
