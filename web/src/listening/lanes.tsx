import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type KeyboardEvent, type RefObject } from 'react';
import { callTime } from '../../../src/domain';
import { getPeaks, type CallSpan, type SpokenTimeline } from '../api/recordings';
import type { CriterionResult } from '../api/scenario-runs';
import type { CallPlayer } from './call-player';
import { MomentSign, MOMENTS, type Moment, type MomentKind } from './moments';
import { barsOf } from './waveform';

/** Heights in px; widths follow the room there is. */
const LANE = 52;
const GAP = 6;
/** A sign and the gap beside it, across and upwards. */
const SIGN_ROW = 26;
/** A second is never narrower: a long call scrolls sideways. */
const LEAST_PX_A_SECOND = 6;
/** Distances between times on the axis, in s. */
const STEPS = [5, 10, 15, 30, 60, 120, 300, 600, 1_800];
const LEAST_PX_A_STEP = 56;
/** What an arrow key moves by, in ms. */
const ARROW_MS = 5_000;

interface Props {
  /** Null where nothing can be heard. */
  readonly player: CallPlayer | null;
  readonly timeline: SpokenTimeline;
  readonly lastsMs: number;
  readonly moments: readonly Moment[];
  /** Whose evidence is drawn; null for none. */
  readonly evidence: readonly CriterionResult[] | null;
  readonly active: number | null;
}

/** The call as a picture: the patient above, the agent below, and what happened when. Pressing it plays from there. */
export function Lanes({ player, timeline, lastsMs, moments, evidence, active }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const room = useWidth(scroller);
  const width = Math.max(room, Math.ceil((lastsMs / 1_000) * LEAST_PX_A_SECOND));
  const x = (ms: number) => (Math.min(Math.max(ms, 0), lastsMs) / lastsMs) * width;
  const peaks = useQuery({
    queryKey: ['peaks', timeline.scenario_run_id],
    queryFn: ({ signal }) => getPeaks(timeline.scenario_run_id, signal),
    enabled: player !== null,
    staleTime: Infinity,
  });
  const above = placed(
    moments.filter(({ kind }) => MOMENTS[kind].of === 'patient'),
    x,
  );
  const below = placed(
    moments.filter(({ kind }) => MOMENTS[kind].of === 'agent'),
    x,
  );
  const bars = useMemo(() => {
    if (peaks.data === undefined || room === 0) return null;
    const { patient, agent, per_second: perSecond } = peaks.data;
    const shape = { perSecond, lastsMs, width, half: LANE / 2 - 4 };
    return {
      patient: barsOf(patient, { ...shape, middle: LANE / 2 }),
      agent: barsOf(agent, { ...shape, middle: LANE + GAP + LANE / 2 }),
    };
  }, [peaks.data, lastsMs, width, room]);
  return (
    <>
      <div className="lanes-frame">
        <div
          className="lane-names"
          style={{ paddingBlockStart: heightOf(above), gridTemplateRows: `${LANE + GAP}px ${LANE}px` }}
          aria-hidden="true"
        >
          <span>Patient</span>
          <span>Agent</span>
        </div>
        <div className="lanes-scroll" ref={scroller}>
          {room > 0 && (
            <div className="lanes" style={{ width }}>
              <Signs of={above} player={player} x={x} />
              <Picture player={player} timeline={timeline} lastsMs={lastsMs}>
                <svg width={width} height={2 * LANE + GAP} aria-hidden="true">
                  <Bands timeline={timeline} moments={moments} x={x} />
                  {bars !== null && (
                    <>
                      <path className="bars patient" d={bars.patient} />
                      <path className="bars agent" d={bars.agent} />
                    </>
                  )}
                  {(evidence ?? []).flatMap((result, of) =>
                    result.evidence.map(
                      ({ from_ms, to_ms }, at) =>
                        from_ms !== undefined &&
                        to_ms !== undefined && (
                          <rect
                            key={`${of} ${at}`}
                            className={of === active ? 'proof lit' : 'proof'}
                            x={x(from_ms)}
                            width={Math.max(2, x(to_ms) - x(from_ms))}
                            y={2 * LANE + GAP - 4}
                            height={4}
                          />
                        ),
                    ),
                  )}
                </svg>
                {player !== null && <Playhead player={player} x={x} scroller={scroller} />}
              </Picture>
              <Signs of={below} player={player} x={x} />
              <Axis lastsMs={lastsMs} width={width} />
            </div>
          )}
        </div>
      </div>
      <Legend moments={moments} hasEvidence={evidence?.some(isTimed) === true} />
    </>
  );
}

