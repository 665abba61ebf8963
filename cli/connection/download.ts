import { bytesOf } from './body-bytes';
import { callOf } from './checked-calls';
import type { Call, HttpClient } from './http-client';

/** The formats in which the service exports a run (GET /api/v1/tests/{id}/export). */
export const EXPORT_FORMATS = ['csv', 'json', 'junit'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The formats of a report (GET /api/v1/tests/{id}/report). */
export const REPORT_FORMATS = ['html', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

type Take = (chunks: AsyncIterable<Uint8Array>) => Promise<void>;

/** Passes an export to `take` in chunks as they arrive. There is no retry once a chunk has been passed on. */
export function downloadExport(http: HttpClient, runId: string, format: ExportFormat, take: Take): Promise<void> {
  return download(http, callOf('GET /api/v1/tests/{id}/export', { path: { id: runId }, query: { format } }), take);
}

/** The same as JUnit XML, with the result of a comparison with an earlier run. @param minCoverage percent; null for the service's default */
export function downloadComparedJunit(
  http: HttpClient,
  runId: string,
  against: { readonly before: string; readonly minCoverage: number | null },
  take: Take,
): Promise<void> {
  const query = { format: 'junit', before: against.before, min_coverage: against.minCoverage ?? undefined } as const;
  return download(http, callOf('GET /api/v1/tests/{id}/export', { path: { id: runId }, query }), take);
}

/** The same for the report of a run that has ended. */
export function downloadReport(http: HttpClient, runId: string, format: ReportFormat, take: Take): Promise<void> {
  return download(http, callOf('GET /api/v1/tests/{id}/report', { path: { id: runId }, query: { format } }), take);
}

async function download(http: HttpClient, call: Call, take: Take): Promise<void> {
  await http.call({ ...call, headers: { accept: '*/*' }, isRepeatable: false }, (response, extend) =>
    take(extending(bytesOf(response), extend)),
  );
}

async function* extending(chunks: AsyncIterable<Uint8Array>, extend: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    extend();
    yield chunk;
  }
}
