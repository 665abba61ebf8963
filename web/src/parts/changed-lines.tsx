import { lineDiff, type DiffLine } from '../../../src/domain';
import { counted } from './numbers';
import { UntrustedText } from './untrusted-text';

/** A prompt may have a million. */
const LINES_AT_MOST = 2_000;

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', old: '−', new: '+' };
const WORDS: Readonly<Record<DiffLine['kind'], string>> = { same: '', old: 'before: ', new: 'after: ' };

/** The lines of both texts, and how many of them are only in one. */
export function changedLines(before: readonly string[], after: readonly string[]) {
  const lines = lineDiff(before, after);
  return { lines, changed: lines.filter(({ kind }) => kind !== 'same').length };
}

interface Props {
  readonly lines: readonly DiffLine[];
  /** What they are of, for a screen reader. */
  readonly label: string;
}

/** Lines before and after a change, told apart by sign and word. */
export function ChangedLines({ lines, label }: Props) {
  return (
    <pre className="diff" tabIndex={0} role="region" aria-label={label}>
      {lines.slice(0, LINES_AT_MOST).map(({ kind, text }, place) => (
        <span key={place} className={`line ${kind}`}>
          <span aria-hidden="true">{SIGNS[kind]} </span>
          {kind !== 'same' && <span className="unseen">{WORDS[kind]}</span>}
          <UntrustedText text={text} />
        </span>
      ))}
      {lines.length > LINES_AT_MOST && `… and ${counted(lines.length - LINES_AT_MOST, 'line')} more`}
    </pre>
  );
}

/** A field a line, in the order of their names; texts of several lines, such as prompts, line by line. */
export function linesOf(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(fields)
    .sort()
    .flatMap((key) => {
      const value = fields[key];
      if (typeof value === 'string' && value.includes('\n')) {
        return [`${key}:`, ...value.split('\n').map((line) => `  ${line}`)];
      }
      const [first = '', ...rest] = (JSON.stringify(value, null, 2) ?? '').split('\n');
      return [`${key}: ${first}`, ...rest];
    });
}
