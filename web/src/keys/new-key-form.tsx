import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { createKey, type KeyFields, type NewKey } from '../api/keys';
import { Field } from '../parts/field';
import { Problem } from '../parts/problem';

const ROLES = [
  { role: 'viewer', may: 'reads' },
  { role: 'reviewer', may: 'reads and reviews' },
  { role: 'runner', may: 'starts and cancels runs too' },
  { role: 'admin', may: 'may do everything' },
] as const satisfies readonly { readonly role: KeyFields['role']; readonly may: string }[];

const LIFETIMES = [30, 90, 365] as const;

/** Makes a key. A second press cannot make two: the name is taken by then. */
export function NewKeyForm({ onMade }: { readonly onMade: (key: NewKey) => Promise<void> }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<KeyFields['role']>('runner');
  const [days, setDays] = useState<number | null>(90);
  const making = useMutation({
    mutationFn: createKey,
    onSuccess: (key) => {
      setName('');
      return onMade(key);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate({ name: name.trim(), role, expires_in_days: days });
  };
  return (
    <form className="panel form" aria-labelledby="new-key-title" onSubmit={submit}>
      <h2 id="new-key-title">Create a key</h2>
      <Field label="Name" help="The program that uses it: letters, digits, dots, underscores and hyphens.">
        {(control) => (
          <input
            {...control}
            required
            maxLength={64}
            pattern="[A-Za-z0-9._\-]+"
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label="Role">
        {(control) => (
          <select
            {...control}
            value={role}
            onChange={({ target }) => setRole(ROLES.find((one) => one.role === target.value)?.role ?? role)}
          >
            {ROLES.map((one) => (
              <option key={one.role} value={one.role}>
                {one.role}: {one.may}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Expires">
        {(control) => (
          <select
            {...control}
            value={days ?? ''}
            onChange={({ target }) => setDays(target.value === '' ? null : Number(target.value))}
          >
            {LIFETIMES.map((lifetime) => (
              <option key={lifetime} value={lifetime}>
                in {lifetime} days
              </option>
            ))}
            <option value="">never</option>
          </select>
        )}
      </Field>
      {making.error !== null && <Problem error={making.error} />}
      <div className="actions">
        <button type="submit" className="button primary" disabled={making.isPending}>
          Create
        </button>
      </div>
    </form>
  );
}
