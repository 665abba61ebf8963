/** Characters or bytes that cost the event loop less than a millisecond, whatever is done with them. */
const SMALL = 32_768;

const waiting: (() => void)[] = [];
let isDue = false;

/**
 * Resolves in a turn of the event loop in which no other large piece of work begins; at once for a small one. Reading, writing
 * and copying a megabyte takes some milliseconds each time. Replies of many agents that arrive in the same moment would add up to
 * a pause that every client notices: between two such pieces timers, sockets and other work get their turn.
 *
 * @param size of what is about to be done, in characters or bytes
 */
export function ownTurn(size: number): Promise<void> {
  if (size <= SMALL) return Promise.resolve();
  return new Promise((resolve) => {
    waiting.push(resolve);
    nextSoon();
  });
}

/** The first caller also waits for the next turn: the present one may have done much already. */
function nextSoon(): void {
  if (isDue) return;
  isDue = true;
  setImmediate(() => {
    isDue = false;
    waiting.shift()?.();
    if (waiting.length > 0) nextSoon();
  });
}
