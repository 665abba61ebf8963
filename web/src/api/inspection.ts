import type { ActorDetail, ActorList, ActorTransition, HeldFloor, Machine } from '../../../contract/inspection';
import { addressOf } from '../../../contract/call';
import { call } from './client';

export type {
  ActorDetail,
  ActorKind,
  ActorList,
  ActorTransition as Transition,
  HeldFloor,
} from '../../../contract/inspection';
export type Actor = ActorList['actors'][number];

export type ActorMessage =
  | { readonly type: 'actor'; readonly actor: ActorDetail }
  | { readonly type: 'transition'; readonly transition: ActorTransition }
  | { readonly type: 'floor'; readonly floor: HeldFloor | null }
  | { readonly type: 'ended' };

export async function getMachines(signal: AbortSignal): Promise<readonly Machine[]> {
  return (await call('GET /api/v1/inspect/machines', { signal })).machines;
}

export function listActors(
  { run, ...page }: { readonly run: string | null; readonly offset: number; readonly limit: number },
  signal: AbortSignal,
): Promise<ActorList> {
  return call('GET /api/v1/inspect/actors', { query: { ...page, run_id: run ?? undefined }, signal });
}

export function getActor(id: string, signal: AbortSignal): Promise<ActorDetail> {
  return call('GET /api/v1/inspect/actors/{id}', { path: { id }, signal });
}

/** Where an actor's stream is. */
export function streamPathOf(id: string): string {
  return addressOf('GET /api/v1/inspect/actors/{id}/events', { path: { id } }).path;
}

const MESSAGES: ReadonlySet<string> = new Set<ActorMessage['type']>(['actor', 'transition', 'floor', 'ended']);

/** One message of an actor's stream; null for one that this page does not know: the service may have become a newer one meanwhile. */
export function readActorMessage(data: string): ActorMessage | null {
  try {
    // What a known type of message holds is what the contract says.
    const message = JSON.parse(data) as ActorMessage | null;
    return message !== null && MESSAGES.has(message.type) ? message : null;
  } catch {
    return null;
  }
}
