import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, ContextManager, Span, Tracer } from '@opentelemetry/api';
import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type * as Sdk from '@opentelemetry/sdk-node';
import { RecentMap } from '../../concurrency/recent-map';
import type { Log } from '../../config/log';
import { VERSION } from '../../config/version';
import { Egress } from '../../egress/egress';
import { ProxyFailure } from '../../egress/proxy-failure';
import { TunnelAgent } from '../../egress/tunnel-agent';
import { Tracing, type OpenSpan, type SpanAttributes, type SpanKind, type SpanPlace, type WholeSpan } from './tracing';

/** The first problem of a kind is told of at once, what follows it once in this time: a collector that is down for a night fills no log. */
const TELL_EVERY_MS = 60_000;
const KINDS_KEPT = 16;

/**
 * Says in the log that spans do not arrive. Of an error only its kind and code are told: its text may hold the address with a password,
 * or what the collector answered.
 */
class ExportProblems {
  private readonly toldAt = new RecentMap<number>(KINDS_KEPT);
  private untold = 0;

  constructor(
    private readonly log: Log,
    private readonly now: () => number = () => performance.now(),
  ) {}

  note(error: unknown): void {
    this.untold += 1;
    const kind = kindOf(error);
    const name = JSON.stringify(kind);
    if (this.now() - (this.toldAt.get(name) ?? -Infinity) < TELL_EVERY_MS) return;
    this.log.warn('Traces do not arrive; runs go on without them', { ...kind, times: this.untold });
    this.toldAt.set(name, this.now());
    this.untold = 0;
  }
}

function kindOf(error: unknown): Readonly<Record<string, string | number>> {
  if (!(error instanceof Error)) return {};
  // Its sentence is ours.
  if (error instanceof ProxyFailure) return { type: error.name, code: error.code, reason: error.message };
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : null;
  return { type: error.name, ...(code !== null && { code }) };
}

/** Gives spans random ids, but for one whose place is chosen while it is being made. */
class ChosenIds {
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

const SERVICE_NAME = 'agent-osce';
/** Traces whose sampling is remembered. */
const TRACES_KEPT = 1_000;
/** What a stopping process waits for its last spans to be taken, within the 10 s that it has in all. */
const FLUSH_WITHIN_MS = 1_000;

/**
 * Spans by OpenTelemetry's SDK, which reads its own `OTEL_…` variables: where spans go and how, how many wait, which are sampled. They
 * wait in a bounded queue and are sent in batches beside everything else; what finds the queue full is dropped.
 */
export class OpenTelemetryTracing extends Tracing {
  override readonly isOn = true;
  /** By trace id: whether its spans are sent. */
  private readonly sampled = new RecentMap<number>(TRACES_KEPT);

  private constructor(
    private readonly sdk: OpenTelemetry,
    private readonly tracer: Tracer,
    private readonly ids: ChosenIds,
    private readonly stop: () => Promise<void>,
  ) {
    super();
  }

  /**
   * @param instanceId of this process, in `service.instance.id`
   * @param egress how a collector is reached over HTTP; gRPC's library reads the variables of a proxy by itself
   */
  static start(
    sdk: OpenTelemetry,
    instanceId: string,
    log: Log,
    egress: Egress = Egress.direct(),
  ): OpenTelemetryTracing {
    const { api, core, resources } = sdk;
    const ids = new ChosenIds();
    const node = new sdk.NodeSDK({
      idGenerator: ids,
      // The environment's own attributes come last and win; the process's arguments are kept out of traces.
      resource: resources.resourceFromAttributes({
        'service.name': SERVICE_NAME,
        'service.version': VERSION,
        'service.instance.id': instanceId,
      }),
      resourceDetectors: [resources.hostDetector, resources.envDetector],
      contextManager: withoutContext(api.ROOT_CONTEXT),
      textMapPropagator: null,
      instrumentations: [],
      metricReaders: [],
      ...exporterThrough(sdk, egress),
      logRecordProcessors: [],
    });
    const problems = new ExportProblems(log);
    core.setGlobalErrorHandler((error) => problems.note(error));
    node.start();
    const tracer = api.trace.getTracer(SERVICE_NAME, VERSION);
    // Ours alone: a library that traces itself would put texts of conversations into its spans.
    api.trace.disable();
    api.context.disable();
    return new OpenTelemetryTracing(sdk, tracer, ids, () => node.shutdown());
  }

  override beginBelow(parent: SpanPlace, name: string, kind: SpanKind, attributes: SpanAttributes): OpenSpan {
    return this.open(this.contextOf(parent), name, kind, attributes);
  }

