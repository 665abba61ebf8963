import { useId } from 'react';
import type { Finding } from '../api/scenarios';
import { counted } from '../parts/numbers';
import { Findings } from './findings';
import type { Lint } from './use-lint';

interface Props {
  readonly lint: Lint;
  /** Whether there is anything to check. */
  readonly isBegun: boolean;
  /** The findings that no field of the form shows. */
  readonly others: readonly Finding[];
  /** The paths of fields that show findings, in the order of the form. */
  readonly paths: readonly string[];
  /** Moves the focus to the field of a path. */
  readonly onGo: (path: string) => void;
}

/** The number of the lint's findings, for readers and screen readers, with links to the fields to correct. */
export function LintSummary({ lint, isBegun, others, paths, onGo }: Props) {
  const title = useId();
  return (
    <section className="panel lint-summary" aria-labelledby={title}>
      <h2 id={title}>Checks</h2>
      <p role="status">{isBegun ? stateOf(lint) : 'They begin with the first words of the script or the rubric.'}</p>
      {paths.length > 0 && (
        <p className="lint-paths">
          {paths.map((path) => (
            <button key={path} type="button" className="button small" onClick={() => onGo(path)}>
              Go to {labelOf(path)}
            </button>
          ))}
        </p>
      )}
      <Findings findings={others} />
    </section>
  );
}

function stateOf({ findings, isPending, error }: Lint): string {
  if (error !== null) return `It could not be checked: ${error.message}`;
  if (isPending) return 'Checking…';
  if (findings.length === 0) return 'No findings.';
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const serious = errors === 0 ? '' : `, of which ${counted(errors, 'error')}`;
  return `${counted(findings.length, 'finding')}${serious}. You can save all the same.`;
}

/** `rubric_criteria[2].criterion` is criterion 3. */
function labelOf(path: string): string {
  const index = /^rubric_criteria\[(\d{1,4})\]/.exec(path)?.[1];
  if (index !== undefined) return `criterion ${Number(index) + 1}`;
  return path
    .replace(/^content\./, '')
    .replaceAll('.', ', ')
    .replaceAll('_', ' ');
}
