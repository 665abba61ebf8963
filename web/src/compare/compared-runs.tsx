import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { isFinalTestRun } from '../../../src/domain';
import type { TestRun, TestRunDetail } from '../api/runs';
import { getComparison, type Comparison } from '../api/statistics';
import { Loading } from '../parts/loading';
import { counted, percentText, rangeText, signedText } from '../parts/numbers';
import { Problem } from '../parts/problem';
import { isOffline, OfflineNotice, offlineOfTwo } from '../parts/offline-notice';
import { agentTitle, runTitle } from '../parts/run-title';
import { Status } from '../parts/status';
import { Name } from '../parts/untrusted-text';
import { ChangedAgent } from './changed-agent';
import { ChangedCriteria } from './changed-criteria';
import { ChangedScenarios } from './changed-scenarios';
import { sharedRates } from './forest';
import { ForestPlot } from './forest-plot';
import { TwinPairs } from './twin-pairs';
import { ThreeQuestions } from './three-questions';
import { useSeverities } from './use-severities';
import { Verdict } from './verdict';

export function ComparedRuns({ base, head }: { readonly base: TestRunDetail; readonly head: TestRunDetail }) {
  const areFinal = isFinalTestRun(base.status) && isFinalTestRun(head.status);
  const found = useQuery({
    queryKey: ['comparison', base.id, head.id],
    queryFn: ({ signal }) => getComparison(base.id, head.id, signal),
    enabled: areFinal,
    staleTime: 30_000,
  });
  const severities = useSeverities(head);
  const shared = found.data === undefined ? null : sharedRates(found.data);
  const compared = found.data?.scenarios.compared ?? 0;
  return (
    <section className="stack" aria-label="Comparison">
      {!areFinal && (
        <p className="notice">At least one run is still in progress: the verdict appears when both have ended.</p>
      )}
      {areFinal && found.isPending && <Loading />}
      {found.isError && <Problem error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && <Verdict base={base} head={head} comparison={found.data} severities={severities} />}
      <OfflineNotice where={offlineOfTwo(isOffline(base), isOffline(head))} />
      <div className="versus">
        <Side title="Before" run={base} shared={shared && { rate: shared.before, of: compared }} />
        <Difference of={found.data ?? null} />
        <Side title="After" run={head} shared={shared && { rate: shared.after, of: compared }} />
      </div>
      <ChangedAgent base={base} head={head} />
      {found.data && (
        <>
          <TwinPairs comparison={found.data} />
          <ThreeQuestions comparison={found.data} />
          <ForestPlot comparison={found.data} />
          <ChangedScenarios base={base} head={head} comparison={found.data} severities={severities} />
          <ChangedCriteria comparison={found.data} />
        </>
      )}
    </section>
  );
}

interface SideProps {
  readonly title: string;
  readonly run: TestRun;
  /** The rate over the scenarios that both runs share, 0 to 1; null where there are none, or before they are known. */
  readonly shared: { readonly rate: number; readonly of: number } | null;
}

/** A run's rate over the shared scenarios: the difference beside it is between these rates. The rate of the whole run is below. */
function Side({ title, run, shared }: SideProps) {
  return (
    <div className="panel side">
      <h2>{title}</h2>
      <p>
        <Link href={`/runs/${run.id}`}>
          <Name>{runTitle(run)}</Name>
        </Link>
        {run.name !== null && (
          <span className="quiet">
            {' '}
            <Name>{agentTitle(run)}</Name>
          </span>
        )}
      </p>
      {shared !== null && (
        <p className="shared-rate">
          <span className="number">{percentText(shared.rate * 100)}</span>
          <span className="quiet small"> of {counted(shared.of, 'shared scenario')}</span>
        </p>
      )}
      <Whole run={run} />
    </div>
  );
}

/** The run's own rate, of all its scenarios. */
function Whole({ run }: { readonly run: TestRun }) {
  const graded = run.passed_count + run.failed_count;
  const interval = run.graded_pass_rate ?? null;
  const isWhole = graded === run.total_scenarios;
  return (
    <p className="quiet number small">
      {run.status === 'completed' ? `Whole run: ${percentText(run.pass_rate)}` : 'Whole run: no result'},{' '}
      {run.passed_count} of {run.total_scenarios} passed
      {run.error_count > 0 && `, ${counted(run.error_count, 'error')}`}
      {run.canceled_count > 0 && `, ${run.canceled_count} canceled`}
      {interval !== null &&
        `; ${isWhole ? '95 % interval ' : ''}${rangeText(interval)}${isWhole ? '' : ' of what was graded'}`}{' '}
      <Status of={run.status} />
    </p>
  );
}

/** The difference over the compared scenarios; nothing where there are none. */
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
