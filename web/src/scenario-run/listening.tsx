import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { isFinalScenarioRun } from '../../../src/domain';
import { callForFile } from '../api/client';
import type { ScenarioRunDetail, TranscriptEntry } from '../api/scenario-runs';
import { Problem } from '../parts/problem';
import { Name } from '../parts/untrusted-text';

/** When something was said, in ms since the call began. */
interface Span {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** Words are understood better with what is around them, and times of sentences are not exact. */
const MARGIN_MS = 300;
/** A conversation of some minutes has 20 MB. */
const WITHIN_MS = 120_000;

const Play = createContext<((span: Span) => void) | null>(null);

/** A part of a recording that is to be heard; `count` tells the same part asked for again. */
interface Asked {
  readonly span: Span | null;
  readonly count: number;
}

/** The player of a spoken conversation that is over, and what is beside it, whose buttons play parts of it. */
export function Listening({ run, children }: { readonly run: ScenarioRunDetail; readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const isSpoken = run.transcript.some(({ spoken }) => typeof spoken?.from_ms === 'number');
  if (!isSpoken || !isFinalScenarioRun(run.status)) return children;
  const ask = (span: Span | null) => setAsked((before) => ({ span, count: (before?.count ?? 0) + 1 }));
  return (
    <Play.Provider value={ask}>
      <section className="player" aria-label="Recording">
        <button type="button" className="button small" onClick={() => ask(null)}>
          Listen to the whole conversation
        </button>
        {asked !== null && <Sound key={asked.count} id={run.id} span={asked.span} />}
      </section>
      {children}
    </Play.Provider>
  );
}

/** Fetched on request: an audio element could not send the service key. Patient on the left, agent on the right. */
function Sound({ id, span }: { readonly id: string; readonly span: Span | null }) {
  const query =
    span === null
      ? ''
      : `?from=${Math.max(0, Math.floor(span.from_ms) - MARGIN_MS)}&to=${Math.ceil(span.to_ms) + MARGIN_MS}`;
  const path = `/api/v1/scenario-runs/${id}/recording.wav${query}`;
  const file = useQuery({
    queryKey: ['file', path],
    queryFn: ({ signal }) => callForFile(path, { signal, withinMs: WITHIN_MS }),
    retry: false,
  });
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (file.data === undefined) return undefined;
    const made = URL.createObjectURL(file.data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file.data]);
  const label = span === null ? 'The whole conversation' : `From ${callTime(span.from_ms)} to ${callTime(span.to_ms)}`;
  if (file.isError) return <Problem error={file.error} onRetry={() => void file.refetch()} />;
  return (
    <>
      <span className="quiet number" aria-live="polite">
        {label}
      </span>
      {url !== null && <audio src={url} controls autoPlay aria-label={label} />}
    </>
  );
}

/** Plays a part of the recording; nothing where there is none. @param what is heard, for those who hear the page */
export function PlayButton({ span, what }: { readonly span: Partial<Span> | null | undefined; readonly what: string }) {
  const play = useContext(Play);
  const { from_ms, to_ms } = span ?? {};
  if (play === null || from_ms === undefined || to_ms === undefined) return null;
  return (
    <button
      type="button"
      className="play"
      aria-label={`Play from ${callTime(from_ms)}: ${what}`}
      onClick={() => play({ from_ms, to_ms })}
    >
      <span aria-hidden="true">▶</span> <span className="number">{callTime(from_ms)}</span>
    </button>
  );
}

/** What was said and heard in sound, as far as the words above do not say it. */
export function HeardNotes({ entry: { content, spoken } }: { readonly entry: TranscriptEntry }) {
  if (spoken === undefined) return null;
  const { own, heard_by_agent: understood, interjection, timing_reliable: isReliable, inaudible } = spoken;
  return (
    <div className="heard quiet small">
      {inaudible === true && <p>No voice was heard for these words: they prove nothing.</p>}
      {typeof own === 'string' && own !== content && (
        <p>
          In text the agent wrote: <Name>{own}</Name>
        </p>
      )}
      {typeof understood === 'string' && understood !== content && (
        <p>
          The agent heard: <Name>{understood}</Name>
        </p>
      )}
      {interjection && (
        <p>
          {interjection.kind === 'interruption' ? 'Interrupted the answer' : 'Said into the answer'}:{' '}
          <Name>{interjection.words ?? ''}</Name>{' '}
          <PlayButton span={interjection} what="what was said into the answer" />
        </p>
      )}
      {!isReliable && <p>The sound was disturbed on our side: its times say nothing of the agent.</p>}
    </div>
  );
}

/** Minutes and seconds of a call, as players show them. */
function callTime(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
