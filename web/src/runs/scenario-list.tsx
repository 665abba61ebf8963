import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { Link } from 'wouter';
import { earlyEndIn } from '../../../machines/conversation-end';
import { isMustPass, missedOf } from '../../../machines/criterion-outcome';
import { isUsualPatient, patientName } from '../../../machines/patient';
import { SCENARIO_RUN_STATUSES, type ScenarioRunStatus } from '../../../machines/statuses';
import type { TestRun } from '../api/runs';
import type { ScenarioRun } from '../api/scenario-runs';
import type { LiveRunState, LiveScenario } from '../live/live-run';
import { Loading } from '../parts/loading';
import { counted, percentText } from '../parts/numbers';
import { Problem } from '../parts/problem';
import { Status } from '../parts/status';
import { Name } from '../parts/untrusted-text';
import { usePrinting } from '../parts/use-printing';
import { Turns } from './turns';
import { FIRST_READ, useScenarioRuns } from './use-scenario-runs';

/** Every row is this high, as in run.css, so that nothing moves while the run is in progress. */
const ROW_HEIGHT = { wide: 32, narrow: 60 };
const NARROW = '(max-width: 52rem)';
const OVERSCAN = 8;
/** Rows on paper, some hundred sheets: whoever needs more has the exports. */
const PRINTED_AT_MOST = 5_000;

interface Props {
  readonly run: TestRun;
  /** Newer than the rows until they are read again. */
  readonly live: LiveRunState;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly status: ScenarioRunStatus;
  /** Null in a run of one trial. */
  readonly trial: number | null;
  /** Null for the usual one. */
  readonly patient: string | null;
  readonly turns: number;
  readonly attempt: number;
  readonly score: number | null;
  readonly note: string | null;
}

/** The scenario runs of a run, in its order; only what is on the screen is drawn. */
export function ScenarioList({ run, live }: Props) {
  const [atMost, setAtMost] = useState(FIRST_READ);
  const [shown, setShown] = useState<ScenarioRunStatus | null>(null);
  const list = useScenarioRuns(run, atMost);
  if (list.isPending) return <Loading />;
  if (list.isError && list.data === undefined) {
    return <Problem error={list.error} onRetry={() => void list.refetch()} />;
  }
  const rows = list.data.results.map((stored) => rowOf(stored, run.trials, live.scenarios.get(stored.id)));
  const wanted = shown === null ? rows : rows.filter(({ status }) => status === shown);
  const rest = list.data.total - list.data.results.length;
  return (
    <section aria-label="Scenarios">
      <StatusFilter rows={rows} shown={shown} onShow={setShown} />
      {wanted.length === 0 ? (
        <p className="quiet none">No scenario is {shown} at the moment.</p>
      ) : (
        <>
          <div className="scenario-columns" aria-hidden="true">
            <span>Status</span>
            <span>Scenario</span>
            <span>Turns</span>
            <span>Score</span>
          </div>
          <Windowed rows={wanted} maxTurns={run.max_turns} />
        </>
      )}
      {rest > 0 && (
        <button type="button" className="button" onClick={() => setAtMost(atMost + FIRST_READ)}>
          Read more: {rest.toLocaleString()} are left
        </button>
      )}
      <NotPrinted count={rest + Math.max(0, wanted.length - PRINTED_AT_MOST)} />
    </section>
  );
}

