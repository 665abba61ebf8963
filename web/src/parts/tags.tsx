import { Link } from 'wouter';
import { Name } from './untrusted-text';
import { visibleText } from './visible-parts';

interface Props {
  readonly tags: readonly string[];
  readonly shownAtMost: number;
  /** Where a tag leads; nowhere when left out. */
  readonly hrefOf?: (tag: string) => string;
}

/** Tags on one line; the title of the rest names the others. */
export function Tags({ tags, shownAtMost, hrefOf }: Props) {
  const rest = tags.slice(shownAtMost);
  return (
    <span className="tags">
      {tags.slice(0, shownAtMost).map((tag) => (
        <span key={tag} className="tag cut" title={visibleText(tag)}>
          {hrefOf === undefined ? (
            <Name>{tag}</Name>
          ) : (
            <Link href={hrefOf(tag)}>
              <Name>{tag}</Name>
            </Link>
          )}
        </span>
      ))}
      {rest.length > 0 && (
        <span className="tag" title={rest.map(visibleText).join(', ')}>
          +{rest.length}
          <span className="unseen">: {rest.map(visibleText).join(', ')}</span>
        </span>
      )}
    </span>
  );
}
