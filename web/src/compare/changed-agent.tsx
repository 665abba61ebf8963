import { useMemo } from 'react';
import type { TestRunDetail } from '../api/runs';
import { ChangedLines, changedLines, linesOf } from '../parts/changed-lines';
import { counted } from '../parts/numbers';

interface Props {
  readonly base: TestRunDetail;
  readonly head: TestRunDetail;
}

/** What was changed in the agent's config between two runs, line by line, with secrets masked; nothing where it is the same or not known. */
export function ChangedAgent({ base: { agent_config: was }, head: { agent_config: is } }: Props) {
  const found = useMemo(
    () => (was === null || is === null ? null : changedLines(linesOf(was), linesOf(is))),
    [was, is],
  );
  if (found === null || found.changed === 0) return null;
  return (
    <details className="circumstances">
      <summary>The agent’s config differs: {counted(found.changed, 'line')} (secrets masked)</summary>
      <ChangedLines lines={found.lines} label="Changes of the agent's config" />
    </details>
  );
}
