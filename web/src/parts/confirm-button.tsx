import { useEffect, useRef, useState } from 'react';
import { useMay } from './permissions';

interface Props {
  readonly label: string;
  readonly question: string;
  readonly onConfirm: () => void;
  readonly busy: boolean;
  /** The permission that the key needs: without it the button is not shown. */
  readonly needs?: 'run' | 'change';
  /** A word that has to be typed first. */
  readonly word?: string;
}

/** A button for an action that cannot be undone: the first press asks, the second does it. */
export function ConfirmButton({ label, question, onConfirm, busy, needs = 'change', word }: Props) {
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const may = useMay(needs);
  const yes = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (asking) (input.current ?? yes.current)?.focus();
    else if (wasAsking.current) first.current?.focus();
    wasAsking.current = asking;
  }, [asking]);
  if (!may) return null;
  if (!asking) {
    return (
      <button ref={first} type="button" className="button danger" disabled={busy} onClick={() => setAsking(true)}>
        {busy ? 'One moment…' : label}
      </button>
    );
  }
  const answer = (confirmed: boolean) => {
    setAsking(false);
    setTyped('');
    if (confirmed) onConfirm();
  };
  return (
    <span
      className="confirm"
      role="group"
      aria-label={question}
      onKeyDown={(event) => event.key === 'Escape' && answer(false)}
    >
      <span>{question}</span>
      {word !== undefined && (
        <input
          ref={input}
          className="narrow"
          aria-label={`Type ${word} to confirm`}
          placeholder={`Type ${word}`}
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <button
        ref={yes}
        type="button"
        className="button danger solid"
        disabled={word !== undefined && typed.trim().toLowerCase() !== word}
        onClick={() => answer(true)}
      >
        Yes, {label.toLowerCase()}
      </button>
      <button type="button" className="button" onClick={() => answer(false)}>
        No
      </button>
    </span>
  );
}