function isTimed({ evidence }: CriterionResult): boolean {
  return evidence.some(({ from_ms }) => from_ms !== undefined);
}

interface PictureProps {
  readonly player: CallPlayer | null;
  readonly timeline: SpokenTimeline;
  readonly lastsMs: number;
  readonly children: React.ReactNode;
}

/** Where the lanes are pressed: a slider over the call, or a picture alone where nothing can be heard. */
function Picture({ player, timeline, lastsMs, children }: PictureProps) {
  const second = useSyncExternalStore(player?.subscribe ?? never, () => Math.round((player?.get().at ?? 0) / 1_000));
  if (player === null) {
    return (
      <div className="lanes-picture" role="img" aria-label="Who spoke when; the table below says the same">
        {children}
      </div>
    );
  }
  const turns = timeline.entries.flatMap(({ spoken: { from_ms } }) => (from_ms === null ? [] : [from_ms]));
  const pressed = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = player.get().at ?? 0;
    const moves: Readonly<Record<string, () => number>> = {
      ArrowRight: () => at + ARROW_MS,
      ArrowUp: () => at + ARROW_MS,
      ArrowLeft: () => at - ARROW_MS,
      ArrowDown: () => at - ARROW_MS,
      PageUp: () => turns.find((from) => from > at + 1) ?? at,
      PageDown: () => turns.findLast((from) => from < at - 1) ?? 0,
      Home: () => 0,
      End: () => lastsMs,
    };
    const move = moves[event.key];
    if (move !== undefined) player.moveTo(Math.min(lastsMs, Math.max(0, move())));
    else if (event.key === ' ' || event.key === 'Enter') player.toggle();
    else return;
    event.preventDefault();
  };
  return (
    <div
      className="lanes-picture"
      role="slider"
      tabIndex={0}
      aria-label="Position in the conversation. Space plays, arrows move by five seconds, Page Up and Page Down by a message."
      aria-valuemin={0}
      aria-valuemax={Math.round(lastsMs / 1_000)}
      aria-valuenow={second}
      aria-valuetext={`${spokenTime(second * 1_000)} of ${spokenTime(lastsMs)}`}
      onKeyDown={pressed}
      onClick={({ currentTarget, clientX }) => {
        const { left, width } = currentTarget.getBoundingClientRect();
        player.playFrom(((clientX - left) / width) * lastsMs);
      }}
    >
      {children}
    </div>
  );
}

interface Across {
  /** Where a time is, in px. */
  readonly x: (ms: number) => number;
}

/** Turns as bands, where each side spoke, and the silences and beginnings that lasted. */
function Bands({ timeline: { entries }, moments, x }: Pick<Props, 'timeline' | 'moments'> & Across) {
  const patients = entries.filter(({ role }) => role === 'patient');
  const stretch = ({ from_ms, to_ms }: CallSpan, className: string, y: number, height: number, key: string) => (
    <rect
      key={key}
      className={className}
      x={x(from_ms)}
      width={Math.max(1, x(to_ms) - x(from_ms))}
      y={y}
      height={height}
    />
  );
  const whole = 2 * LANE + GAP;
  return (
    <>
      {patients.map(({ turn, spoken: { from_ms } }, at) => {
        const next = patients[at + 1]?.spoken.from_ms ?? Number.POSITIVE_INFINITY;
        return (
          from_ms !== null && at % 2 === 0 && stretch({ from_ms, to_ms: next }, 'turn-band', 0, whole, `turn ${turn}`)
        );
      })}
      {entries.flatMap(({ turn, role, spoken: { from_ms, to_ms, segments, interjection } }) => {
        const voiced =
          role === 'agent' ? (segments ?? []) : from_ms === null || to_ms === null ? [] : [{ from_ms, to_ms }];
        const spoken = interjection ? [...voiced, interjection] : voiced;
        return spoken.map((span, at) =>
          stretch(span, `voiced ${role}`, role === 'patient' ? 0 : LANE + GAP, LANE, `${role} ${turn} ${at}`),
        );
      })}
      {moments.map((moment, at) =>
        moment.kind === 'dead_air' || moment.kind === 'premature_start'
          ? stretch(moment, `lasting ${moment.kind}`, 0, whole, `moment ${at}`)
          : null,
      )}
    </>
  );
}

interface PlacedMoment {
  readonly moment: Moment;
  /** 0 is the nearest to the lanes. */
  readonly level: number;
}

