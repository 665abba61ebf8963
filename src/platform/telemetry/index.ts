/**
 * The ports through which the service counts and times: `Metrics`, with Prometheus behind it, and `Tracing`, with OpenTelemetry
 * behind it where traces are wanted. What is measured is listed in the catalogue; the rest of the service knows only the ports.
 */

// Metrics.
export { Metrics, silentMetrics, type Reading } from './metrics/metrics';
export type { CallOutcome } from './metrics/catalogue';
export { measureRequests } from './metrics/measure-requests';
export { PrometheusMetrics, puttingTogether } from './metrics/prometheus.metrics';
export { MetricsModule } from './metrics/metrics.module';

// Traces.
export {
  Tracing,
  NoTracing,
  type OpenSpan,
  type SpanAttributes,
  type SpanKind,
  type SpanPlace,
} from './tracing/tracing';
export { loadOpenTelemetry, OpenTelemetryTracing } from './tracing/open-telemetry.tracing';
