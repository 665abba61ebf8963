/** Characters or bytes that cost the event loop less than a millisecond, whatever is done with them. */
const SMALL = 32_768;

const waiting: (() => void)[] = [];
let isDue = false;

/**
 * Resolves in a turn of the event loop in which nobody else begins a large piece of work; at once when it is small. Reading, writing
 * and copying a megabyte takes some milliseconds each time. Replies of many agents that arrive in the same moment would
 * add up to a pause that everybody notices: between two such pieces timers, sockets and other people's work get their turn.
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

/** One waits for the turn after this one even when nobody is before it: the present turn may have done much already. */
function nextSoon(): void {
  if (isDue) return;
  isDue = true;
  setImmediate(() => {
    isDue = false;
    waiting.shift()?.();
    if (waiting.length > 0) nextSoon();
  });
}
