import { useId, useState, type ChangeEvent, type KeyboardEvent } from 'react';
import type { ControlProps } from './field';
import { Name } from './untrusted-text';
import { visibleText } from './visible-parts';

interface Props {
  readonly control: ControlProps;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Tags in use, offered while the reader types. */
  readonly known: readonly string[];
}

/** Tags as a list that is typed or picked: a comma, Enter or leaving the field adds what was typed. */
export function TagInput({ control, chosen, onChange, known }: Props) {
  const options = useId();
  const [text, setText] = useState('');
  const add = (typed: string) => {
    setText('');
    const tags = [...new Set([...chosen, ...tagList(typed)])];
    if (tags.length > chosen.length) onChange(tags);
  };
  const type = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    if (target.value.includes(',') || isPicked(nativeEvent)) add(target.value);
    else setText(target.value);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && text.trim() !== '') {
      // The next Enter submits the form.
      event.preventDefault();
      add(text);
    }
    if (event.key === 'Backspace' && text === '' && chosen.length > 0) onChange(chosen.slice(0, -1));
  };
  return (
    <div className="tag-input">
      {chosen.map((tag) => (
        <span key={tag} className="tag">
          <Name>{tag}</Name>
          <button
            type="button"
            aria-label={`Remove tag ${visibleText(tag)}`}
            onClick={() => onChange(chosen.filter((other) => other !== tag))}
          >
            <span aria-hidden="true">×</span>
          </button>
        </span>
      ))}
      <input
        {...control}
        list={options}
        value={text}
        autoComplete="off"
        placeholder={chosen.length === 0 ? 'Search or add' : ''}
        onChange={type}
        onKeyDown={press}
        onBlur={() => add(text)}
      />
      <datalist id={options}>
        {known
          // Tags with hidden or reordering characters must not be in a browser's own list.
          .filter((tag) => !chosen.includes(tag) && visibleText(tag) === tag)
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
    </div>
  );
}

/** A choice from the list arrives as a replacement; in some browsers without any type. */
function isPicked(event: Event): boolean {
  return !(event instanceof InputEvent) || event.inputType === 'insertReplacementText';
}

/** `a, b,,a` is a and b. */
function tagList(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}
