import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './loading';
import { PageHead } from './page-head';
import { Problem } from './problem';

interface Props<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** The data; before it arrives, a loading note or the error. Data already shown stays when reading it again fails. */
export function Loaded<Data>({ query, children }: Props<Data>) {
  return (
    <>
      {query.isPending && <Loading />}
      {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && children(query.data)}
    </>
  );
}

interface PageProps<Data> extends Props<Data> {
  /** The heading until the data provides a better one. */
  readonly title: string;
  readonly above: { readonly href: string; readonly label: string };
}

/** A view of one resource: without it there is only the link back and the reason. */
export function LoadedPage<Data>({ query, title, above, children }: PageProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return <Loading />;
  return (
    <>
      <PageHead title={title} above={above} />
      <Problem error={query.error} onRetry={() => void query.refetch()} />
    </>
  );
}