/** Paper has no button to read more. */
function NotPrinted({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return <p className="only-printed">{counted(count, 'more scenario')} not printed: the exports hold all of them.</p>;
}

function StatusFilter({
  rows,
  shown,
  onShow,
}: {
  rows: readonly Row[];
  shown: ScenarioRunStatus | null;
  onShow: (status: ScenarioRunStatus | null) => void;
}) {
  const counts = new Map<ScenarioRunStatus, number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  return (
    <div className="filters" role="group" aria-label="Show only scenarios that are">
      <button type="button" className="chip" aria-pressed={shown === null} onClick={() => onShow(null)}>
        all <span className="number">{rows.length}</span>
      </button>
      {SCENARIO_RUN_STATUSES.map((status) => (
        <button
          key={status}
          type="button"
          className="chip"
          aria-pressed={shown === status}
          onClick={() => onShow(shown === status ? null : status)}
        >
          {status} <span className="number">{counts.get(status) ?? 0}</span>
        </button>
      ))}
    </div>
  );
}

function Windowed({ rows, maxTurns }: { rows: readonly Row[]; maxTurns: number }) {
  const list = useRef<HTMLDivElement>(null);
  const top = useDistanceFromTop(list);
  const height = useRowHeight();
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  useLayoutEffect(() => virtual.measure(), [virtual, height]);
  const isPrinting = usePrinting();
  const drawn = isPrinting ? wholeOf(rows) : virtual.getVirtualItems();
  return (
    <div
      ref={list}
      className="scenario-list"
      role="list"
      aria-label="Scenario runs"
      {...(!isPrinting && { style: { height: virtual.getTotalSize() } })}
    >
      {drawn.map(({ index, start }) => {
        const row = rows[index];
        return (
          row && (
            <div
              key={row.id}
              role="listitem"
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="scenario-row"
              {...(start !== null && { style: { transform: `translateY(${start - top}px)` } })}
            >
              <RowContent row={row} maxTurns={maxTurns} />
            </div>
          )
        );
      })}
    </div>
  );
}

/** On paper rows follow one another. */
function wholeOf(rows: readonly Row[]): { readonly index: number; readonly start: null }[] {
  return rows.slice(0, PRINTED_AT_MOST).map((_, index) => ({ index, start: null }));
}

function useRowHeight(): number {
  const narrow = useMemo(() => window.matchMedia(NARROW), []);
  const isNarrow = useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
  return isNarrow ? ROW_HEIGHT.narrow : ROW_HEIGHT.wide;
}

/** Where the list begins in the document; what is above it may grow. */
function useDistanceFromTop(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    measure();
    return () => observer.disconnect();
  }, [list]);
  return top;
}

function RowContent({ row, maxTurns }: { row: Row; maxTurns: number }) {
  return (
    <>
      <Status of={row.status} />
      <span className="scenario-name">
        <Link href={`/scenario-runs/${row.id}`}>
          <Name>{row.name}</Name>
        </Link>
        {row.trial !== null && <span className="note">trial {row.trial}</span>}
        {row.patient !== null && <span className="note">{row.patient}</span>}
        {row.note !== null && (
          <span className="note reason">
            <Name>{row.note}</Name>
          </span>
        )}
        {row.attempt > 1 && <span className="note">attempt {row.attempt}</span>}
      </span>
      <Turns done={row.turns} of={maxTurns} status={row.status} />
      <span className="score number">
        <span className="unseen">score </span>
        {row.score === null ? '–' : percentText(row.score)}
      </span>
    </>
  );
}

/** Why a scenario failed, in one line: criteria that fail it on their own come first. One that passed may have missed something too. */
function missedNote({ status, criteria_results }: ScenarioRun): string | null {
  const [first, ...others] = missedOf(criteria_results);
  if (first === undefined) return null;
  if (status !== 'failed') return `${others.length + 1} of ${criteria_results?.length ?? 0} criteria missed`;
  const what = first.max_points < 0 ? 'must not' : isMustPass(first) ? 'must pass' : 'missed';
  return `${what}: ${first.criterion}${others.length === 0 ? '' : ` (and ${others.length} more missed)`}`;
}

const HUNG_UP = 'the agent ended the conversation';

/** A final row is the truth; before that, the events are newer than the row. */
function rowOf(stored: ScenarioRun, trials: number, live: LiveScenario | undefined): Row {
  const fromRow = {
    id: stored.id,
    name: stored.scenario_name,
    status: stored.status,
    trial: trials === 1 ? null : stored.trial,
    patient: isUsualPatient(stored.patient) ? null : patientName(stored.patient),
    turns: stored.turns,
    attempt: stored.attempt,
    score: stored.score_percent,
    note: stored.error_message ?? missedNote(stored) ?? (earlyEndIn(stored.metadata) === null ? null : HUNG_UP),
  };
  if (live === undefined || stored.completed_at !== null || stored.canceled_at !== null) return fromRow;
  return {
    ...fromRow,
    status: live.status,
    turns: live.turns,
    attempt: live.attempt,
    score: live.score,
    note: live.error ?? (live.hasHungUp ? HUNG_UP : null),
  };
}