  override tell({ place, parentId, name, began, ended, attributes, errorType }: WholeSpan): void {
    const { api } = this.sdk;
    const context = parentId === null ? api.ROOT_CONTEXT : this.contextOf({ ...place, spanId: parentId });
    const span = this.ids.at(place, () => this.tracer.startSpan(name, { startTime: began, attributes }, context));
    finish(this.sdk, span, errorType, ended);
  }

  override async close(): Promise<void> {
    const giveUp = new AbortController();
    const late = sleep(FLUSH_WITHIN_MS, undefined, { signal: giveUp.signal }).catch(() => undefined);
    // Whatever could not be sent has been noted as a problem of the exporter.
    await Promise.race([this.stop().catch(() => undefined), late]);
    giveUp.abort();
  }

  private open(context: Context, name: string, kind: SpanKind, attributes: SpanAttributes): OpenSpan {
    const { sdk, tracer } = this;
    const { SpanKind: kinds, trace } = sdk.api;
    const spanKind = kind === 'client' ? kinds.CLIENT : kinds.INTERNAL;
    const span = tracer.startSpan(name, { kind: spanKind, attributes }, context);
    return {
      traceparent: traceparentOf(sdk, span),
      begin: (...below) => this.open(trace.setSpan(context, span), ...below),
      note: (more) => void span.setAttributes(more),
      event: (event, more) => void span.addEvent(event, more),
      end: (errorType) => {
        if (span.isRecording()) finish(sdk, span, errorType);
      },
    };
  }

  private contextOf({ traceId, spanId }: SpanPlace): Context {
    const { ROOT_CONTEXT, trace } = this.sdk.api;
    const traceFlags = this.flagsOf(traceId);
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
  }

  /** The sampler decides by the trace id, so that every process decides alike: it is asked with a root that is never ended. */
  private flagsOf(traceId: string): number {
    const known = this.sampled.get(traceId);
    if (known !== undefined) return known;
    const place = { traceId, spanId: traceId.slice(16) };
    const root = this.ids.at(place, () => this.tracer.startSpan('sampled?', {}, this.sdk.api.ROOT_CONTEXT));
    const flags = root.spanContext().traceFlags;
    this.sampled.set(traceId, flags);
    return flags;
  }
}

/** Without a proxy, and for what else the library's variables choose, the library makes its exporters by itself. */
function exporterThrough({ core }: OpenTelemetry, egress: Egress): { readonly traceExporter?: OTLPTraceExporter } {
  const exporters = core.getStringListFromEnv('OTEL_TRACES_EXPORTER') ?? [];
  if (egress.proxies.length === 0 || exporters.some((exporter) => exporter !== 'otlp')) return {};
  const protocol =
    core.getStringFromEnv('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? core.getStringFromEnv('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol === 'grpc') return {};
  const name = protocol === 'http/json' ? 'exporter-trace-otlp-http' : 'exporter-trace-otlp-proto';
  const httpAgentOptions = (scheme: string): TunnelAgent => new TunnelAgent(scheme, egress);
  return { traceExporter: new (loadExporter(`@opentelemetry/${name}`).OTLPTraceExporter)({ httpAgentOptions }) };
}

function finish({ api }: OpenTelemetry, span: Span, errorType: string | null, at?: Date): void {
  if (errorType !== null) {
    span.setAttribute('error.type', errorType);
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  }
  span.end(at);
}

function traceparentOf({ api }: OpenTelemetry, span: Span): string | null {
  const context = span.spanContext();
  if (!api.isSpanContextValid(context)) return null;
  const { traceId, spanId, traceFlags } = context;
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Parents are passed on as arguments: one that followed promises around would cost every promise of the process. */
function withoutContext(root: Context): ContextManager {
  const manager: ContextManager = {
    active: () => root,
    with: (_context, work, thisArg, ...args) => work.call(thisArg, ...args),
    bind: (_context, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}

type OpenTelemetry = typeof Sdk;

const load: (name: string) => OpenTelemetry = createRequire(__filename);
/** Both forms of OTLP over HTTP have an exporter of the same shape. */
const loadExporter: (name: string) => { readonly OTLPTraceExporter: typeof OTLPTraceExporter } =
  createRequire(__filename);

/** OpenTelemetry's library, hundreds of files that a service without traces never reads. */
export function loadOpenTelemetry(): OpenTelemetry {
  return load('@opentelemetry/sdk-node');
}
