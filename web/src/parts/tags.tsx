import { Name } from './untrusted-text';
import { visibleText } from './visible-parts';

/** Tags on one line; the title of the rest names the others. */
export function Tags({ tags, shownAtMost }: { readonly tags: readonly string[]; readonly shownAtMost: number }) {
  const rest = tags.slice(shownAtMost);
  return (
    <span className="tags">
      {tags.slice(0, shownAtMost).map((tag) => (
        <span key={tag} className="tag cut" title={visibleText(tag)}>
          <Name>{tag}</Name>
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
