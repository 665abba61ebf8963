import type { RunEvent } from '../../domain/run-events';
import type { TestRunStatus } from '../../domain/statuses';
import type { Transaction } from '../../platform/database/database';
import { toStorableJson } from '../../platform/database/storable-text';
import { appendedEvent, settledBy, type AppendedEvent, type EventDraft } from './event-draft';
import { APPEND } from './functions';

/** The lock under which everything about a run is written. */
export interface LockedRun {
  readonly id: string;
  readonly status: TestRunStatus;
  readonly attempt: number;
  readonly owner: string | null;
}

/**
 * Locks a run; undefined when there is none. Every writer takes this lock first (several at once in the order of their ids), so
 * there are no deadlocks, and an event with a higher number never becomes visible before one with a lower number (invariant 8).
 */
export async function lockRun(tx: Transaction, id: string): Promise<LockedRun | undefined> {
  const [run] = await tx.query<LockedRun>('SELECT id, status, attempt, owner FROM test_runs WHERE id = $1 FOR UPDATE', [
    id,
  ]);
  return run;
}

/**
 * Numbers and stores events of a locked run, after the rows they are about were changed; the caller publishes them once the
 * transaction has committed.
 */
export async function appendEvents(tx: Transaction, runId: string, drafts: readonly EventDraft[]): Promise<RunEvent[]> {
  if (drafts.length === 0) return [];
  const rows = await tx.query<AppendedEvent & { readonly place: number }>(
    `SELECT * FROM ${APPEND.name}($1, $2, $3, NULL, NULL, $4, $5)`,
    [
      drafts.map(() => runId),
      drafts.map(({ type }) => type),
      drafts.map((draft) => ('scenario_run_id' in draft ? draft.scenario_run_id : null)),
      drafts.map(settledBy),
      drafts.map((draft) => toStorableJson(draft)),
    ],
  );
  return rows.flatMap((row) => {
    const draft = drafts[row.place - 1];
    return draft === undefined ? [] : [appendedEvent(runId, draft, row)];
  });
}
