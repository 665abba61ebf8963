import { createContext, useContext, useSyncExternalStore } from 'react';
import { callTime } from '../../../src/domain';
import type { CallSpan, SpokenTimeline, TimedEntry } from '../api/recordings';
import type { CallPlayer, Playing } from './call-player';

export interface HeardCall {
  readonly player: CallPlayer;
  /** Null until it is known. */
  readonly timeline: SpokenTimeline | null;
}

/** The spoken conversation on the page; null where it was in text. */
export const Call = createContext<HeardCall | null>(null);

export function canHearAny({ recording: { state } }: SpokenTimeline): boolean {
  return state === 'kept' || state === 'partly';
}

/** What is known of the sound of a message; null where nothing is. */
export function useTimedEntry(turn: number, role: TimedEntry['role']): TimedEntry | null {
  const call = useContext(Call);
  return call?.timeline?.entries.find((entry) => entry.turn === turn && entry.role === role) ?? null;
}

/** Something of what is played now, such as whether a sentence is; the reader is drawn again only when it changes. */
export function usePlaying<Value extends string | number | boolean | null>(
  read: (playing: Playing) => Value,
): Value | null {
  const player = useContext(Call)?.player ?? null;
  return useSyncExternalStore(player?.subscribe ?? never, () => (player === null ? null : read(player.get())));
}

const never = () => () => undefined;

interface PlayProps {
  readonly span: Partial<CallSpan> | null | undefined;
  /** What is heard, for those who hear the page. */
  readonly what: string;
  /** Inside a text: without its time. */
  readonly isSmall?: boolean;
}

/** Plays a part of the recording; nothing where it cannot be heard. */
export function PlayButton({ span, what, isSmall = false }: PlayProps) {
  const call = useContext(Call);
  const { from_ms, to_ms } = span ?? {};
  if (call === null || call.timeline === null || from_ms === undefined || to_ms === undefined) return null;
  const { recording } = call.timeline;
  // Of a recording that is kept in part, what lies between the parts is silent.
  if (!canHearAny(call.timeline) || !recording.kept.some((kept) => kept.from_ms < to_ms && kept.to_ms > from_ms)) {
    return null;
  }
  return (
    <button
      type="button"
      className={isSmall ? 'play small' : 'play'}
      aria-label={`Play from ${callTime(from_ms)}: ${what}`}
      title={isSmall ? `Play from ${callTime(from_ms)}` : undefined}
      onClick={(event) => {
        event.stopPropagation();
        call.player.playPart({ from_ms, to_ms });
      }}
    >
      <span aria-hidden="true">▶</span>
      {!isSmall && <span className="number"> {callTime(from_ms)}</span>}
    </button>
  );
}
