import { z } from 'zod';
import { actorKind, actorTransition, heldFloor, time } from '../../../contract/inspection';

/** The question of one process to another; about actors by their ids. */
export const actorsQuestion = z.object({ ids: z.array(z.string()).max(1_000) });

export const actorBrief = z.object({
  kind: actorKind,
  id: z.string(),
  attempt: z.int(),
  state: z.string(),
  since: time,
  awaits: z.string().nullable(),
  deadline: time.nullable(),
  floor: heldFloor.nullable(),
});
export type ActorBrief = z.output<typeof actorBrief>;

/** What a watch has observed so far. A number that does not follow the one before means that a message was lost. */
const watched = z.object({ watch_id: z.string(), last: z.int(), transitions: z.array(actorTransition) });

export const actorSnapshot = actorBrief.extend({
  context: z.record(z.string(), z.unknown()),
  watched: watched.nullable(),
});
export type ActorSnapshot = z.output<typeof actorSnapshot>;

export const transitionNotice = z.object({ watch_id: z.string(), number: z.int(), transition: actorTransition });
export type TransitionNotice = z.output<typeof transitionNotice>;

/** Only the newest is of interest, so that it needs no number. */
const floorNotice = z.object({ watch_id: z.string(), floor: heldFloor.nullable() });
export type FloorNotice = z.output<typeof floorNotice>;

export const actorNotice = z.union([transitionNotice, floorNotice]);
export type ActorNotice = z.output<typeof actorNotice>;

/** For how long actors are watched, in milliseconds; tests shorten it. */
export class WatchTimes {
  /** How long an actor is watched after the last renewal. */
  readonly leaseMs: number = 6_000;
  /** How often a watcher renews its watch. */
  readonly renewalMs: number = 2_000;
}
