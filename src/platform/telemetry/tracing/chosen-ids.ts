import { randomBytes } from 'node:crypto';
import type { SpanPlace } from './tracing';

/** Gives spans random ids, but for one whose place is chosen while it is being made. */
export class ChosenIds {
  private chosen: SpanPlace | null = null;

  /** What `make` makes, synchronously, gets this place. */
  at<Made>(place: SpanPlace, make: () => Made): Made {
    this.chosen = place;
    try {
      return make();
    } finally {
      this.chosen = null;
    }
  }

  generateTraceId(): string {
    return this.chosen?.traceId ?? randomBytes(16).toString('hex');
  }

  generateSpanId(): string {
    return this.chosen?.spanId ?? randomBytes(8).toString('hex');
  }
}
