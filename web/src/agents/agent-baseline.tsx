import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { getRun } from '../api/runs';
import { ConfirmButton } from '../parts/confirm-button';
import { Problem } from '../parts/problem';
import { runTitle } from '../parts/run-title';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { useBaseline } from '../parts/use-baseline';

/** The run that the agent’s other runs are compared with, and a button to clear it. */
export function AgentBaseline({ agentId }: { readonly agentId: string }) {
  const { found, choosing } = useBaseline(agentId);
  if (found.isError) return <Problem error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return null;
  return (
    <section className="facts baseline" aria-label="Baseline">
      {found.data === null ? (
        <p className="quiet">No baseline yet. A completed run’s page can make that run the agent’s baseline.</p>
      ) : (
        <>
          <BaselineRun id={found.data} />
          <ConfirmButton
            label="Clear baseline"
            question="Clear the baseline? The run stays; other runs are no longer compared with it."
            onConfirm={() => choosing.mutate(null)}
            busy={choosing.isPending}
          />
        </>
      )}
      {choosing.isError && <Problem error={choosing.error} />}
    </section>
  );
}

function BaselineRun({ id }: { readonly id: string }) {
  const run = useQuery({ queryKey: ['run', id], queryFn: ({ signal }) => getRun(id, signal) });
  if (run.isError) return <Problem error={run.error} onRetry={() => void run.refetch()} />;
  if (run.data === undefined) return <p>Baseline: …</p>;
  const { completed_at, created_at } = run.data;
  return (
    <p>
      Baseline: run{' '}
      <Link href={`/runs/${id}`}>
        <Name>{runTitle(run.data)}</Name>
      </Link>
      , <Time at={completed_at ?? created_at} />
    </p>
  );
}
