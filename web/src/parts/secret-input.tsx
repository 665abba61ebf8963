import { useState } from 'react';
import type { ControlProps } from './field';

interface Props {
  readonly control: ControlProps;
  readonly value: string;
  readonly required?: boolean;
  readonly onChange: (value: string) => void;
}

/** A credential: hidden until revealed. */
export function SecretInput({ control, value, required = false, onChange }: Props) {
  const [shown, setShown] = useState(false);
  return (
    <span className="secret">
      <input
        {...control}
        type={shown ? 'text' : 'password'}
        value={value}
        required={required}
        autoComplete="off"
        spellCheck={false}
        // Password managers would offer the reader's own passwords for the agent's key.
        data-1p-ignore
        onChange={(event) => onChange(event.target.value)}
      />
      <button type="button" className="button small" aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? 'Hide' : 'Show'}
      </button>
    </span>
  );
}