/** Signs that would cover each other stand one above the other. */
function placed(moments: readonly Moment[], x: Across['x']): readonly PlacedMoment[] {
  const ends: number[] = [];
  return moments.map((moment) => {
    const from = x(moment.from_ms);
    const free = ends.findIndex((end) => end <= from);
    const level = free === -1 ? ends.length : free;
    ends[level] = from + SIGN_ROW;
    return { moment, level };
  });
}

/** Of all signs on one side of the lanes, in px. */
function heightOf(of: readonly PlacedMoment[]): number {
  return Math.max(0, ...of.map(({ level }) => level + 1)) * SIGN_ROW;
}

interface SignsProps extends Across {
  readonly of: readonly PlacedMoment[];
  readonly player: CallPlayer | null;
}

function Signs({ of, player, x }: SignsProps) {
  if (of.length === 0) return null;
  const isAbove = of[0] !== undefined && MOMENTS[of[0].moment.kind].of === 'patient';
  return (
    <div className="signs" style={{ height: heightOf(of) }}>
      {of.map(({ moment, level }, at) => {
        const { name } = MOMENTS[moment.kind];
        const says = moment.detail === '' ? name : `${name}: ${moment.detail}`;
        const top = isAbove ? heightOf(of) - (level + 1) * SIGN_ROW : level * SIGN_ROW;
        const place = { insetInlineStart: x(moment.from_ms), insetBlockStart: top };
        return player === null ? (
          <span key={at} className={`moment ${moment.kind}`} style={place} title={says}>
            <MomentSign kind={moment.kind} />
          </span>
        ) : (
          <button
            key={at}
            type="button"
            className={`moment ${moment.kind}`}
            style={place}
            title={says}
            aria-label={`Play from ${callTime(moment.from_ms)}: ${says}`}
            onClick={() => player.playFrom(moment.from_ms)}
          >
            <MomentSign kind={moment.kind} />
          </button>
        );
      })}
    </div>
  );
}

function Axis({ lastsMs, width }: { readonly lastsMs: number; readonly width: number }) {
  const pxASecond = width / (lastsMs / 1_000);
  const step = STEPS.find((seconds) => seconds * pxASecond >= LEAST_PX_A_STEP) ?? 3_600;
  const times = Array.from({ length: Math.floor(lastsMs / 1_000 / step) + 1 }, (_, at) => at * step);
  return (
    <div className="lanes-axis number" aria-hidden="true">
      {times.map(
        (seconds) =>
          // The last one would stand out at the end.
          (seconds === 0 || width - seconds * pxASecond > LEAST_PX_A_STEP / 2) && (
            <span key={seconds} style={{ insetInlineStart: seconds * pxASecond }}>
              {callTime(seconds * 1_000)}
            </span>
          ),
      )}
    </div>
  );
}

interface PlayheadProps extends Across {
  readonly player: CallPlayer;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

function Playhead({ player, x, scroller }: PlayheadProps) {
  const at = useSyncExternalStore(player.subscribe, () => player.get().at);
  const left = at === null ? null : x(at);
  useEffect(() => {
    const frame = scroller.current;
    if (frame === null || left === null) return;
    if (left < frame.scrollLeft || left > frame.scrollLeft + frame.clientWidth) {
      frame.scrollLeft = left - frame.clientWidth / 8;
    }
  }, [left, scroller]);
  return left === null ? null : <span className="playhead" style={{ insetInlineStart: left }} />;
}

/** The signs that occur, with their names. */
function Legend({ moments, hasEvidence }: { readonly moments: readonly Moment[]; readonly hasEvidence: boolean }) {
  const counts = new Map<MomentKind, number>();
  for (const { kind } of moments) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (counts.size === 0 && !hasEvidence) return null;
  return (
    <ul className="lanes-legend quiet small">
      {[...counts].map(([kind, count]) => (
        <li key={kind}>
          <MomentSign kind={kind} /> {MOMENTS[kind].name}
          {count > 1 && ` (${count})`}
        </li>
      ))}
      {hasEvidence && (
        <li>
          <span className="proof-sign" /> Evidence
        </li>
      )}
    </ul>
  );
}

function useWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (of.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(of.current);
    return () => observer.disconnect();
  }, [of]);
  return width;
}

const never = () => () => undefined;

/** A time of the call for those who hear the page: `1 minute 4 seconds`. */
function spokenTime(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const rest = `${seconds % 60} ${seconds % 60 === 1 ? 'second' : 'seconds'}`;
  return minutes === 0 ? rest : `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} ${rest}`;
}
