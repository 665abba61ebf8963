import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { getTimeline, type SpokenTimeline } from '../api/recordings';
import type { CriterionResult, TranscriptEntry } from '../api/scenario-runs';
import { Problem } from '../parts/problem';
import { Name } from '../parts/untrusted-text';
import { CallPlayer } from './call-player';
import { Call, canHearAny } from './heard-call';
import { Lanes } from './lanes';
import { momentsOf } from './moments';
import { MomentsTable } from './moments-table';
import { PlayerBar } from './player-bar';

interface Props {
  readonly scenarioRunId: string;
  readonly transcript: readonly TranscriptEntry[];
  readonly isOver: boolean;
  /** The marked checklist; null where there is none, or a reviewer is not to see it. */
  readonly results: readonly CriterionResult[] | null;
  /** The criterion whose evidence is highlighted. */
  readonly active?: number | null;
  /** Of what was said only when and by whom. */
  readonly hidesWords?: boolean;
  readonly children: ReactNode;
}

/** A spoken conversation as it sounded, above what is beside it, whose buttons play parts of it. Of one in text only what is beside it. */
export function Listening(props: Props) {
  const isSpoken = props.transcript.some(({ spoken }) => spoken !== undefined);
  return isSpoken ? <SpokenCall key={props.scenarioRunId} {...props} /> : props.children;
}

function SpokenCall(props: Props) {
  const { scenarioRunId, transcript, isOver, results, active = null, hidesWords = false, children } = props;
  const [player] = useState(() => new CallPlayer(scenarioRunId));
  const found = useQuery({
    queryKey: ['spoken-timeline', scenarioRunId, transcript.length, isOver],
    queryFn: ({ signal }) => getTimeline(scenarioRunId, signal),
    placeholderData: (before) => before,
  });
  const timeline = found.data ?? null;
  const heard = useMemo(() => ({ player, timeline }), [player, timeline]);
  const moments = useMemo(() => (timeline === null ? [] : momentsOf(timeline, results)), [timeline, results]);
  return (
    <Call.Provider value={heard}>
      <section className="player" aria-labelledby="player-title">
        <h2 id="player-title">{isOver ? 'Recording' : 'On the line'}</h2>
        {found.isError && <Problem error={found.error} onRetry={() => void found.refetch()} />}
        {timeline !== null && (
          <>
            {canHearAny(timeline) && <PlayerBar player={player} lastsMs={lengthOf(timeline)} />}
            {timeline.recording.note !== null && (
              <p className="quiet">
                <Name>{timeline.recording.note}</Name>
              </p>
            )}
            <Lanes
              player={canHearAny(timeline) ? player : null}
              timeline={timeline}
              lastsMs={lengthOf(timeline)}
              moments={moments}
              evidence={results}
              active={active}
            />
            <MomentsTable timeline={timeline} moments={moments} hidesWords={hidesWords} />
          </>
        )}
      </section>
      {children}
    </Call.Provider>
  );
}

/** From the beginning of the call to the last that is known of it, in ms; never 0. */
function lengthOf({ recording, entries }: SpokenTimeline): number {
  const ends = entries.map(({ spoken: { to_ms, interjection } }) => Math.max(to_ms ?? 0, interjection?.to_ms ?? 0));
  return Math.max(1_000, recording.ends_ms ?? 0, ...ends);
}
