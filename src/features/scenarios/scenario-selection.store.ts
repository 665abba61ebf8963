import { Injectable } from '@nestjs/common';
import { Database, isUuid } from '../../platform/database';

export type Selection =
  | { readonly kind: 'ids'; readonly scenarioIds: readonly string[] }
  | { readonly kind: 'suite'; readonly testSuiteId: string; readonly atMost: number | null }
  | { readonly kind: 'tags'; readonly tags: readonly string[]; readonly atMost: number | null }
  | { readonly kind: 'all'; readonly atMost: number | null };

export interface Selected {
  /** In the order in which they are to be run. */
  readonly scenarioIds: readonly string[];
  /** Chosen by id but inactive. */
  readonly skipped: readonly string[];
}

/**
 * Chooses the scenarios of a run. Chosen by id or by a suite they need only be active; tags and "all" choose among the
 * active and approved.
 */
@Injectable()
export class ScenarioSelectionStore {
  constructor(private readonly database: Database) {}

  /** Ids that no scenario has; an id that is not a UUID is one of them. */
  async findUnknown(scenarioIds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.database.query<{ id: string }>('SELECT id FROM scenarios WHERE id = ANY($1::uuid[])', [
      scenarioIds.filter(isUuid),
    ]);
    const known = new Set(rows.map((row) => row.id));
    return scenarioIds.filter((id) => !known.has(id.toLowerCase()));
  }

  async hasSuite(testSuiteId: string): Promise<boolean> {
    return (await this.findSuite(testSuiteId)) !== null;
  }

  /** Null when the suite does not exist. */
  async select(selection: Selection): Promise<Selected | null> {
    switch (selection.kind) {
      case 'ids':
        return this.partition(selection.scenarioIds.map((id) => id.toLowerCase()));
      case 'suite': {
        const suite = await this.findSuite(selection.testSuiteId);
        if (suite === null) return null;
        const { scenarioIds } = await this.partition(suite);
        return { scenarioIds: scenarioIds.slice(0, selection.atMost ?? scenarioIds.length), skipped: [] };
      }
      case 'tags':
        return { scenarioIds: await this.approved(selection.tags, selection.atMost), skipped: [] };
      case 'all':
        return { scenarioIds: await this.approved(null, selection.atMost), skipped: [] };
    }
  }

  private async findSuite(testSuiteId: string): Promise<readonly string[] | null> {
    if (!isUuid(testSuiteId)) return null;
    const [suite] = await this.database.query<{ scenario_ids: string[] }>(
      'SELECT scenario_ids FROM test_suites WHERE id = $1',
      [testSuiteId],
    );
    return suite?.scenario_ids ?? null;
  }

  private async partition(ids: readonly string[]): Promise<Selected> {
    const chosen = [...new Set(ids)];
    const rows = await this.database.query<{ id: string }>(
      'SELECT id FROM scenarios WHERE id = ANY($1::uuid[]) AND is_active',
      [chosen],
    );
    const active = new Set(rows.map((row) => row.id));
    return { scenarioIds: chosen.filter((id) => active.has(id)), skipped: chosen.filter((id) => !active.has(id)) };
  }

  private async approved(tags: readonly string[] | null, atMost: number | null): Promise<readonly string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT id FROM scenarios
       WHERE is_active AND approved AND ($1::text[] IS NULL OR tags && $1)
       ORDER BY priority NULLS LAST, name, id LIMIT $2`,
      [tags, atMost],
    );
    return rows.map((row) => row.id);
  }
}
