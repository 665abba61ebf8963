import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { isFinalTestRun } from '../../../machines/statuses';
import type { TestRun } from '../api/runs';
import { getComparison, type Comparison } from '../api/statistics';
import { Loading } from '../parts/loading';
import { counted, rangeText, signedText } from '../parts/numbers';
import { PassBar } from '../parts/pass-bar';
import { Problem } from '../parts/problem';
import { Status } from '../parts/status';
import { Name } from '../parts/untrusted-text';
import { ChangedCriteria } from './changed-criteria';
import { ChangedScenarios } from './changed-scenarios';
import { ForestPlot } from './forest-plot';
import { Verdict } from './verdict';

export function ComparedRuns({ base, head }: { readonly base: TestRun; readonly head: TestRun }) {
  const areFinal = isFinalTestRun(base.status) && isFinalTestRun(head.status);
  const found = useQuery({
    queryKey: ['comparison', base.id, head.id],
    queryFn: ({ signal }) => getComparison(base.id, head.id, signal),
    enabled: areFinal,
    staleTime: 30_000,
  });
  return (
    <section className="stack" aria-label="Comparison">
      {!areFinal && <p className="notice">A run is in progress: the verdict comes when both have ended.</p>}
      {areFinal && found.isPending && <Loading />}
      {found.isError && <Problem error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && <Verdict comparison={found.data} />}
      <div className="versus">
        <Side title="Before" run={base} />
        <Difference of={found.data ?? null} />
        <Side title="After" run={head} />
      </div>
      {found.data && (
        <>
          <ForestPlot comparison={found.data} />
          <ChangedScenarios base={base} head={head} comparison={found.data} />
          <ChangedCriteria comparison={found.data} />
        </>
      )}
    </section>
  );
}

function Side({ title, run }: { title: string; run: TestRun }) {
  const graded = run.passed_count + run.failed_count;
  const interval = run.graded_pass_rate ?? null;
  const isWhole = graded === run.total_scenarios;
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
      {run.status === 'completed' ? (
        <PassBar rate={run.pass_rate} settled interval={isWhole ? interval : null} />
      ) : (
        <p className="quiet">no result</p>
      )}
      <p className="quiet number small">
        {run.passed_count} of {run.total_scenarios} passed
        {run.error_count > 0 && `, ${counted(run.error_count, 'error')}`}
        {run.canceled_count > 0 && `, ${run.canceled_count} canceled`}
        {!isWhole && interval !== null && `; ${rangeText(interval)} of what was graded`} <Status of={run.status} />
      </p>
    </div>
  );
}

/** Over the compared scenarios; nothing where there are none. */
function Difference({ of }: { of: Comparison | null }) {
  const { value, low, high } = of?.difference ?? { value: null, low: null, high: null };
  const isKnown = value !== null && low !== null && high !== null;
  return (
    <p className="difference number">
      <span className="unseen">Difference over the compared scenarios: </span>
      {isKnown ? signedText(value) : '–'}
      {isKnown && (
        <span className="unit">
          points
          <br />
          {signedText(low, 0)} to {signedText(high, 0)}
        </span>
      )}
    </p>
  );
}
