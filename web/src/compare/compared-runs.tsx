import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { TestRun } from '../api/runs';
import { listScenarioRuns, type ScenarioRun } from '../api/scenario-runs';
import { Loading } from '../parts/loading';
import { percentText } from '../parts/numbers';
import { Pager } from '../parts/pager';
import { PassBar } from '../parts/pass-bar';
import { Problem } from '../parts/problem';
import { Status } from '../parts/status';
import { Name } from '../parts/untrusted-text';
import { CHANGES, compare, doubtsAbout, type Change, type Compared } from './comparison';

const READ_AT_MOST = 10_000;
const SHOWN_A_PAGE = 100;

export function ComparedRuns({ base, head }: { readonly base: TestRun; readonly head: TestRun }) {
  const bases = useAll(base.id);
  const heads = useAll(head.id);
  const [shown, setShown] = useState<Change | null>(null);
  const [page, setPage] = useState(0);
  const compared = useMemo(
    () => (bases.data && heads.data ? compare(bases.data.results, heads.data.results) : null),
    [bases.data, heads.data],
  );
  const failed = [bases, heads].find(({ isError }) => isError);
  if (failed) return <Problem error={failed.error} onRetry={() => void failed.refetch()} />;
  if (compared === null) return <Loading />;
  const wanted = shown === null ? compared : compared.filter(({ change }) => change === shown);
  const doubts = doubtsAbout(base, head, compared);
  const show = (change: Change | null) => {
    setShown(change);
    setPage(0);
  };
  return (
    <section className="stack" aria-label="Comparison">
      <div className="versus">
        <Side title="Before" run={base} />
        <p className="difference number">
          <span className="unseen">Pass rate difference </span>
          {signed(head.pass_rate - base.pass_rate)}
        </p>
        <Side title="After" run={head} />
      </div>
      {doubts.length > 0 && <p className="notice">{doubts.join(' ')}</p>}
      <div className="filters" role="group" aria-label="Show only scenarios that are">
        <button type="button" className="chip" aria-pressed={shown === null} onClick={() => show(null)}>
          all <span className="number">{compared.length}</span>
        </button>
        {CHANGES.map((change) => (
          <button
            key={change}
            type="button"
            className="chip"
            aria-pressed={shown === change}
            onClick={() => show(change)}
          >
            {change} <span className="number">{compared.filter((row) => row.change === change).length}</span>
          </button>
        ))}
      </div>
      {wanted.length === 0 && <p className="quiet">No scenario is {shown}.</p>}
      {wanted.length > 0 && <ComparedTable rows={wanted.slice(page * SHOWN_A_PAGE, (page + 1) * SHOWN_A_PAGE)} />}
      <Pager page={page} pageSize={SHOWN_A_PAGE} total={wanted.length} onPage={setPage} />
    </section>
  );
}

function useAll(runId: string) {
  return useQuery({
    queryKey: ['scenario-runs', runId, READ_AT_MOST],
    queryFn: ({ signal }) => listScenarioRuns(runId, READ_AT_MOST, signal),
  });
}

function Side({ title, run }: { title: string; run: TestRun }) {
  return (
    <div className="panel side">
      <h2>{title}</h2>
      <p>
        <Link href={`/runs/${run.id}`}>
          <Name>{run.name ?? run.test_run_id}</Name>
        </Link>
        <span className="quiet">
          {' '}
          <Name>{run.agent_name}</Name>
        </span>
      </p>
      <PassBar rate={run.pass_rate} settled />
      <p className="quiet number small">
        {run.passed_count} of {run.total_scenarios} passed <Status of={run.status} />
      </p>
    </div>
  );
}

const SIGNS: Readonly<Record<Change, string>> = { worse: '▼', better: '▲', same: '=', 'not comparable': '?' };

function ComparedTable({ rows }: { rows: readonly Compared[] }) {
  return (
    <div className="table-frame">
      <table className="rows compared">
        <thead>
          <tr>
            <th scope="col">Scenario</th>
            <th scope="col">Change</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col" className="number">
              Points %
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.scenarioId}>
              <th scope="row">
                <Name>{row.name}</Name>
              </th>
              <td data-label="Change">
                <span className={`change ${row.change.replace(' ', '-')}`}>
                  <span aria-hidden="true">{SIGNS[row.change]}</span> {row.change}
                </span>
              </td>
              <td data-label="Before">
                <Outcome run={row.base} />
              </td>
              <td data-label="After">
                <Outcome run={row.head} />
              </td>
              <td data-label="Points %" className="number">
                {row.difference === null ? '–' : signed(row.difference)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Outcome({ run }: { run: ScenarioRun | null }) {
  if (run === null) return <span className="quiet">not in this run</span>;
  return (
    <Link href={`/scenario-runs/${run.id}`} className="outcome">
      <Status of={run.status} />
      <span className="number">{run.score_percent === null ? '–' : percentText(run.score_percent)}</span>
    </Link>
  );
}

function signed(difference: number): string {
  const rounded = Math.round(difference * 10) / 10;
  const sign = rounded > 0 ? '+' : rounded < 0 ? '−' : '±';
  return `${sign}${Math.abs(rounded).toLocaleString(undefined, { maximumFractionDigits: 1 })}`;
}
