import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { Link, useLocation } from 'wouter';
import { isFinalTestRun, spaced } from '../../../src/domain';
import type { TestRun } from '../api/runs';
import type { LiveRunState } from '../live/live-run';
import { Loading } from '../parts/loading';
import { costText, counted, percentText } from '../parts/numbers';
import { Problem } from '../parts/problem';
import { SeverityTag } from '../parts/severity-tag';
import { Status } from '../parts/status';
import { durationText } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { useIsNarrow } from '../parts/use-narrow';
import { useKeys } from '../parts/keyboard';
import { usePrinting } from '../parts/use-printing';
import { visibleText } from '../parts/visible-parts';
import { failedNeighbours } from './failed-neighbours';
import { ListColumns, ListFilters } from './list-controls';
import { arranged } from './list-order';
import { storedRow, withEvents, type Row } from './scenario-row';
import { Turns } from './turns';
import { useListView } from './use-list-view';
import { FIRST_READ, useFirstScenarioRuns, useScenarioRuns } from './use-scenario-runs';

/** Every row is this high, as in run.css, so that nothing moves while the run is in progress. */
const ROW_HEIGHT = { wide: 32, narrow: 60 };
const OVERSCAN = 8;
const CARRIED = 'Carried over with its verdict from the run that this one came from: it was not examined again.';
/** The most rows on paper, some hundred sheets: the exports have all rows. */
const PRINTED_AT_MOST = 5_000;

interface Props {
  readonly run: TestRun;
  /** Newer than the rows until they are read again. */
  readonly live: LiveRunState;
}

/** The scenario runs of a run, in its order or by a column; only what is on the screen is drawn. */
export function ScenarioList({ run, live }: Props) {
  const [atMost, setAtMost] = useState(FIRST_READ);
  const { view, show } = useListView();
  const list = useScenarioRuns(run, atMost);
  const first = useFirstScenarioRuns(run);
  const data = list.data ?? first;
  const isPartial = list.data === undefined;
  const results = data?.results;
  const stored = useMemo(() => (results ?? []).map((one) => storedRow(one, run.trials)), [results, run.trials]);
  const [, go] = useLocation();
  const rows = stored.map((row) => withEvents(row, live.scenarios.get(row.id)));
  const wanted = arranged(rows, view);
  const firstFailed = failedNeighbours(wanted, null).next;
  useKeys({ j: () => firstFailed !== null && go(`/scenario-runs/${firstFailed.id}`) });
  if (list.isError && isPartial) return <Problem error={list.error} onRetry={() => void list.refetch()} />;
  if (data === undefined || (isPartial && wanted.length === 0)) return <Loading />;
  // The offline examiners cost nothing: the column is left out.
  const hasCost = rows.some(({ cost }) => cost !== null);
  const rest = isPartial ? 0 : data.total - data.results.length;
  return (
    <section aria-label="Scenarios" className={hasCost ? undefined : 'without-cost'}>
      {isPartial ? (
        <p className="quiet" role="status">
          The first {data.results.length} of {data.total.toLocaleString()}; the others are being read…
        </p>
      ) : (
        <ListFilters rows={rows} view={view} onShow={show} />
      )}
      {wanted.length === 0 ? (
        <p className="quiet none">
          {view.text === '' ? `No ${view.status} scenarios right now.` : 'No scenarios match the search.'}
        </p>
      ) : (
        <>
          {firstFailed !== null && isFinalTestRun(run.status) && (
            <p className="quiet small keys">
              Press <kbd>J</kbd> for the first failed conversation; from there, <kbd>J</kbd> and <kbd>K</kbd> go to the
              next and the previous one
              {data.total > FIRST_READ && `, among the first ${counted(FIRST_READ, 'scenario run')}`}.
            </p>
          )}
          <ListColumns view={view} onShow={show} />
          <Windowed rows={wanted} maxTurns={run.max_turns} />
        </>
      )}
      {rest > 0 && (
        <button type="button" className="button" onClick={() => setAtMost(atMost + FIRST_READ)}>
          Load more ({rest.toLocaleString()} left)
        </button>
      )}
      <NotPrinted count={rest + Math.max(0, wanted.length - PRINTED_AT_MOST)} />
    </section>
  );
}

/** Paper has no button to read more. */
function NotPrinted({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <p className="only-printed">
      {counted(count, 'more scenario is', 'more scenarios are')} not printed here; the exports contain all of them.
    </p>
  );
}

function Windowed({ rows, maxTurns }: { rows: readonly Row[]; maxTurns: number }) {
  const list = useRef<HTMLDivElement>(null);
  const top = useDistanceFromTop(list);
  const height = useIsNarrow() ? ROW_HEIGHT.narrow : ROW_HEIGHT.wide;
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
        {row.isCarried && (
          <span className="note carried" title={CARRIED}>
            carried
          </span>
        )}
        {row.attempt > 1 && <span className="note">attempt {row.attempt}</span>}
        {row.note !== null && (
          <span className="note reason" title={visibleText(row.note)}>
            <Name>{row.note}</Name>
          </span>
        )}
      </span>
      <span className="of-severity">{row.severity !== null && <SeverityTag severity={row.severity} />}</span>
      <span className="of-category" title={row.category === null ? undefined : visibleText(spaced(row.category))}>
        {row.category !== null && <Name>{spaced(row.category)}</Name>}
      </span>
      <Turns done={row.turns} of={maxTurns} status={row.status} />
      <span className="of-latency number">
        <span className="unseen">latency </span>
        {row.latency === null ? '–' : durationText(row.latency)}
      </span>
      <span className="of-cost number">
        <span className="unseen">cost </span>
        {row.cost === null ? '–' : costText(row.cost)}
      </span>
      <span className="score number">
        <span className="unseen">score </span>
        {row.score === null ? '–' : percentText(row.score)}
      </span>
    </>
  );
}
