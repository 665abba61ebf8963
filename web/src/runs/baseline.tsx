import { Link } from 'wouter';
import type { TestRun } from '../api/runs';
import { useMay } from '../parts/permissions';
import { Problem } from '../parts/problem';
import { runTitle } from '../parts/run-title';
import { Name } from '../parts/untrusted-text';
import { useBaseline } from '../parts/use-baseline';
import type { AgainstBaseline } from './use-against-baseline';

/** The comparison of the run with its agent's baseline, in the service's sentence. */
export function Against({ run, found: { baseline, comparison } }: { run: TestRun; found: AgainstBaseline }) {
  const { verdict, sentence } = comparison;
  return (
    <section className={`against ${verdict}`} aria-label="Compared with the baseline">
      <p>
        Compared with the baseline{' '}
        <Link href={`/runs/${baseline.id}`}>
          <Name>{runTitle(baseline)}</Name>
        </Link>
        : <Name>{sentence}</Name> <Link href={`/compare?base=${baseline.id}&head=${run.id}`}>See the comparison</Link>
      </p>
    </section>
  );
}

/** Makes a completed run the agent's baseline, or says that it is the baseline. */
export function BaselineButton({ run }: { readonly run: TestRun }) {
  const mayChange = useMay('change');
  const {
    found: { data },
    choosing,
  } = useBaseline(run.agent_id);
  // A deleted agent has no baseline.
  if (data === undefined) return null;
  if (data === run.id) return <span className="tag">The agent’s baseline</span>;
  if (!mayChange) return null;
  return (
    <>
      <button type="button" className="button" disabled={choosing.isPending} onClick={() => choosing.mutate(run.id)}>
        Make this run the agent’s baseline
      </button>
      {choosing.isError && <Problem error={choosing.error} />}
    </>
  );
}
