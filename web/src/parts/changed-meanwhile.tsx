import { UntrustedText } from './untrusted-text';
import type { Conflict } from './use-editing';

interface Props {
  /** Such as "scenario". */
  readonly what: string;
  readonly conflict: Conflict | null;
  /** Whether the value of a field may be shown; by default all may. */
  readonly isShown?: (path: string) => boolean;
  readonly note?: string | null;
  readonly busy: boolean;
}

/** Shows what another user changed while a form was open, field by field, and the ways to continue. */
export function ChangedMeanwhile({ what, conflict, isShown = () => true, note = null, busy }: Props) {
  if (conflict === null) return null;
  const value = (path: string, given: unknown) =>
    isShown(path) ? <UntrustedText text={textOf(given)} /> : <span className="quiet">changed</span>;
  return (
    <section className="problem meanwhile" role="alert" aria-label="Changed while you were editing">
      <p>Someone else saved this {what} while you were editing it. Your changes are not saved yet.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Theirs</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {conflict.changes.map(({ path, theirs, yours, isContested }) => (
            <tr key={path}>
              <th scope="row">{labelOf(path)}</th>
              <td>{value(path, theirs)}</td>
              <td>{isContested ? value(path, yours) : <span className="quiet">not changed by you</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {note !== null && <p>{note}</p>}
      <div className="actions">
        <button type="button" className="button primary" disabled={busy} onClick={conflict.keepMine}>
          Save my changes on top of theirs
        </button>
        <button type="button" className="button" disabled={busy} onClick={conflict.takeTheirs}>
          Discard my changes and show theirs
        </button>
      </div>
    </section>
  );
}

/** `content.gold_standard` is "gold standard". */
function labelOf(path: string): string {
  return path
    .replace(/^(content|config)\./, '')
    .replaceAll('_', ' ')
    .replaceAll('.', ': ');
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return '(nothing)';
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(lineOf).join('\n') : JSON.stringify(value);
}

/** A criterion of a rubric by its words; anything else as it is. */
function lineOf(item: unknown): string {
  if (typeof item === 'object' && item !== null && 'criterion' in item && 'points' in item) {
    return `${String(item.points)}: ${String(item.criterion)}`;
  }
  return typeof item === 'string' ? item : JSON.stringify(item);
}
