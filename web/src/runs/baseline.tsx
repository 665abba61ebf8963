import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { getRun, type TestRun } from '../api/runs';
import { getComparison } from '../api/statistics';
import { Problem } from '../parts/problem';
import { Name } from '../parts/untrusted-text';
import { useBaseline } from '../parts/use-baseline';

/** What the run says measured by its agent's baseline, in the service's sentence; nothing where there is no baseline. */
export function AgainstBaseline({ run }: { readonly run: TestRun }) {
  const baselineId = run.baseline_test_run_id ?? null;
  return baselineId !== null && <Against run={run} baselineId={baselineId} />;
}

function Against({ run, baselineId }: { readonly run: TestRun; readonly baselineId: string }) {
  const baseline = useQuery({ queryKey: ['run', baselineId], queryFn: ({ signal }) => getRun(baselineId, signal) });
  const comparison = useQuery({
    queryKey: ['comparison', baselineId, run.id],
    queryFn: ({ signal }) => getComparison(baselineId, run.id, signal),
    staleTime: 30_000,
  });
  if (baseline.data === undefined || comparison.isPending) return null;
  if (comparison.data === undefined) return <Problem error={comparison.error} />;
  const { verdict, sentence, new_must_pass_violations: violations } = comparison.data;
  return (
    <section className={`panel conclusion ${verdict}`} aria-label="Compared with the baseline">
      <p>
        Compared with the baseline{' '}
        <Link href={`/runs/${baseline.data.id}`}>
          <Name>{baseline.data.name ?? baseline.data.test_run_id}</Name>
        </Link>
        : <Name>{sentence}</Name>
        {violations.length > 0 && ' Must-pass criteria are violated that were not before.'}{' '}
        <Link href={`/compare?base=${baseline.data.id}&head=${run.id}`}>See the comparison</Link>
      </p>
    </section>
  );
}

/** Makes a completed run the one that the agent's other runs are measured by, or says that it is. */
export function BaselineButton({ run }: { readonly run: TestRun }) {
  const {
    found: { data },
    choosing,
  } = useBaseline(run.agent_id);
  // Of an agent that is gone there is nothing to measure.
  if (data === undefined) return null;
  if (data === run.id) return <span className="tag">The agent’s baseline</span>;
  return (
    <>
      <button type="button" className="button" disabled={choosing.isPending} onClick={() => choosing.mutate(run.id)}>
        Make this run the agent’s baseline
      </button>
      {choosing.isError && <Problem error={choosing.error} />}
    </>
  );
}
