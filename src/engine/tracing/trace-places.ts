import type { SpanPlace } from '../../platform/telemetry/tracing/tracing';

/**
 * Where a run stands in its trace, by its ids alone: every process that works at it, today or after a restart, names the same trace and
 * the same parents without asking anybody. The trace id is the run's UUID without its hyphens, a span id the second half of a UUID, in
 * which the variant's bits keep it from being zero.
 */
export function placeOfRun(testRunId: string): SpanPlace {
  return { traceId: digitsOf(testRunId), spanId: secondHalf(testRunId) };
}

export function placeOfScenarioRun(testRunId: string, scenarioRunId: string): SpanPlace {
  return { traceId: digitsOf(testRunId), spanId: secondHalf(scenarioRunId) };
}

function digitsOf(uuid: string): string {
  return uuid.replaceAll('-', '').toLowerCase();
}

function secondHalf(uuid: string): string {
  return digitsOf(uuid).slice(16);
}
