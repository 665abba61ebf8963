import { useMutation } from '@tanstack/react-query';
import { callForFile } from '../api/client';
import { saveFile } from '../parts/file-values';
import { Problem } from '../parts/problem';

const FORMATS = [
  { path: 'report', label: 'Report', extension: 'html' },
  { path: 'export?format=csv', label: 'CSV', extension: 'csv' },
  { path: 'export?format=json', label: 'JSON', extension: 'json' },
  { path: 'export?format=junit', label: 'JUnit', extension: 'xml' },
] as const;
type Format = (typeof FORMATS)[number];

const EXPORTED_WITHIN_MS = 300_000;

/** Files of a finished run. They are fetched, not linked: a link could not carry the service key. */
export function Exports({ runId, label }: { readonly runId: string; readonly label: string }) {
  const save = useMutation({
    mutationFn: async ({ path, extension }: Format) => {
      const address = `/api/v1/tests/${encodeURIComponent(runId)}/${path}`;
      saveFile(await callForFile(address, { withinMs: EXPORTED_WITHIN_MS }), `${label}.${extension}`);
    },
  });
  return (
    <span className="button-group" role="group" aria-label="Download the run">
      {FORMATS.map((format) => (
        <button
          key={format.path}
          type="button"
          className="button"
          disabled={save.isPending}
          onClick={() => save.mutate(format)}
        >
          {format.label}
        </button>
      ))}
      {save.isError && <Problem error={save.error} />}
    </span>
  );
}
