import type { Log } from '../../config/log';

/** The first problem is told of at once, what follows it once in this time: a collector that is down for a night fills no log. */
const TELL_EVERY_MS = 60_000;

/**
 * Says in the log that spans do not arrive. Of an error only its kind and code are told: its text may hold the address with a password,
 * or what the collector answered.
 */
export class ExportProblems {
  private toldAt = -Infinity;
  private untold = 0;

  constructor(
    private readonly log: Log,
    private readonly now: () => number = () => performance.now(),
  ) {}

  note(error: unknown): void {
    this.untold += 1;
    if (this.now() - this.toldAt < TELL_EVERY_MS) return;
    this.log.warn('Traces do not arrive; runs go on without them', { ...kindOf(error), times: this.untold });
    this.toldAt = this.now();
    this.untold = 0;
  }
}

function kindOf(error: unknown): { readonly type?: string; readonly code?: string | number } {
  if (!(error instanceof Error)) return {};
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : null;
  return { type: error.name, ...(code !== null && { code }) };
}
