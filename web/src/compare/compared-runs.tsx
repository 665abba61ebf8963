import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { doubtsAbout } from '../../../machines/comparison-doubts';
import {
  CHANGES,
  CHANGE_WORDS,
  compareRuns,
  gradedInBoth,
  type Change,
  type ComparedScenario,
} from '../../../machines/run-comparison';
import type { TestRun } from '../api/runs';
import { listScenarioRuns, type ScenarioRun } from '../api/scenario-runs';
import { Loading } from '../parts/loading';
import { counted, percentText } from '../parts/numbers';
import { Pager } from '../parts/pager';
import { PassBar } from '../parts/pass-bar';
import { Problem } from '../parts/problem';
import { Status } from '../parts/status';
import { Verdict } from './verdict';
import { Name } from '../parts/untrusted-text';

const READ_AT_MOST = 10_000;
const SHOWN_A_PAGE = 100;

type Compared = ComparedScenario<ScenarioRun>;

export function ComparedRuns({ base, head }: { readonly base: TestRun; readonly head: TestRun }) {
  const bases = useAll(base.id);
  const heads = useAll(head.id);
  const [shown, setShown] = useState<Change | null>(null);
  const [page, setPage] = useState(0);
  const compared = useMemo(
    () => (bases.data && heads.data ? compareRuns(bases.data.results, heads.data.results) : null),
    [bases.data, heads.data],
  );
  const failed = [bases, heads].find(({ isError }) => isError);
  if (failed) return <Problem error={failed.error} onRetry={() => void failed.refetch()} />;
  if (compared === null || !bases.data || !heads.data) return <Loading />;
  const wanted = shown === null ? compared : compared.filter(({ change }) => change === shown);
  const both = gradedInBoth(compared);
  const doubts = doubtsAbout(
    { run: base, scenarioRuns: bases.data.results },
    { run: head, scenarioRuns: heads.data.results },
  );
  const show = (change: Change | null) => {
    setShown(change);
    setPage(0);
  };
  return (
    <section className="stack" aria-label="Comparison">
      <div className="versus">
        <Side title="Before" run={base} />
        <Difference base={base} head={head} />
        <Side title="After" run={head} />
      </div>
      <Verdict base={base} head={head} />
      <p>
        {both.scenarios === 0
          ? 'No scenario was graded in both runs: they cannot be compared.'
          : `Of ${counted(both.scenarios, 'scenario')} graded in both runs, ${both.passed_before} passed before and ${both.passed_after} after.`}
      </p>
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
            {CHANGE_WORDS[change]}{' '}
            <span className="number">{compared.filter((row) => row.change === change).length}</span>
          </button>
        ))}
      </div>
      {wanted.length === 0 && <p className="quiet">No scenario is {shown === null ? 'here' : CHANGE_WORDS[shown]}.</p>}
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
      {run.status === 'completed' ? <PassBar rate={run.pass_rate} settled /> : <p className="quiet">no result</p>}
      <p className="quiet number small">
        {run.passed_count} of {run.total_scenarios} passed
        {run.error_count > 0 && `, ${counted(run.error_count, 'error')}`}
        {run.canceled_count > 0 && `, ${run.canceled_count} canceled`} <Status of={run.status} />
      </p>
    </div>
  );
}

/** Of the pass rates; there is none where one of the runs has no result. */
function Difference({ base, head }: { base: TestRun; head: TestRun }) {
  const areComplete = base.status === 'completed' && head.status === 'completed';
  return (
    <p className="difference number">
      <span className="unseen">Pass rate difference: </span>
      {areComplete ? signed(head.pass_rate - base.pass_rate) : '–'}
      {areComplete && <span className="unit">percentage points</span>}
    </p>
  );
}

const SIGNS: Readonly<Record<Change, string>> = { worse: '▼', better: '▲', same: '=', not_comparable: '?' };

function ComparedTable({ rows }: { rows: readonly Compared[] }) {
  const hasTrials = rows.some(({ trial }) => trial > 1);
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
              Score change
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.scenario_id} ${row.trial}`}>
              <th scope="row">
                <Name>{row.name}</Name>
                {hasTrials && <span className="quiet small"> trial {row.trial}</span>}
                <TurnedCriteria row={row} />
              </th>
              <td data-label="Change">
                <span className={`change ${row.change}`}>
                  <span aria-hidden="true">{SIGNS[row.change]}</span> {CHANGE_WORDS[row.change]}
                </span>
                {row.reason !== null && <p className="quiet small">{row.reason}</p>}
              </td>
              <td data-label="Before">
                <Outcome run={row.before} />
              </td>
              <td data-label="After">
                <Outcome run={row.after} />
              </td>
              <td data-label="Score change" className="number">
                {row.score_change === null ? '–' : signed(row.score_change)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Which criteria made the difference. */
function TurnedCriteria({ row }: { row: Compared }) {
  const turned = [
    ...row.lost.map((criterion) => ({ criterion, sign: '−', word: 'lost' })),
    ...row.won.map((criterion) => ({ criterion, sign: '+', word: 'won' })),
  ];
  if (turned.length === 0) return null;
  return (
    <details className="turned">
      <summary>
        {[
          row.lost.length > 0 && `${counted(row.lost.length, 'criterion', 'criteria')} lost`,
          row.won.length > 0 && `${counted(row.won.length, 'criterion', 'criteria')} won`,
        ]
          .filter(Boolean)
          .join(', ')}
      </summary>
      <ul>
        {turned.map(({ criterion, sign, word }) => (
          <li key={`${word} ${criterion}`} className={word}>
            <span aria-hidden="true">{sign}</span>
            <span className="unseen">{word}: </span> <Name>{criterion}</Name>
          </li>
        ))}
      </ul>
    </details>
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
