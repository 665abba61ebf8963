import { useEffect, useRef, useState } from 'react';
import { useMay } from './permissions';

interface Props {
  readonly label: string;
  readonly question: string;
  readonly onConfirm: () => void;
  readonly busy: boolean;
  /** The permission that the key needs: without it the button is not shown. */
  readonly needs?: 'run' | 'change';
}

/** A button for an action that cannot be undone: the first press asks, the second does it. */
export function ConfirmButton({ label, question, onConfirm, busy, needs = 'change' }: Props) {
  const [asking, setAsking] = useState(false);
  const may = useMay(needs);
  const yes = useRef<HTMLButtonElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (asking) yes.current?.focus();
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
      <button ref={yes} type="button" className="button danger solid" onClick={() => answer(true)}>
        Yes, {label.toLowerCase()}
      </button>
      <button type="button" className="button" onClick={() => answer(false)}>
        No
      </button>
    </span>
  );
}
