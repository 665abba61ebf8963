import type { FileProblem } from './file-values';
import { counted } from './numbers';
import { Name } from './untrusted-text';

const MOST_LISTED = 20;

/** What could not be read of files, place by place; nothing where all was. */
export function FileProblems({ problems }: { readonly problems: readonly FileProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <section className="notice stack" aria-label="Not read">
      <p>{counted(problems.length, 'problem')}: what is named here is left out.</p>
      <ul className="bulleted">
        {problems.slice(0, MOST_LISTED).map(({ where, problem }) => (
          <li key={`${where} ${problem}`}>
            <Name>{`${where}: ${problem}`}</Name>
          </li>
        ))}
      </ul>
      {problems.length > MOST_LISTED && <p>… and {problems.length - MOST_LISTED} more.</p>}
    </section>
  );
}
