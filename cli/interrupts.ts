import { EXIT_BY_SIGNAL, type EndingSignal } from './exit-codes';
import { InterruptedFailure } from './failure';

/**
 * Ctrl-C, SIGTERM and a closed terminal. The first one aborts what the command is doing, so that it can clean up;
 * a second one exits at once.
 */
export class Interrupts {
  private readonly controller = new AbortController();
  private received: EndingSignal | null = null;
  private readonly listeners = new Map<EndingSignal, () => void>();

  /** Aborted by the first one, with an InterruptedFailure as its reason. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The exit code for the signal, such as 130; null before one. */
  get exitCode(): number | null {
    return this.received === null ? null : EXIT_BY_SIGNAL[this.received];
  }

  /** @param leave called by the second one */
  listen(leave: (exitCode: number) => void): void {
    for (const name of Object.keys(EXIT_BY_SIGNAL).filter(isEndingSignal)) {
      const listener = (): void => {
        if (this.received !== null) return leave(EXIT_BY_SIGNAL[name]);
        this.received = name;
        this.controller.abort(new InterruptedFailure('Interrupted.'));
      };
      this.listeners.set(name, listener);
      process.on(name, listener);
    }
  }

  /** Stops listening: another program has taken over the process. */
  forget(): void {
    for (const [name, listener] of this.listeners) process.off(name, listener);
    this.listeners.clear();
  }
}

function isEndingSignal(name: string): name is EndingSignal {
  return Object.hasOwn(EXIT_BY_SIGNAL, name);
}
