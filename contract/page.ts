import { z } from 'zod';
import { queryNumber } from './field';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;
/** A list requested without a page is complete up to this many items. */
const MAX_WHOLE = 1_000;
const LARGEST_OFFSET = 2_147_483_647;

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

const offset = queryNumber(z.int().min(0).max(LARGEST_OFFSET).default(0)).describe('Results to skip.');

/** `limit` and `offset` of every paged list: spread into the list's query schema. */
export const pageFields = {
  limit: limitOf(DEFAULT_LIMIT, MAX_LIMIT).describe(`Results per page; values above ${MAX_LIMIT} mean ${MAX_LIMIT}.`),
  offset,
};

/** The same for lists that used to be complete and stay so for clients that name no page, as long as they are short. */
export const wholeListFields = {
  limit: limitOf(MAX_WHOLE, MAX_WHOLE).describe(
    `Results per page; values above ${MAX_WHOLE} mean ${MAX_WHOLE}, which is also the most that an answer holds when no limit is given.`,
  ),
  offset,
};

/** A note on such lists for the API description. */
export const WHOLE_LIST = `Without limit the answer is complete up to ${MAX_WHOLE.toLocaleString('en')}; of a longer list it holds the first ${MAX_WHOLE.toLocaleString('en')}, and Link names the next page.`;

function limitOf(byDefault: number, most: number) {
  const atMost = (limit: unknown): unknown => (typeof limit === 'number' ? Math.min(limit, most) : limit);
  return queryNumber(z.preprocess(atMost, z.int().min(1).default(byDefault)));
}
