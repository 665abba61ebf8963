import { bytesOf } from './body-bytes';
import type { HttpClient } from './http-client';

/** What the service exports a run as (GET /api/v1/tests/{id}/export). */
export const EXPORT_FORMATS = ['csv', 'json', 'junit'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Passes an export to `take` piece by piece as it arrives. There is no retry once a piece has been passed on. */
export async function downloadExport(
  http: HttpClient,
  runId: string,
  format: ExportFormat,
  take: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const path = `/api/v1/tests/${encodeURIComponent(runId)}/export?format=${format}`;
  const call = { method: 'GET', path, headers: { accept: '*/*' }, isRepeatable: false } as const;
  await http.call(call, (response, extend) => take(extending(bytesOf(response), extend)));
}

async function* extending(chunks: AsyncIterable<Uint8Array>, extend: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    extend();
    yield chunk;
  }
}
