import type { RequestHandler } from 'express';
import type { LabelsOf } from './catalogue';
import type { Metrics } from './metrics';

type Labels = LabelsOf<'osce_http_request_duration_seconds'>;

const METHODS: readonly string[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
] satisfies Labels['method'][];
const STATUSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Counts and times every request but event streams, which last as long as what they tell of. */
export function measureRequests(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    const { method } = request;
    response.once('close', () => {
      if (String(response.getHeader('content-type')).startsWith('text/event-stream')) return;
      const status = STATUSES[Math.floor(response.statusCode / 100) - 1];
      if (status === undefined || !isKnown(method)) return;
      metrics.observe('osce_http_request_duration_seconds', { method, status }, (performance.now() - began) / 1_000);
    });
    next();
  };
}

function isKnown(method: string): method is Labels['method'] {
  return METHODS.includes(method);
}
