import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { TestRun } from '../api/runs';
import { Loading } from '../parts/loading';
import { counted, percentText, signedText } from '../parts/numbers';
import { Pager } from '../parts/pager';
import { Problem } from '../parts/problem';
import { Name } from '../parts/untrusted-text';
import { usePrinting } from '../parts/use-printing';
import { FIRST_READ, useScenarioRuns } from '../runs/use-scenario-runs';
import { sharedScores, sortedBy, type SharedColumn } from './shared-scores';

const SHOWN_A_PAGE = 50;

const COLUMNS: readonly { readonly column: SharedColumn; readonly label: string }[] = [
  { column: 'name', label: 'Scenario' },
  { column: 'before', label: 'Before' },
  { column: 'after', label: 'After' },
  { column: 'change', label: 'Change' },
];

interface Props {
  readonly base: TestRun;
  readonly head: TestRun;
  /** Scenarios that both runs graded. */
  readonly count: number;
}

/** Every scenario that both runs graded, with its scores, also where the verdict stayed the same. It is read and drawn when it is opened. */
export function SharedScenarios({ base, head, count }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (count === 0) return null;
  return (
    <details className="shared-scenarios" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{count === 1 ? 'The one shared scenario' : `All ${count.toLocaleString()} shared scenarios`}</summary>
      {isOpen && <Scores base={base} head={head} />}
    </details>
  );
}

function Scores({ base, head }: Pick<Props, 'base' | 'head'>) {
  const before = useScenarioRuns(base);
  const after = useScenarioRuns(head);
  const [{ column, isDescending }, setOrder] = useState<Order>({ column: 'change', isDescending: false });
  const [page, setPage] = useState(0);
  const isPrinting = usePrinting();
  const scores = useMemo(
    () => sortedBy(sharedScores(before.data?.results ?? [], after.data?.results ?? []), column, isDescending),
    [before.data, after.data, column, isDescending],
  );
  const failed = [before, after].find(({ isError, data }) => isError && data === undefined);
  if (failed) return <Problem error={failed.error} onRetry={() => void failed.refetch()} />;
  if (before.data === undefined || after.data === undefined) return <Loading />;
  const isCut = [before.data, after.data].some(({ results, total }) => results.length < total);
  const shown = isPrinting ? scores : scores.slice(page * SHOWN_A_PAGE, (page + 1) * SHOWN_A_PAGE);
  const sortBy = (next: SharedColumn) => {
    setOrder({ column: next, isDescending: next === column && !isDescending });
    setPage(0);
  };
  return (
    <div className="stack">
      <div className="table-frame">
        <table className="rows">
          <thead>
            <tr>
              {COLUMNS.map(({ column: of, label }) => (
                <th
                  key={of}
                  scope="col"
                  className={of === 'name' ? undefined : 'number'}
                  {...(of === column && { 'aria-sort': isDescending ? 'descending' : 'ascending' })}
                >
                  <button type="button" className="sort-by" onClick={() => sortBy(of)}>
                    {label}
                    {of === column && <span aria-hidden="true">{isDescending ? ' ↓' : ' ↑'}</span>}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, name, before: was, after: is, change }) => (
              <tr key={id}>
                <th scope="row">
                  <Link href={`/scenarios/${id}`}>
                    <Name>{name}</Name>
                  </Link>
                </th>
                <td data-label="Before" className="number">
                  {percentText(was)}
                </td>
                <td data-label="After" className="number">
                  {percentText(is)}
                </td>
                <td data-label="Change" className="number">
                  {signedText(change)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} pageSize={SHOWN_A_PAGE} total={scores.length} onPage={setPage} />
      <p className="quiet small">
        Scores are means over the trials that were graded; the change is in points.
        {isCut && ` Of each run the first ${counted(FIRST_READ, 'scenario run')} are read.`}
      </p>
    </div>
  );
}

interface Order {
  readonly column: SharedColumn;
  readonly isDescending: boolean;
}
