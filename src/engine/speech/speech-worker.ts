import { setMaxListeners } from 'node:events';
import { parentPort, type TransferListItem } from 'node:worker_threads';
import {
  SpeechBench,
  type SpeechJobName,
  type SpeechRequest,
  type SpeechResult,
  type SpeechSetup,
} from './speech-jobs';
import { ProgramStarter } from './program-starter';
import { SpeechError, type SpeechErrorKind } from './speech-error';

/** What a thread is told: to do a job, to give one up, or to end. */
export type SpeechOrder =
  | { readonly name: 'end' }
  | { readonly id: number; readonly name: SpeechJobName; readonly request: SpeechRequest<SpeechJobName> }
  | { readonly id: number; readonly name: null };

/** What it answers, once for each job. */
export type SpeechAnswer<Name extends SpeechJobName> =
  | { readonly id: number; readonly result: SpeechResult<Name> }
  | { readonly id: number; readonly fault: { readonly kind: SpeechErrorKind; readonly message: string } | null }
  /** It was told to give the job up. */
  | { readonly id: number; readonly isGivenUp: true };

const under = new Map<number, AbortController>();

// The program of a thread: what it is told first is where its engines are. Jobs wait for programs and servers side by side.
parentPort?.once('message', (setup: SpeechSetup) => {
  const starter = new ProgramStarter();
  const bench = new SpeechBench(setup, starter.run);
  parentPort?.on('message', (order: SpeechOrder) => {
    if (order.name !== 'end') return take(bench, order);
    // The channel of a thread that is terminated stays open, and what listens on it would stay with it.
    starter.close();
    process.exit();
  });
});

function take(bench: SpeechBench, order: Exclude<SpeechOrder, { readonly name: 'end' }>): void {
  if (order.name === null) {
    under.get(order.id)?.abort();
    return answer({ id: order.id, isGivenUp: true });
  }
  const { id, name, request } = order;
  const ending = new AbortController();
  // Each of a message's sentences listens to it.
  setMaxListeners(0, ending.signal);
  under.set(id, ending);
  void bench
    .do(name, request, ending.signal)
    .then(
      (result) => answer({ id, result }, soundsIn(result)),
      (error: unknown) =>
        answer({ id, fault: error instanceof SpeechError ? { kind: error.kind, message: error.message } : null }),
    )
    .finally(() => under.delete(id));
}

function answer(answered: SpeechAnswer<SpeechJobName>, sounds: readonly TransferListItem[] = []): void {
  parentPort?.postMessage(answered, sounds);
}

/** Sound is handed over, not copied. */
function soundsIn(value: unknown): ArrayBuffer[] {
  if (value instanceof Int16Array || value instanceof Uint8Array) {
    return value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength ? [value.buffer] : [];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(soundsIn) : [];
}
