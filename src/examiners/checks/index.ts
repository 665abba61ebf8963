/**
 * Criteria that need no judge: a rule decides each of them, in time that grows with the replies, and names the words or numbers that
 * decided it (docs/checks.md).
 */

export { checkedTurnsOf } from './checked-turn';
export { markByChecks, costOfChecks, type CheckedCriterion, type CheckMark, type ChecksRequest } from './mark-checks';
