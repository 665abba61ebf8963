import { isFinalScenarioRun } from '../../../machines/statuses';
import type { ScenarioRunDetail, TranscriptEntry } from '../api/scenario-runs';
import { durationText } from '../parts/time';
import { UntrustedText, type Range } from '../parts/untrusted-text';
import { EarlyEnd } from './early-end';
import type { EvidenceRanges } from './evidence';

interface Props {
  readonly run: ScenarioRunDetail;
  /** Null until it is known. */
  readonly maxTurns: number | null;
  readonly ranges: EvidenceRanges;
  /** The criterion under the pointer. */
  readonly active: number | null;
}

const NO_RANGES: readonly Range[] = [];

/** The conversation, with the judge's quotes marked. */
export function Transcript({ run, maxTurns, ranges, active }: Props) {
  const { transcript } = run;
  return (
    <section className="transcript" aria-labelledby="transcript-title">
      <h2 id="transcript-title">Conversation</h2>
      {transcript.length === 0 && <p className="quiet">{emptySentence(run)}</p>}
      <ol>
        {transcript.map((entry, index) => (
          <Message
            key={`${entry.turn} ${entry.role}`}
            entry={entry}
            ranges={ranges.byEntry.get(index) ?? NO_RANGES}
            active={active}
          />
        ))}
      </ol>
      <EarlyEnd run={run} maxTurns={maxTurns} />
      {run.status === 'running' && transcript.length > 0 && (
        <p className="quiet waiting">The conversation continues…</p>
      )}
      {run.status === 'grading' && <p className="quiet waiting">The judge is reading the conversation…</p>}
    </section>
  );
}

function Message({
  entry,
  ranges,
  active,
}: {
  entry: TranscriptEntry;
  ranges: readonly Range[];
  active: number | null;
}) {
  return (
    <li className={`message ${entry.role}`} id={`turn-${entry.turn}-${entry.role}`}>
      <p className="who">
        <span className="role">{entry.role === 'patient' ? 'Patient' : 'Agent'}</span>
        <span className="turn number">turn {entry.turn}</span>
        {entry.latency_ms !== undefined && <span className="latency number">{durationText(entry.latency_ms)}</span>}
      </p>
      <div className="says">
        <UntrustedText text={entry.content} ranges={ranges} active={active} />
      </div>
    </li>
  );
}

function emptySentence({ status }: ScenarioRunDetail): string {
  if (status === 'pending') return 'Waiting for its turn; this page shows it live.';
  if (!isFinalScenarioRun(status)) return 'Starting…';
  return 'Nothing was said before it ended.';
}
