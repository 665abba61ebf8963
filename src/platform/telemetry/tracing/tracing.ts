export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** `client` for what waits for another service, `internal` for everything else. */
export type SpanKind = 'internal' | 'client';

/** A place in a trace. Both ids are lower-case hexadecimal, of 32 and of 16 digits. */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
}

/** A span that is under way. */
export interface OpenSpan {
  /** The W3C `traceparent` that makes a request part of this span; null where there is nothing to be part of. */
  readonly traceparent: string | null;
  begin(name: string, kind: SpanKind, attributes: SpanAttributes): OpenSpan;
  note(attributes: SpanAttributes): void;
  event(name: string, attributes: SpanAttributes): void;
  /** Idempotent. @param errorType a code, never a message: those may quote an agent; null when nothing went wrong */
  end(errorType: string | null): void;
}

/** A span that is reported once it is over, by code that knows when it began. */
export interface WholeSpan {
  readonly place: SpanPlace;
  /** Null: it is its trace's root. */
  readonly parentId: string | null;
  readonly name: string;
  readonly began: Date;
  readonly ended: Date;
  readonly attributes: SpanAttributes;
  readonly errorType: string | null;
}

/**
 * Port: where traces go. Nothing in it waits for the other side, and nothing in it throws: an examination neither slows down nor
 * fails because no collector takes its spans.
 */
export abstract class Tracing {
  abstract readonly isOn: boolean;
  /** A span below one that another process may hold, or that has not been reported yet. */
  abstract beginBelow(parent: SpanPlace, name: string, kind: SpanKind, attributes: SpanAttributes): OpenSpan;
  abstract tell(span: WholeSpan): void;
  /** Sends what waits, and gives up after a moment. */
  abstract close(): Promise<void>;
}

const NO_SPAN: OpenSpan = {
  traceparent: null,
  begin: () => NO_SPAN,
  note: () => undefined,
  event: () => undefined,
  end: () => undefined,
};

/** Traces nothing. */
export class NoTracing extends Tracing {
  override readonly isOn = false;

  override beginBelow(): OpenSpan {
    return NO_SPAN;
  }

  override tell(): void {
    // No traces were asked for.
  }

  override async close(): Promise<void> {
    // There is nothing to send.
  }
}
