import type { RunEvent } from '../../domain/run-events';
import type { Transaction } from '../../platform/database/database';
import { callOff } from './run-end';
import type { LockedRun } from './run-log';

/**
 * Fails a locked run that still waits for its time when that lies too far back: nobody expects it any more, and the agent it
 * was meant for may be another one by now. Null when it is in time.
 */
export async function failOverdue(
  tx: Transaction,
  run: LockedRun,
  graceSeconds: number,
): Promise<readonly RunEvent[] | null> {
  const [overdue] = await tx.query<{ scheduled_at: Date; late_seconds: number }>(
    `SELECT scheduled_at, extract(epoch FROM now() - scheduled_at)::float8 AS late_seconds FROM test_runs
     WHERE id = $1 AND status = 'scheduled' AND scheduled_at < now() - make_interval(secs => $2)`,
    [run.id, graceSeconds],
  );
  if (overdue === undefined) return null;
  const { scheduled_at, late_seconds } = overdue;
  await tx.query(
    `UPDATE test_runs SET status = 'failed', completed_at = now(), owner = NULL, error_message = $2 WHERE id = $1`,
    [
      run.id,
      `This run was scheduled for ${scheduled_at.toISOString()}, when the service could not start it. ` +
        `It was found ${inWords(late_seconds)} later; SCHEDULE_GRACE allows ${inWords(graceSeconds)}, so it was not started.`,
    ],
  );
  return (await callOff(tx, run, 'test_run_failed')).events;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `26 hours`: in the largest unit of which there are at least two. */
function inWords(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => seconds >= 2 * length) ?? ['second', 1];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
