import { Injectable } from '@nestjs/common';
import { Database, isoTime, isUuid } from '../../platform/database';

export interface RunSetRecord {
  readonly id: string;
  readonly name: string | null;
  readonly created_at: string;
  /** Its runs, in their order. */
  readonly run_ids: readonly string[];
}

/** Reads which runs were started together. TestRunLedger writes them. */
@Injectable()
export class RunSetsStore {
  constructor(private readonly database: Database) {}

  /** Null when there is none: a set whose runs are all deleted is gone too. */
  async find(id: string): Promise<RunSetRecord | null> {
    if (!isUuid(id)) return null;
    const [set] = await this.database.query<RunSetRecord>(
      `SELECT s.id, s.name, ${isoTime('s.created_at')} AS created_at,
              ARRAY(SELECT t.id FROM test_runs t WHERE t.run_set_id = s.id ORDER BY t.run_set_place) AS run_ids
       FROM run_sets s WHERE s.id = $1`,
      [id],
    );
    return set === undefined || set.run_ids.length === 0 ? null : set;
  }
}
