/**
 * How a run came to be that did not begin from scenarios alone: errors were tried again, conversations were marked again, one of
 * them was continued differently, or all of them were held elsewhere.
 */
export const DERIVATIONS = ['retry', 'regrade', 'fork', 'import'] as const;
export type Derivation = (typeof DERIVATIONS)[number];
