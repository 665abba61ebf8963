import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore, type FormEvent } from 'react';
import { serviceKey } from '../api/service-key';
import { SignInButton, useSignInAddress } from './sign-in-button';
import { Name } from './untrusted-text';

/** Asks who the reader is when the service refuses to answer without that: by a sign-in where there is one, and by a service key. */
export function KeyDialog() {
  const { key, wanted, why } = useSyncExternalStore(serviceKey.subscribe, serviceKey.get);
  const dialog = useRef<HTMLDialogElement>(null);
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const signIn = useSignInAddress();
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
        <h2 id="key-title">{signIn === null ? 'This service requires a key' : 'Sign in'}</h2>
        {signIn !== null && (
          <>
            {/^(Your|The|No group) .*sign in again/.test(why) && (
              <p className="notice">
                <Name>{why}</Name>
              </p>
            )}
            <p>
              <SignInButton address={signIn} />
            </p>
          </>
        )}
        <p>
          {key === null
            ? signIn === null
              ? 'It was started with service keys (SERVICE_API_KEY and others).'
              : 'Or open it with a service key.'
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
        <button type="submit" className={signIn === null ? 'button primary' : 'button'}>
          Open
        </button>
      </form>
    </dialog>
  );
}
