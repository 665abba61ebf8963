import { useState } from 'react';
import { Name } from './untrusted-text';

interface Props {
  readonly tags: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Of the group, for those who hear the page. */
  readonly label?: string;
}

/** More than these are searched. */
const FEW = 12;
const SHOWN_AT_MOST = 60;

/** Tags to choose from, with a search where there are many; chosen tags stay visible. */
export function TagChips({ tags, chosen, onChange, label = 'Tags' }: Props) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const isChosen = new Set(chosen);
  const found = tags.filter((tag) => isChosen.has(tag) || tag.toLowerCase().includes(wanted));
  const shown = found.filter((tag, place) => place < SHOWN_AT_MOST || isChosen.has(tag));
  const toggle = (tag: string) =>
    onChange(isChosen.has(tag) ? chosen.filter((other) => other !== tag) : [...chosen, tag]);
  return (
    <div className="stack tag-chips">
      {tags.length > FEW && (
        <input
          className="search"
          type="search"
          aria-label="Search tags"
          placeholder={`Search ${tags.length} tags`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          // Enter searches instead of submitting the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <div className="filters" role="group" aria-label={label}>
        {shown.map((tag) => (
          <button key={tag} type="button" className="chip" aria-pressed={isChosen.has(tag)} onClick={() => toggle(tag)}>
            <Name>{tag}</Name>
          </button>
        ))}
        {found.length === 0 && <span className="quiet">No tag matches.</span>}
        {found.length > shown.length && <span className="quiet">and {found.length - shown.length} more: search</span>}
      </div>
    </div>
  );
}
