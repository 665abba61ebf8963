import { useMemo } from 'react';
import { lineDiff, type DiffLine } from '../../../src/domain';
import type { TestRunDetail } from '../api/runs';
import { counted } from '../parts/numbers';
import { UntrustedText } from '../parts/untrusted-text';

interface Props {
  readonly base: TestRunDetail;
  readonly head: TestRunDetail;
}

/** A prompt may have a million. */
const LINES_AT_MOST = 2_000;

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', old: '−', new: '+' };
const WORDS: Readonly<Record<DiffLine['kind'], string>> = { same: '', old: 'before: ', new: 'after: ' };

/** What was changed in the agent's config between two runs, line by line, with secrets masked; nothing where it is the same or not known. */
export function ChangedAgent({ base: { agent_config: was }, head: { agent_config: is } }: Props) {
  const lines = useMemo(() => (was === null || is === null ? [] : lineDiff(linesOf(was), linesOf(is))), [was, is]);
  const changed = lines.filter(({ kind }) => kind !== 'same').length;
  if (changed === 0) return null;
  return (
    <details className="circumstances">
      <summary>The agent’s config differs: {counted(changed, 'line')} (secrets masked)</summary>
      <pre className="diff" tabIndex={0} role="region" aria-label="Changes of the agent's config">
        {lines.slice(0, LINES_AT_MOST).map(({ kind, text }, place) => (
          <span key={place} className={`line ${kind}`}>
            <span aria-hidden="true">{SIGNS[kind]} </span>
            {kind !== 'same' && <span className="unseen">{WORDS[kind]}</span>}
            <UntrustedText text={text} />
          </span>
        ))}
        {lines.length > LINES_AT_MOST && `… and ${counted(lines.length - LINES_AT_MOST, 'line')} more`}
      </pre>
    </details>
  );
}

/** A field a line, in the order of their names; texts of several lines, such as prompts, line by line. */
function linesOf(config: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(config)
    .sort()
    .flatMap((key) => {
      const value = config[key];
      if (typeof value === 'string' && value.includes('\n')) {
        return [`${key}:`, ...value.split('\n').map((line) => `  ${line}`)];
      }
      const [first = '', ...rest] = (JSON.stringify(value, null, 2) ?? '').split('\n');
      return [`${key}: ${first}`, ...rest];
    });
}
