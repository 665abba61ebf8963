import { z } from 'zod';
import { queryNumber } from './field';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

/** `limit` and `offset` of every paged list: spread into the list's query schema. */
export const pageFields = {
  limit: queryNumber(z.preprocess(atMostOnePage, z.int().min(1).default(DEFAULT_LIMIT))).describe(
    `Results per page; above ${MAX_LIMIT} is taken as ${MAX_LIMIT}.`,
  ),
  offset: queryNumber(z.int().min(0).default(0)).describe('Results skipped.'),
};

function atMostOnePage(limit: unknown): unknown {
  return typeof limit === 'number' ? Math.min(limit, MAX_LIMIT) : limit;
}
