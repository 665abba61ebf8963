import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore, type FormEvent } from 'react';
import { serviceKey } from '../api/service-key';

/** Asks for the service key when the service refuses to answer without one. */
export function KeyDialog() {
  const { key, wanted } = useSyncExternalStore(serviceKey.subscribe, serviceKey.get);
  const dialog = useRef<HTMLDialogElement>(null);
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  useEffect(() => {
    if (wanted) dialog.current?.showModal();
    else dialog.current?.close();
  }, [wanted]);
  const enter = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === '') return;
    serviceKey.enter(typed.trim());
    setTyped('');
    void queries.resetQueries();
  };
  return (
    <dialog ref={dialog} aria-labelledby="key-title" onCancel={(event) => event.preventDefault()}>
      <form onSubmit={enter} className="stack">
        <h2 id="key-title">This service requires a key</h2>
        <p>
          {key === null
            ? 'It was started with service keys (SERVICE_API_KEY and others).'
            : 'The key you entered is not valid.'}{' '}
          The key is kept until you close this tab.
        </p>
        <label className="field">
          <span className="label">Service key</span>
          <input
            type="password"
            value={typed}
            autoComplete="current-password"
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <button type="submit" className="button primary">
          Open
        </button>
      </form>
    </dialog>
  );
}
