import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The functions in the database that the ledger calls, and the files beside this one that they are installed from. From the first
 * release on, a file that was released is never changed: its next version is a file and a function of their own (…_2), installed by a
 * migration, because processes of the release before call theirs until the last of them has stopped.
 */
export const APPEND = { name: 'append_run_events', file: 'append-run-events.sql' } as const;
export const RECORD = { name: 'record_scenario_changes', file: 'record-scenario-changes.sql' } as const;
export const CLAIM = { name: 'claim_scenario_runs', file: 'claim-scenario-runs.sql' } as const;

/** The statement that installs a function: the text of its file. */
export function readFunction(file: string): string {
  return readFileSync(join(__dirname, file), 'utf8');
}
