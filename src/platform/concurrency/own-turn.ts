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
  return size <= SMALL ? Promise.resolve() : othersTurn();
}

/** The same for a piece of work whose size is not known and that is large: others have their turn before it. */
export function othersTurn(): Promise<void> {
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

/** What a turn may spend on pieces of work that share it, beyond the last of them. */
const SHARED_TURN_MS = 2;

const sharing: (() => void)[] = [];

/**
 * Does a piece of work of a millisecond or so in a later turn of the event loop, together with others as long as they take a few
 * milliseconds: many in a row let sockets and timers in between, and conversations that go on together send, receive and are written
 * together.
 */
export function inSharedTurn<Result>(work: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    // What it throws rejects the inner promise, and with it this one.
    sharing.push(() => resolve(new Promise<Result>((done) => done(work()))));
    if (sharing.length === 1) setImmediate(share);
  });
}

function share(): void {
  const until = performance.now() + SHARED_TURN_MS;
  // The one that is done stays in front meanwhile: what it asks for joins this turn or the next one.
  do {
    sharing[0]?.();
    sharing.shift();
  } while (sharing.length > 0 && performance.now() < until);
  if (sharing.length > 0) setImmediate(share);
}
