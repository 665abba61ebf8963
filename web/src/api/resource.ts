import type * as z from 'zod/mini';
import { call, callForNothing } from './client';

/** Things that are listed and looked at, and where the page shows them. */
export interface Readable<Item> {
  /** The address of the list; an item's is below it. Also its name in the cache. */
  readonly view: string;
  readonly list: (signal: AbortSignal) => Promise<Item[]>;
  readonly get: (id: string, signal: AbortSignal) => Promise<Item>;
}

/** They are also made, changed and deleted. */
export interface Resource<Item, Fields, Changes> extends Readable<Item> {
  readonly idOf: (item: Item) => string;
  readonly create: (fields: Fields) => Promise<Item>;
  /** @param changes what is left out stays */
  readonly update: (id: string, changes: Changes) => Promise<Item>;
  readonly remove: (id: string) => Promise<void>;
}

interface Place<Schema extends z.ZodMiniType> {
  readonly view: string;
  /** Of the collection, such as `/api/v1/agents`. */
  readonly api: string;
  readonly item: Schema;
  readonly idOf: (item: z.output<Schema>) => string;
  /** Reads the whole list. */
  readonly list: (signal: AbortSignal) => Promise<z.output<Schema>[]>;
}

export function resourceAt<Fields, Changes, Schema extends z.ZodMiniType>({
  view,
  api,
  item,
  idOf,
  list,
}: Place<Schema>): Resource<z.output<Schema>, Fields, Changes> {
  const path = (id: string) => `${api}/${encodeURIComponent(id)}`;
  return {
    view,
    idOf,
    list,
    get: (id, signal) => call(item, path(id), { signal }),
    create: (fields) => call(item, api, { method: 'POST', body: fields }),
    update: (id, changes) => call(item, path(id), { method: 'PATCH', body: changes }),
    remove: (id) => callForNothing(path(id), { method: 'DELETE' }),
  };
}
