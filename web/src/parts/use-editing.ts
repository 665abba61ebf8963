import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/client';
import type { Resource, Tagged } from '../api/resource';
import { changedMeanwhile, merged, type FieldChange } from './three-way';
import type { Saving } from './saving';
import { itemKey, useListRefresh } from './use-resource';

/** Two users changed the same item: shown in place of a problem. */
export interface Conflict {
  readonly changes: readonly FieldChange[];
  /** Saves the form's changes on top of theirs. */
  readonly keepMine: () => void;
  /** Discards the form's changes, and shows theirs. */
  readonly takeTheirs: () => void;
}

export interface Editing<Item, Changes> {
  /** As the form began with it, or as it was saved last. */
  readonly item: Tagged<Item>;
  /** Changes when the form has to begin again. */
  readonly round: number;
  readonly saving: Saving<Changes>;
  /** Saving by a button beside the form, which does not save the form's contents. */
  readonly changing: Saving<Changes>;
  /** Null as long as no other user has changed the item. */
  readonly conflict: Conflict | null;
}

interface Options<Item, Changes> {
  /** The item with the changes applied. */
  readonly whole?: (item: Item, changes: Changes) => object;
  /** The part of merged changes that is sent. */
  readonly allowed?: (changes: Changes, began: Item, theirs: Item) => Changes;
}

/** Fields that the service sets, or that are set beside the form. */
const KEPT =
  /^(etag|updated_at|revision|content_hash|approved_at|approved_revision|approval_note|warnings|baseline_test_run_id|deliveries|next_start|next_starts|last_start)(\.|$)/;

interface Sent<Changes> {
  readonly body: Changes;
  readonly etag: string | null;
  /** The item with the form's changes. */
  readonly mine: object;
  readonly isMerged: boolean;
}

/**
 * Saves a form's changes only if no other user has changed the item since the form began with it. A refetch in the background changes
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
  const [met, setMet] = useState<{ readonly theirs: Tagged<Item>; readonly sent: Sent<Changes> } | null>(null);
  const show = (shown: Tagged<Item>, isNew: boolean) => {
    setItem(shown);
    setMet(null);
    queries.setQueryData(itemKey(resource, id), shown);
    if (isNew) setRound(round + 1);
  };
  const changesOf = (theirs: Tagged<Item>, mine: object) =>
    changedMeanwhile({ ...item }, { ...theirs }, { ...mine }).filter(({ path }) => !KEPT.test(path));
  const options = {
    mutationFn: async (sent: Sent<Changes>) => {
      try {
        return await resource.patch(id, sent.body, sent.etag);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412) throw error;
        // Answers may leave out fields that only lists have.
        const theirs = { ...item, ...(await resource.get(id, AbortSignal.timeout(30_000))) };
        if (changesOf(theirs, sent.mine).length === 0) return resource.patch(id, sent.body, theirs.etag);
        setMet({ theirs, sent });
        throw error;
      }
    },
    onSuccess: async (saved: Tagged<Item>, { isMerged }: Sent<Changes>) => {
      show({ ...item, ...saved }, isMerged);
      await refreshList();
    },
  };
  const [saving, changing] = [useMutation(options), useMutation(options)];
  const keepMine = () => {
    if (met === null) return;
    const { theirs, sent } = met;
    const all = merged({ ...item }, { ...theirs }, Object.fromEntries(Object.entries(sent.body)));
    const values = Object.fromEntries(Object.keys(sent.body).map((name) => [name, all[name]]));
    const body = allowed(Object.assign({ ...sent.body }, values), item, theirs);
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
