import { useMemo } from 'react';
import type { ScenarioRunDetail } from '../api/scenario-runs';
import { durationText } from '../parts/time';
import type { Range } from '../parts/untrusted-text';
import type { EvidenceRanges } from '../scenario-run/evidence';
import { Acts } from '../scenario-run/acts';
import { Says } from '../scenario-run/says';
import { pairedMessages } from './pairs';

interface Props {
  /** Before and after. */
  readonly sides: readonly [ScenarioRunDetail, ScenarioRunDetail];
  readonly ranges: readonly EvidenceRanges[];
  /** The text of the criterion whose evidence is highlighted. */
  readonly active: string | null;
}

const NO_RANGES: readonly Range[] = [];
const NO_CALLS: ReadonlyMap<number, readonly number[]> = new Map();
const TITLES = ['Before', 'After'] as const;

/** Both conversations as one table: a line for what the patient, and then the agent, said in each turn. */
export function Messages({ sides, ranges, active }: Props) {
  const pairs = useMemo(() => pairedMessages(sides[0].transcript, sides[1].transcript), [sides]);
  const lit = sides.map((run) => {
    const place = run.criteria_results?.findIndex(({ criterion }) => criterion === active) ?? -1;
    return place === -1 ? null : place;
  });
  return (
    <section className="stack" aria-labelledby="conversations-title">
      <h2 id="conversations-title">Conversations</h2>
      {pairs.length === 0 && <p className="quiet">Nothing was said in either.</p>}
      <table className="conversations">
        <thead>
          <tr>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ turn, role, places }) => (
            <tr key={`${turn} ${role}`}>
              {places.map((place, side) => (
                <td key={TITLES[side]} data-label={TITLES[side]}>
                  <Message
                    run={sides[side === 0 ? 0 : 1]}
                    place={place}
                    ranges={place === null ? NO_RANGES : (ranges[side]?.byEntry.get(place) ?? NO_RANGES)}
                    calls={ranges[side]?.byCall.get(turn) ?? NO_CALLS}
                    lit={lit[side] ?? null}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface MessageProps {
  readonly run: ScenarioRunDetail;
  readonly place: number | null;
  readonly ranges: readonly Range[];
  /** Positions of the criteria that rest on a call of the turn, by its place. */
  readonly calls: ReadonlyMap<number, readonly number[]>;
  readonly lit: number | null;
}

function Message({ run, place, ranges, calls, lit }: MessageProps) {
  const entry = place === null ? undefined : run.transcript[place];
  if (entry === undefined) return <p className="quiet small">nothing: this conversation had ended</p>;
  const { role, turn, content, latency_ms: latency, acts } = entry;
  return (
    <div className={`message ${role}`}>
      <p className="who">
        <span className="role">{role === 'patient' ? 'Patient' : 'Agent'}</span>
        <span className="turn number">turn {turn}</span>
        {latency !== undefined && <span className="latency number">{durationText(latency)}</span>}
      </p>
      <div className="says">
        <Says text={content} ranges={ranges} active={lit} isRaw={false} />
      </div>
      <Acts turn={turn} acts={acts} marks={calls} active={lit} />
    </div>
  );
}
