import { Fragment, memo, useState, type ReactNode } from 'react';
import { usePrinting } from './use-printing';
import { visibleParts } from './visible-parts';

/** A range of a text with a meaning, such as a quote of the judge. */
export interface Range {
  readonly start: number;
  readonly end: number;
  /** The index of what it belongs to; ranges may overlap. */
  readonly of: number;
}

/** Characters shown at first, and added by each press of the button: an agent may answer with a megabyte. */
const SHOWN_AT_FIRST = 6_000;
const SHOWN_MORE = 20_000;
/** Characters shown in a print, which has no button. */
const PRINTED_AT_MOST = 100_000;

interface Props {
  readonly text: string;
  readonly ranges?: readonly Range[];
  /** The `of` under the pointer. */
  readonly active?: number | null;
}

/**
 * Untrusted text, shown as text: without markup, with its direction isolated, and with the names of characters that would hide or
 * reorder what is read.
 */
export const UntrustedText = memo(function UntrustedText({ text, ranges = [], active = null }: Props) {
  const [wanted, setWanted] = useState(SHOWN_AT_FIRST);
  const pointedAt = ranges.filter(({ of }) => of === active).map(({ end }) => end);
  const shown = Math.max(wanted, usePrinting() ? PRINTED_AT_MOST : 0, ...pointedAt);
  const isCut = text.length > shown;
  const visible = isCut ? text.slice(0, shown) : text;
  return (
    <>
      <span className="untrusted" dir="auto">
        {pieces(visible, ranges).map(({ start, end, of }) => (
          <Piece key={start} text={visible.slice(start, end)} of={of} isLit={active !== null && of.includes(active)} />
        ))}
      </span>
      {isCut && (
        <button type="button" className="button small quiet" onClick={() => setWanted(shown + SHOWN_MORE)}>
          Show more: {(text.length - shown).toLocaleString()} characters left
        </button>
      )}
      {isCut && (
        <span className="only-printed">{(text.length - shown).toLocaleString()} more characters are not printed.</span>
      )}
    </>
  );
});

/** One line of such text: a name, a tag, a sentence. */
export function Name({ children }: { readonly children: string }) {
  return (
    <bdi className="name">
      <Visible text={children} />
    </bdi>
  );
}

function Piece({ text, of, isLit }: { text: string; of: readonly number[]; isLit: boolean }): ReactNode {
  if (of.length === 0) return <Visible text={text} />;
  return (
    <mark className={isLit ? 'evidence lit' : 'evidence'} data-of={of.join(' ')}>
      <Visible text={text} />
    </mark>
  );
}

function Visible({ text }: { text: string }): ReactNode {
  return visibleParts(text).map((part, index) =>
    part.hidden === null ? (
      <Fragment key={index}>{part.text}</Fragment>
    ) : (
      <span key={index} className="hidden-character" title={part.hidden}>
        {part.text}
      </span>
    ),
  );
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly of: readonly number[];
}

/** The text cut wherever a range begins or ends. */
function pieces(text: string, ranges: readonly Range[]): Stretch[] {
  const cuts = new Set([0, text.length]);
  for (const { start, end } of ranges) {
    if (start < text.length) cuts.add(start);
    if (end < text.length) cuts.add(end);
  }
  const ordered = [...cuts].sort((one, other) => one - other);
  return ordered.slice(0, -1).map((start, index) => {
    const end = ordered[index + 1] ?? text.length;
    const of = ranges.filter((range) => range.start <= start && range.end >= end).map((range) => range.of);
    return { start, end, of: [...new Set(of)] };
  });
}
