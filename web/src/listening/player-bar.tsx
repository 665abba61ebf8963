import { useSyncExternalStore } from 'react';
import { callTime } from '../../../src/domain';
import { Problem } from '../parts/problem';
import type { CallPlayer } from './call-player';

interface Props {
  readonly player: CallPlayer;
  readonly lastsMs: number;
}

/** Plays and pauses the whole, says what is heard, and why nothing is. */
export function PlayerBar({ player, lastsMs }: Props) {
  const state = useSyncExternalStore(player.subscribe, () => player.get().state);
  const second = useSyncExternalStore(player.subscribe, () => Math.floor((player.get().at ?? 0) / 1_000));
  const part = useSyncExternalStore(player.subscribe, () => player.get().part);
  const error = useSyncExternalStore(player.subscribe, () => player.get().error);
  const unplayable = useSyncExternalStore(player.subscribe, () => player.get().unplayable);
  return (
    <>
      <div className="player-bar">
        <button type="button" className="button" disabled={state === 'loading'} onClick={() => player.toggle()}>
          {state === 'playing' ? 'Pause' : part === null ? 'Play the conversation' : 'Play again'}
        </button>
        {part !== null && (
          <button type="button" className="button quiet" onClick={() => player.playFrom(0)}>
            Play the conversation
          </button>
        )}
        <span className="number" aria-hidden="true">
          {callTime(second * 1_000)} / {callTime(lastsMs)}
        </span>
        <span className="quiet small number" role="status">
          {state === 'loading' && 'Fetching the sound…'}
          {part !== null && state !== 'loading' && `From ${callTime(part.from_ms)} to ${callTime(part.to_ms)}`}
        </span>
      </div>
      {error !== null && <Problem error={error} onRetry={() => player.toggle()} />}
      {unplayable !== null && (
        <p role="alert">
          This browser cannot play the recording.{' '}
          <a href={unplayable} download="conversation.wav">
            Save it as a WAV file
          </a>
          , and play it in another program.
        </p>
      )}
      <audio
        ref={player.attach}
        preload="auto"
        onPlaying={player.began}
        onPause={player.stopped}
        onEnded={player.stopped}
        onError={player.broke}
      />
    </>
  );
}
