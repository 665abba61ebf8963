import { PROCESSES } from './plan';
import type { Happening, Timeline } from './timeline';
import type { OutsideCall } from './world';

/** What invariant 6 allows on another process. */
const ABORTED_WITHIN_MS = 1_000;
/** A process that could hear of nothing has to find a server again before it hears of the cancellation. */
const HEARS_AGAIN_WITHIN_MS = 3_000;
/** What a busy machine may add. */
const LOOK_MS = 250;

/** Calls of a canceled run that began or went on later than allowed. */
export function checkCancel(canceledAt: number, calls: readonly OutsideCall[], timeline: Timeline): string[] {
  // Whoever does not run for a while cannot say when something happened.
  if (timeline.hasStalled) return [];
  const until = deadlineOf(canceledAt, timeline.happenings) + LOOK_MS;
  const late = calls.filter(({ at, endedAt }) => at > until || (at <= until && (endedAt ?? Infinity) > until));
  return late.map(({ to, scenario, at, endedAt }) => {
    const ended = endedAt === null ? 'open' : `until ${endedAt - canceledAt} ms`;
    return `${scenario}: call of the ${to} from ${at - canceledAt} ms after cancel-run answered, ${ended}`;
  });
}

/** One second later, or when every process could hear of it again: one that stands still or reaches neither server cannot. */
function deadlineOf(canceledAt: number, happenings: readonly Happening[]): number {
  let deadline = canceledAt + ABORTED_WITHIN_MS;
  for (let number = 0; number < PROCESSES; number += 1) {
    const own = happenings.filter(({ member }) => member === number || member === null);
    const paused = own.filter(({ hurts, what }) => hurts === 'process' && what.startsWith('pause'));
    const deaf = [...paused, ...both(own)];
    for (const { from, to } of deaf) {
      const ended = to ?? Infinity;
      if (from < deadline && ended > canceledAt - HEARS_AGAIN_WITHIN_MS) {
        deadline = Math.max(deadline, ended + HEARS_AGAIN_WITHIN_MS);
      }
    }
  }
  return deadline;
}

/** Times in which a process was kept from both servers, with what it takes to find one of them again. */
function both(happenings: readonly Happening[]): { from: number; to: number | null }[] {
  const ofNats = happenings.filter(({ hurts }) => hurts === 'nats');
  const ofPostgres = happenings.filter(({ hurts }) => hurts === 'postgres');
  return ofNats.flatMap((one) =>
    ofPostgres
      .filter((other) => other.from < reached(one) && one.from < reached(other))
      .map((other) => ({
        from: Math.max(one.from, other.from),
        to: one.to === null || other.to === null ? null : Math.max(one.to, other.to),
      })),
  );
}

function reached({ to }: Happening): number {
  return (to ?? Infinity) + HEARS_AGAIN_WITHIN_MS;
}
