import type { RequestHandler } from 'express';
import onHeaders from 'on-headers';
import { isEventStream } from './compressed-answers';

/** As event streams do. */
const STALL_MS = 60_000;

/**
 * Cuts off clients that take nothing of an answer for so long: until they do, the process holds what is left of it, which may be
 * megabytes of a conversation. A client that reads slowly is not cut off, and neither is one that waits for an answer that has
 * not begun. Event streams look after themselves.
 */
export function cutOffStalled(ms = STALL_MS): RequestHandler {
  return ({ socket }, response, next) => {
    onHeaders(response, () => {
      if (!isEventStream(response)) socket.setTimeout(ms);
    });
    response.once('finish', () => {
      // Node has set the time for which it keeps the connection, unless the next request is here already: that may take its time.
      if (socket.timeout === ms) socket.setTimeout(0);
    });
    next();
  };
}
