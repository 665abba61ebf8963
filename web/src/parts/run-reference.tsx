import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ApiError } from '../api/client';
import { getRun } from '../api/runs';
import { runTitle } from './run-title';
import { Name } from './untrusted-text';

/** A run by its name, inside a sentence; a run that was deleted is named as such. */
export function RunReference({ id }: { readonly id: string }) {
  const found = useQuery({ queryKey: ['run', id], queryFn: ({ signal }) => getRun(id, signal) });
  if (found.error instanceof ApiError && found.error.status === 404) return 'a run that has since been deleted';
  return (
    <Link href={`/runs/${id}`} title={found.data?.test_run_id}>
      {found.data === undefined ? 'another run' : <Name>{runTitle(found.data)}</Name>}
    </Link>
  );
}
