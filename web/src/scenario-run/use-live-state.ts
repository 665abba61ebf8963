import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { isFinalScenarioRun } from '../../../src/domain';
import type { ScenarioRunDetail } from '../api/scenario-runs';
import { LiveActor, type LiveFloor } from '../inspection/live-actor';

/** The current state of a scenario run's actor. */
export interface LiveState {
  /** The innermost state, such as `awaitingReply`. */
  readonly state: string;
  /** ISO 8601. */
  readonly since: string | null;
  /** Null in text, and while no call is held. */
  readonly floor: LiveFloor | null;
}

/**
 * The state of a live scenario run, as inspection reports it; null when it is unknown. The transcript is read again as soon as more of it
 * is stored, so the page shows only what is stored.
 */
export function useLiveState({ id, status }: ScenarioRunDetail): LiveState | null {
  const queries = useQueryClient();
  const actor = useMemo(() => new LiveActor(id), [id]);
  const isLive = !isFinalScenarioRun(status) && status !== 'pending';
  const {
    connection,
    actor: snapshot,
    transitions,
    floor,
  } = useSyncExternalStore(isLive ? actor.subscribe : notAtAll, actor.get);
  const newest = transitions.at(-1);
  const path = newest?.to ?? snapshot?.state ?? null;
  useEffect(() => {
    if (isLive && path !== null) void queries.invalidateQueries({ queryKey: ['scenario-run', id] });
  }, [queries, id, isLive, path, transitions.length]);
  if (!isLive || path === null || connection === 'lost') return null;
  return { state: path.slice(path.lastIndexOf('.') + 1), since: newest?.at ?? snapshot?.since ?? null, floor };
}

const notAtAll = () => () => undefined;
