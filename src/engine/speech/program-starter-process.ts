import { OutputTooLong, ProgramMissing, runProgram } from './program';
import type { StarterAnswer, StarterOrder } from './program-starter';

/** The process that starts programs for the thread that speaks. It ends with that thread, whose channel it listens on. */
const under = new Map<number, AbortController>();

function answer(answered: StarterAnswer): void {
  // The channel may be closing; then there is nothing left to receive it.
  if (process.connected) process.send?.(answered, undefined, undefined, () => undefined);
}

function faultOf(error: unknown): Extract<StarterAnswer, { readonly fault: unknown }>['fault'] {
  if (error instanceof ProgramMissing) return { kind: 'missing' };
  if (error instanceof OutputTooLong) return { kind: 'too_long' };
  const isKnown = error instanceof Error && 'code' in error;
  return { kind: 'failed', code: isKnown ? String(error.code) : 'unknown' };
}

/** The thread itself ends after a minute without work. One that was terminated leaves its channel open. */
const IDLE_MS = 120_000;
let idle = setTimeout(() => process.exit(0), IDLE_MS);

process.on('message', (order: StarterOrder) => {
  const { id, call } = order;
  clearTimeout(idle);
  idle = setTimeout(() => process.exit(0), IDLE_MS);
  if (call === null) {
    under.get(id)?.abort();
    return;
  }
  const ending = new AbortController();
  under.set(id, ending);
  // What this process was given is all that programs get.
  void runProgram(call, ending.signal, process.env)
    .then(
      (end) => answer({ id, end }),
      (error: unknown) => answer({ id, fault: faultOf(error) }),
    )
    .finally(() => under.delete(id));
});
process.on('disconnect', () => process.exit(0));
// A terminal's Ctrl-C reaches the whole group; the service decides when this process ends.
process.on('SIGINT', () => undefined);
