import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { Readable, Resource } from '../api/resource';
import type { Saving } from './saving';
import { useMaking } from './use-making';

const listKey = ({ view }: { readonly view: string }) => [view, 'list'];
export const itemKey = ({ view }: { readonly view: string }, id: string) => [view, 'item', id];

export function useList<Item>(resource: Readable<Item>) {
  return useQuery({ queryKey: listKey(resource), queryFn: ({ signal }) => resource.list(signal) });
}

export function useItem<Item>(resource: Pick<Readable<Item>, 'view' | 'get'>, id: string) {
  return useQuery({
    queryKey: itemKey(resource, id),
    queryFn: ({ signal }) => resource.get(id, signal),
    // A refetch must not overwrite what the reader is typing.
    refetchOnWindowFocus: false,
  });
}

/** Call it when the list may have changed; resolves when it is up to date, whether or not it is on the screen. */
export function useListRefresh(resource: { readonly view: string }): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: listKey(resource), refetchType: 'all' });
}

/** Creates one, then goes there. @param nextView where to go instead */
export function useCreate<Item, Fields>(
  resource: Resource<Item, Fields, never>,
  nextView: (id: string) => string = (id) => `${resource.view}/${id}`,
): Saving<Fields> {
  const queries = useQueryClient();
  const refreshList = useListRefresh(resource);
  const [, go] = useLocation();
  return useMaking(resource.create, async (made) => {
    const id = resource.idOf(made);
    queries.setQueryData(itemKey(resource, id), made);
    // Some of its fields may only be in the list.
    await refreshList();
    go(nextView(id));
  });
}

export function useUpdate<Item, Changes>(resource: Resource<Item, never, Changes>, id: string): Saving<Changes> {
  const queries = useQueryClient();
  const refreshList = useListRefresh(resource);
  return useMutation({
    mutationFn: (changes: Changes) => resource.update(id, changes),
    onSuccess: (changed) => {
      queries.setQueryData(itemKey(resource, id), changed);
      return refreshList();
    },
  });
}

/** Deletes one, then goes to the list. */
export function useRemove(resource: Pick<Resource<never, never, never>, 'view' | 'remove'>, id: string): Saving<void> {
  const queries = useQueryClient();
  const refreshList = useListRefresh(resource);
  const [, go] = useLocation();
  return useMutation({
    mutationFn: () => resource.remove(id),
    onSuccess: () => {
      queries.removeQueries({ queryKey: itemKey(resource, id) });
      void refreshList();
      go(resource.view);
    },
  });
}
