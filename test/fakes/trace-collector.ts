import { sendJson, startHttpStub, type HttpStub } from './http-stub';

/** A span as it arrived, its attributes by their names. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined at the root. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  /** Of the process that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly milliseconds: number;
}

export interface TraceCollector extends HttpStub {
  /** What has arrived by now, as far as it belongs to the run. */
  spansOf(testRunId: string): readonly CollectedSpan[];
}

interface WrittenAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface WrittenSpan extends Omit<CollectedSpan, 'attributes' | 'events' | 'resource' | 'isError' | 'milliseconds'> {
  readonly attributes: readonly WrittenAttribute[];
  readonly events: readonly { readonly name: string; readonly attributes: readonly WrittenAttribute[] }[];
  readonly status: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WrittenAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WrittenSpan[] }[];
  }[];
}

const STATUS_ERROR = 2;

/** An OpenTelemetry collector that takes OTLP over HTTP as JSON and keeps what it gets. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const stub = await startHttpStub((response) => sendJson(response, 200, {}));
  const collected = (): CollectedSpan[] => stub.requests.flatMap(({ body }) => (isBatch(body) ? spansIn(body) : []));
  return Object.assign(Object.create(stub) as HttpStub, {
    spansOf: (testRunId: string) => collected().filter(({ traceId }) => traceId === testRunId.replaceAll('-', '')),
  });
}

function spansIn({ resourceSpans }: Batch): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, events, status, startTimeUnixNano, endTimeUnixNano, ...span }) => ({
        ...span,
        attributes: byName(attributes),
        events: events.map((event) => ({ name: event.name, attributes: byName(event.attributes) })),
        resource: byName(resource.attributes),
        isError: status.code === STATUS_ERROR,
        milliseconds: Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6,
      })),
    ),
  );
}

function byName(attributes: readonly WrittenAttribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function isBatch(body: unknown): body is Batch {
  return typeof body === 'object' && body !== null && 'resourceSpans' in body && Array.isArray(body.resourceSpans);
}
