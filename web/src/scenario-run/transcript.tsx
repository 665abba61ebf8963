import { useState, type ReactNode } from 'react';
import { isFinalScenarioRun } from '../../../src/domain';
import type { ScenarioRunDetail, TranscriptEntry } from '../api/scenario-runs';
import { durationText } from '../parts/time';
import { PlayButton, usePlaying, useTimedEntry } from '../listening/heard-call';
import { HeardNotes, hasTimedSentences, spanOf, SpokenWords } from '../listening/spoken-words';
import { Name, type Range } from '../parts/untrusted-text';
import { Acts, TraceLink } from './acts';
import { EarlyEnd } from './early-end';
import type { EvidenceRanges } from './evidence';
import { GoOn } from './go-on';
import { isMarkdown } from './markdown';
import { Says } from './says';
import { UnderWay } from './under-way';
import type { Forking } from './use-forking';
import type { LiveState } from './use-live-state';

interface Props {
  readonly run: ScenarioRunDetail;
  /** Null until it is known. */
  readonly maxTurns: number | null;
  readonly ranges: EvidenceRanges;
  /** The criterion under the pointer. */
  readonly active: number | null;
  readonly live: LiveState | null;
  /** It is held by voice. */
  readonly isSpoken: boolean;
  /** Null where it cannot go on differently, or not yet. */
  readonly forking: Forking | null;
}

const NO_RANGES: readonly Range[] = [];
const NO_CALLS: ReadonlyMap<number, readonly number[]> = new Map();

/** The conversation, with the judge's quotes marked. */
export function Transcript({ run, maxTurns, ranges, active, live, isSpoken, forking }: Props) {
  const { transcript } = run;
  const [isRaw, setRaw] = useState(false);
  const [openTurn, onOpen] = useState<number | null>(null);
  const kept = run.kept_turns ?? 0;
  const canGoOn = forking !== null && forking.agents.length > 0;
  const hasMarkdown = transcript.some(({ content }) => isMarkdown(content));
  return (
    <section className="transcript" aria-labelledby="transcript-title">
      <div className="transcript-head">
        <h2 id="transcript-title">Conversation</h2>
        <a className="to-checklist" href="#checklist">
          To the checklist
        </a>
        {hasMarkdown && (
          <button type="button" className="button small" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            Raw text
          </button>
        )}
      </div>
      {transcript.length === 0 && live === null && <p className="quiet">{emptySentence(run)}</p>}
      <ol>
        {transcript.map((entry, index) => (
          <Message
            key={`${entry.turn} ${entry.role}`}
            entry={entry}
            ranges={ranges.byEntry.get(index) ?? NO_RANGES}
            active={active}
            calls={ranges.byCall.get(entry.turn) ?? NO_CALLS}
            isRaw={isRaw}
            isKept={entry.turn <= kept}
          >
            {canGoOn && entry.role === 'patient' && (
              <GoOn forking={forking} turn={entry.turn} said={entry.content} openTurn={openTurn} onOpen={onOpen} />
            )}
          </Message>
        ))}
      </ol>
      <EarlyEnd run={run} maxTurns={maxTurns} />
      {canGoOn && forking.nextTurn !== null && (
        <GoOn forking={forking} turn={forking.nextTurn} said="" openTurn={openTurn} onOpen={onOpen} />
      )}
      {forking !== null && forking.obstacle !== null && <CannotGoOn forking={forking} />}
      <UnderWay run={run} live={live} isSpoken={isSpoken} />
    </section>
  );
}

function Message({
  entry,
  ranges,
  active,
  calls,
  isRaw,
  isKept,
  children,
}: {
  entry: TranscriptEntry;
  ranges: readonly Range[];
  active: number | null;
  /** Positions of the criteria that rest on a call of the turn, by its place. */
  calls: ReadonlyMap<number, readonly number[]>;
  isRaw: boolean;
  /** It was said in the conversation that this one was forked from. */
  isKept: boolean;
  /** What can be done from here. */
  children: ReactNode;
}) {
  const timed = useTimedEntry(entry.turn, entry.role);
  const isBySentences = hasTimedSentences(timed, entry.content) && !isMarkdown(entry.content);
  const span = spanOf(entry);
  // Its sentences are highlighted one by one where their times are known.
  const isHeard = usePlaying(
    ({ state, at }) =>
      !isBySentences && state === 'playing' && span !== null && at !== null && at >= span.from_ms && at < span.to_ms,
  );
  return (
    <li
      className={`message ${entry.role}${isHeard === true ? ' heard-now' : ''}`}
      id={`turn-${entry.turn}-${entry.role}`}
    >
      <p className="who">
        <span className="role">{entry.role === 'patient' ? 'Patient' : 'Agent'}</span>
        <span className="turn number">
          turn {entry.turn}
          {isKept && ', kept'}
        </span>
        {entry.latency_ms !== undefined && <span className="latency number">{durationText(entry.latency_ms)}</span>}
        <PlayButton span={span} what={`what the ${entry.role} said in turn ${entry.turn}`} />
        <TraceLink url={entry.trace_url} turn={entry.turn} />
      </p>
      <div className="says">
        {isBySentences && timed !== null ? (
          <SpokenWords text={entry.content} ranges={ranges} active={active} entry={timed} />
        ) : (
          <Says text={entry.content} ranges={ranges} active={active} isRaw={isRaw} />
        )}
      </div>
      <HeardNotes entry={entry} />
      <Acts turn={entry.turn} acts={entry.acts} marks={calls} active={active} />
      {children}
    </li>
  );
}

/** Why no agent can go on from here, or not the same one, with what to do. */
function CannotGoOn({ forking: { obstacle, agents } }: { forking: Forking }) {
  return (
    <p className="quiet small">
      <Name>{obstacle ?? ''}</Name>.{' '}
      {agents.length > 0
        ? 'Another agent can go on from any turn.'
        : 'To go on differently from one of these turns, register an agent that is sent the whole conversation, such as an OpenAI-compatible one.'}
    </p>
  );
}

function emptySentence({ status }: ScenarioRunDetail): string {
  if (status === 'pending') return 'Waiting to start. The conversation appears here live.';
  if (!isFinalScenarioRun(status)) return 'Starting…';
  return 'Nothing was said before it ended.';
}
