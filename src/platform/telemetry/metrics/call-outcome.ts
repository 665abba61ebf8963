/**
 * How a call to the world outside ended. canceled: nobody waited for it any more, since its run was canceled, its lease lost or this
 * process stopped; it says nothing about the other side.
 */
export const CALL_OUTCOMES = [
  'ok',
  'hung_up',
  'timed_out',
  'unreachable',
  'key_refused',
  'rate_limited',
  'misconfigured',
  'refused',
  'unusable',
  'failed',
  'canceled',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];
