import { useState } from 'react';
import { isFinalScenarioRun } from '../../../machines/statuses';
import type { ScenarioRunDetail, TranscriptEntry } from '../api/scenario-runs';
import { durationText } from '../parts/time';
import type { Range } from '../parts/untrusted-text';
import { EarlyEnd } from './early-end';
import type { EvidenceRanges } from './evidence';
import { isMarkdown } from './markdown';
import { Says } from './says';
import { UnderWay } from './under-way';
import type { LiveState } from './use-live-state';

interface Props {
  readonly run: ScenarioRunDetail;
  /** Null until it is known. */
  readonly maxTurns: number | null;
  readonly ranges: EvidenceRanges;
  /** The criterion under the pointer. */
  readonly active: number | null;
  readonly live: LiveState | null;
}

const NO_RANGES: readonly Range[] = [];

/** The conversation, with the judge's quotes marked. */
export function Transcript({ run, maxTurns, ranges, active, live }: Props) {
  const { transcript } = run;
  const [isRaw, setRaw] = useState(false);
  const hasMarkdown = transcript.some(({ content }) => isMarkdown(content));
  return (
    <section className="transcript" aria-labelledby="transcript-title">
      <div className="transcript-head">
        <h2 id="transcript-title">Conversation</h2>
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
            isRaw={isRaw}
          />
        ))}
      </ol>
      <EarlyEnd run={run} maxTurns={maxTurns} />
      <UnderWay run={run} live={live} />
    </section>
  );
}

function Message({
  entry,
  ranges,
  active,
  isRaw,
}: {
  entry: TranscriptEntry;
  ranges: readonly Range[];
  active: number | null;
  isRaw: boolean;
}) {
  return (
    <li className={`message ${entry.role}`} id={`turn-${entry.turn}-${entry.role}`}>
      <p className="who">
        <span className="role">{entry.role === 'patient' ? 'Patient' : 'Agent'}</span>
        <span className="turn number">turn {entry.turn}</span>
        {entry.latency_ms !== undefined && <span className="latency number">{durationText(entry.latency_ms)}</span>}
      </p>
      <div className="says">
        <Says text={entry.content} ranges={ranges} active={active} isRaw={isRaw} />
      </div>
    </li>
  );
}

function emptySentence({ status }: ScenarioRunDetail): string {
  if (status === 'pending') return 'Waiting to start. The conversation appears here live.';
  if (!isFinalScenarioRun(status)) return 'Starting…';
  return 'Nothing was said before it ended.';
}
