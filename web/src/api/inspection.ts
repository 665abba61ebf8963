import * as z from 'zod/mini';
import { call } from './client';
import { kind, machine, type Machine } from './machine';

const transition = z.object({
  at: z.string(),
  attempt: z.number(),
  from: z.string(),
  to: z.string(),
  event: z.string(),
  guard: z.nullable(z.string()),
  actions: z.array(z.string()),
  turn: z.nullable(z.number()),
  source: z.enum(['live', 'stored', 'inferred']),
});
export type Transition = z.output<typeof transition>;

const actor = z.object({
  kind,
  id: z.string(),
  test_run_id: z.string(),
  test_run_label: z.string(),
  scenario_id: z.nullable(z.string()),
  name: z.nullable(z.string()),
  status: z.string(),
  attempt: z.number(),
  is_live: z.boolean(),
  state: z.nullable(z.string()),
  since: z.nullable(z.string()),
  awaits: z.nullable(z.string()),
  deadline: z.nullable(z.string()),
  owner: z.nullable(z.string()),
});
export type Actor = z.output<typeof actor>;

const actorList = z.object({
  actors: z.array(actor),
  total: z.number(),
  processes: z.array(z.object({ id: z.string(), actors: z.number(), answered: z.boolean() })),
});
export type ActorList = z.output<typeof actorList>;

const actorDetail = z.extend(actor, {
  context: z.nullable(z.record(z.string(), z.unknown())),
  attempts: z.array(
    z.object({
      attempt: z.number(),
      started_at: z.string(),
      ended_at: z.nullable(z.string()),
      outcome: z.nullable(z.string()),
    }),
  ),
  transitions: z.array(transition),
  unanswered: z.array(z.string()),
});
export type ActorDetail = z.output<typeof actorDetail>;

const actorMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('actor'), actor: actorDetail }),
  z.object({ type: z.literal('transition'), transition }),
  z.object({ type: z.literal('ended') }),
]);
export type ActorMessage = z.output<typeof actorMessage>;

export async function getMachines(signal: AbortSignal): Promise<readonly Machine[]> {
  return (await call(z.object({ machines: z.array(machine) }), '/api/v1/inspect/machines', { signal })).machines;
}

export function listActors(
  page: { run: string | null; offset: number; limit: number },
  signal: AbortSignal,
): Promise<ActorList> {
  const query = new URLSearchParams({ limit: String(page.limit), offset: String(page.offset) });
  if (page.run !== null) query.set('run_id', page.run);
  return call(actorList, `/api/v1/inspect/actors?${query}`, { signal });
}

export function getActor(id: string, signal: AbortSignal): Promise<ActorDetail> {
  return call(actorDetail, pathOf(id), { signal });
}

export function pathOf(id: string): string {
  return `/api/v1/inspect/actors/${encodeURIComponent(id)}`;
}

/** One message of an actor's stream; null for one that this page does not know. */
export function readActorMessage(data: string): ActorMessage | null {
  try {
    const read = actorMessage.safeParse(JSON.parse(data));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
