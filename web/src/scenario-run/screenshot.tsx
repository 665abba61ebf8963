import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callForFile } from '../api/client';
import { Problem } from '../parts/problem';

/** What the browser showed at the end. Fetched on request: an image element could not send the service key. */
export function Screenshot({ path }: { readonly path: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="screenshot" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Screenshot of the agent’s page at the end</summary>
      {open && <Picture path={path} />}
    </details>
  );
}

function Picture({ path }: { path: string }) {
  const file = useQuery({ queryKey: ['file', path], queryFn: ({ signal }) => callForFile(path, { signal }) });
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (file.data === undefined) return undefined;
    const made = URL.createObjectURL(file.data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file.data]);
  if (file.isError) return <Problem error={file.error} onRetry={() => void file.refetch()} />;
  return url === null ? null : <img src={url} alt="The agent’s page as the browser last showed it" />;
}
