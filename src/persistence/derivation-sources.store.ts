import { Injectable } from '@nestjs/common';
import type { EndedBy } from '../../machines/conversation';
import type { ScenarioRunStatus } from '../../machines/statuses';
import { Database } from './database';

/** What decides how a scenario run can be taken over into another run. */
export interface SourceRow {
  readonly id: string;
  readonly trial: number;
  readonly status: ScenarioRunStatus;
  readonly turns: number;
  readonly ended_by: EndedBy | null;
  /** Null unless it began with turns of another one. */
  readonly kept_turns: number | null;
  readonly given_message: string | null;
  /** Its conversation was held before it began: it was only marked. */
  readonly is_only_marked: boolean;
}

const COLUMNS =
  'id, trial, status, turns, ended_by, kept_turns, given_message, played_by IS NOT NULL AS is_only_marked';

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
}
