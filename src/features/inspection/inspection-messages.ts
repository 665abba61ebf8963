import { z } from 'zod';

/** What processes exchange about their live actors. Never a word of a transcript: only lengths, names and numbers. */
export const actorKind = z.enum(['test_run', 'scenario_run']);
export type ActorKind = z.output<typeof actorKind>;

const time = z.iso.datetime();

/** One step of an actor from state to state, named by their paths. */
export const actorTransition = z
  .object({
    at: time.describe('When it was observed, or stored; for an inferred one, not later than it happened.'),
    attempt: z.int().describe('The execution it belongs to, from 1.'),
    from: z.string(),
    to: z.string().describe('The same as `from` where the event left no state.'),
    event: z
      .string()
      .describe('What caused it: an effect that ended, or an event from outside; empty when only a guard decided.'),
    guard: z.string().nullable(),
    actions: z.array(z.string()),
    turn: z.int().nullable().describe("The actor's turn of the conversation afterwards."),
    source: z
      .enum(['live', 'stored', 'inferred'])
      .describe(
        '`live`: observed in the actor; `stored`: its outcome is in the log; `inferred`: it must have come before one that is.',
      ),
  })
  .meta({ id: 'ActorTransition' });
export type ActorTransition = z.output<typeof actorTransition>;

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

/** How long an actor is watched after the last renewal. */
export const WATCH_LEASE_MS = 6_000;
/** How often a watcher renews its watch. */
export const WATCH_RENEWAL_MS = 2_000;
