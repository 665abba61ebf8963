import type { Given } from '../../contract/call';
import { bytesOf } from './body-bytes';
import { callOf } from './checked-calls';
import type { Call, HttpClient } from './http-client';

/** The formats in which the service exports a run (GET /api/v1/tests/{id}/export). */
export const EXPORT_FORMATS = ['csv', 'json', 'junit'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The formats of a report (GET /api/v1/tests/{id}/report). */
export const REPORT_FORMATS = ['html', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** @param bytes that come; null where the service does not say */
export type Take = (chunks: AsyncIterable<Uint8Array>, bytes: number | null) => Promise<void>;

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

/** The same for the sound of a spoken conversation. */
export function downloadRecording(
  http: HttpClient,
  scenarioRunId: string,
  query: Given<'GET /api/v1/scenario-runs/{id}/recording.wav'>['query'],
  take: Take,
): Promise<void> {
  return download(
    http,
    callOf('GET /api/v1/scenario-runs/{id}/recording.wav', { path: { id: scenarioRunId }, query }),
    take,
  );
}

async function download(http: HttpClient, call: Call, take: Take): Promise<void> {
  await http.call({ ...call, headers: { accept: '*/*' }, isRepeatable: false }, (response, extend) =>
    take(extending(bytesOf(response), extend), lengthOf(response)),
  );
}

function lengthOf({ headers }: Response): number | null {
  const length = headers.get('content-length');
  // What was compressed has another length than its chunks.
  return length === null || headers.has('content-encoding') ? null : Number(length);
}

async function* extending(chunks: AsyncIterable<Uint8Array>, extend: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    extend();
    yield chunk;
  }
}
