import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/client';
import type { Resource, Tagged } from '../api/resource';
import { changedMeanwhile, merged, type FieldChange } from './three-way';
import type { Saving } from './saving';
import { itemKey, useListRefresh } from './use-resource';

/** Two changed the same thing: what is shown in place of a problem. */
export interface Conflict {
  readonly changes: readonly FieldChange[];
  /** Saves the form's changes on top of theirs. */
  readonly keepMine: () => void;
  /** Drops the form's changes, and shows theirs. */
  readonly takeTheirs: () => void;
}

export interface Editing<Item, Changes> {
  /** As the form began with it, or as it was saved last. */
  readonly item: Tagged<Item>;
  /** Another one when the form has to begin anew. */
  readonly round: number;
  readonly saving: Saving<Changes>;
  /** Of a button beside the form: what stands in the form is not saved by it. */
  readonly changing: Saving<Changes>;
  /** Null as long as nobody else has changed anything. */
  readonly conflict: Conflict | null;
}

interface Options<Item, Changes> {
  /** The item as the changes would make it. */
  readonly whole?: (item: Item, changes: Changes) => object;
  /** What is sent of merged changes. */
  readonly allowed?: (changes: Record<string, unknown>, began: Item, theirs: Item) => Record<string, unknown>;
}

/** What the service keeps or says by itself; nobody edits it. */
const KEPT = /^(etag|updated_at|revision|content_hash|approved_at|approved_revision|approval_note|warnings)$/;

interface Sent {
  readonly body: object;
  readonly etag: string | null;
  /** What the form makes of the item. */
  readonly mine: object;
  readonly isMerged: boolean;
}

/**
 * Saves what a form changes only while nobody else has changed it since the form began with it. A refetch in the background changes
 * neither what the form shows nor what it began with.
 */
export function useEditing<Item extends object, Changes extends object>(
  resource: Resource<Item, never, Changes>,
  id: string,
  loaded: Tagged<Item>,
  { whole = (item, changes) => ({ ...item, ...changes }), allowed = (changes) => changes }: Options<Item, Changes> = {},
): Editing<Item, Changes> {
  const queries = useQueryClient();
  const refreshList = useListRefresh(resource);
  const [item, setItem] = useState(loaded);
  const [round, setRound] = useState(0);
  const [met, setMet] = useState<{ readonly theirs: Tagged<Item>; readonly sent: Sent } | null>(null);
  const show = (shown: Tagged<Item>, isNew: boolean) => {
    setItem(shown);
    setMet(null);
    queries.setQueryData(itemKey(resource, id), shown);
    if (isNew) setRound(round + 1);
  };
  const changesOf = (theirs: Tagged<Item>, mine: object) =>
    changedMeanwhile({ ...item }, { ...theirs }, { ...mine }).filter(({ path }) => !KEPT.test(path));
  const options = {
    mutationFn: async (sent: Sent) => {
      try {
        return await resource.patch(id, sent.body, sent.etag);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412) throw error;
        // Answers may leave out what only lists say.
        const theirs = { ...item, ...(await resource.get(id, AbortSignal.timeout(30_000))) };
        if (changesOf(theirs, sent.mine).length === 0) return resource.patch(id, sent.body, theirs.etag);
        setMet({ theirs, sent });
        throw error;
      }
    },
    onSuccess: async (saved: Tagged<Item>, { isMerged }: Sent) => {
      show({ ...item, ...saved }, isMerged);
      await refreshList();
    },
  };
  const [saving, changing] = [useMutation(options), useMutation(options)];
  const keepMine = () => {
    if (met === null) return;
    const { theirs, sent } = met;
    const names = new Set(Object.keys(sent.body));
    const all = Object.entries(merged({ ...item }, { ...theirs }, { ...sent.body }));
    const body = allowed(Object.fromEntries(all.filter(([name]) => names.has(name))), item, theirs);
    saving.mutate({ ...sent, body, etag: theirs.etag, isMerged: true });
  };
  const takeTheirs = () => {
    if (met === null) return;
    saving.reset();
    changing.reset();
    show(met.theirs, true);
  };
  const asSaving = ({ mutate, isPending, isError, isSuccess, error }: typeof saving): Saving<Changes> => ({
    isPending,
    isError: isError && met === null,
    isSuccess,
    error: met === null ? error : null,
    mutate: (changes) => mutate({ body: changes, etag: item.etag, mine: whole(item, changes), isMerged: false }),
  });
  return {
    item,
    round,
    saving: asSaving(saving),
    changing: asSaving(changing),
    conflict: met && { changes: changesOf(met.theirs, met.sent.mine), keepMine, takeTheirs },
  };
}
