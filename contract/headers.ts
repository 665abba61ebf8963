import type { AnswerHeaders } from './operation';

/** Of an answer that holds one page of a list. */
export const pageHeaders = {
  Link: {
    description: 'The next page, relation `next`; absent on the last one.',
    schema: { type: 'string' },
  },
  'X-Total-Count': { description: 'How many items there are on all pages.', schema: { type: 'integer' } },
} as const satisfies AnswerHeaders;

/** Of answers whose tag a change may name. */
export const tagHeaders = {
  ETag: { description: 'Names this state; send it as If-Match with a change.', schema: { type: 'string' } },
} as const satisfies AnswerHeaders;

/** Why a change that names a state is answered 412. */
export const CHANGED_MEANWHILE = 'If-Match names an earlier state: somebody has changed it meanwhile.';
