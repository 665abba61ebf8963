import type { RequestHandler, Response } from 'express';
import { PROBE_PATHS } from '../../http/admission';
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

/** Asked all day long by machines: among them a fault of what people ask for would not be seen, nor is their 503 one. */
const NOT_MEASURED: ReadonlySet<string> = new Set([...PROBE_PATHS, '/metrics']);

/** Counts and times every request but probes, scrapes, and event streams, which last as long as what they tell of. */
export function measureRequests(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    if (NOT_MEASURED.has(request.path)) return next();
    const began = performance.now();
    const { method } = request;
    response.once('close', () => {
      if (String(response.getHeader('content-type')).startsWith('text/event-stream')) return;
      const status = statusOf(response);
      if (status === undefined || !isKnown(method)) return;
      metrics.observe('osce_http_request_duration_seconds', { method, status }, (performance.now() - began) / 1_000);
    });
    next();
  };
}

/** A client that left has no answer, whatever status it would have had: 200, as long as nothing else was said. */
function statusOf(response: Response): Labels['status'] | undefined {
  return response.writableFinished ? STATUSES[Math.floor(response.statusCode / 100) - 1] : 'gone';
}

function isKnown(method: string): method is Labels['method'] {
  return METHODS.includes(method);
}
